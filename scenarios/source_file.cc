#include "scenarios/source_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "scenarios/utf8.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kLargestFile = 1'000'000;
// Nobody writes longer lines, and scanning one takes the YAML library long.
constexpr std::size_t kLongestLine = 10'000;
constexpr std::size_t kMostErrors = 50;

std::string TooLarge(std::uintmax_t size, std::string_view what) {
  return fmt::format("the file is too large: {} bytes; {} has at most {}", size, what,
                     kLargestFile);
}

SourceFile WithoutText(const std::string& path, Mark mark, std::string message) {
  return {std::make_shared<const Source>(path, ""), Diagnostic{mark, std::move(message), ""}};
}

}  // namespace

std::optional<Diagnostic> NotReadable(const Source& source, std::string_view what) {
  if (source.text().size() > kLargestFile) {
    return Diagnostic{Mark{1, 1}, TooLarge(source.text().size(), what), ""};
  }
  if (const auto byte = FirstBinaryByte(source.text())) {
    return Diagnostic{source.MarkAt(*byte),
                      fmt::format("this is no text: {} is a file in UTF-8", what), ""};
  }
  for (int line = 1; line <= source.line_count(); ++line) {
    if (source.Line(line).size() <= kLongestLine) continue;
    return Diagnostic{Mark{line, 1},
                      fmt::format("the line is longer than {} characters", kLongestLine), ""};
  }
  return std::nullopt;
}

SourceFile ReadSourceFile(const std::string& path, std::string_view what) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return WithoutText(path, {}, "there is no such file");
  error.clear();
  if (std::filesystem::is_directory(status)) {
    return WithoutText(path, {}, fmt::format("this is a directory; {} is a file", what));
  }
  std::uintmax_t size = kLargestFile;
  if (std::filesystem::is_regular_file(status)) size = std::filesystem::file_size(path, error);
  if (error) return WithoutText(path, {}, "the file cannot be read: " + error.message());
  if (size > kLargestFile) return WithoutText(path, Mark{1, 1}, TooLarge(size, what));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  // One byte more than allowed tells a device or a pipe that never ends.
  std::string text(size + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    return WithoutText(path, {}, std::string("the file cannot be read: ") + std::strerror(errno));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return {std::make_shared<const Source>(path, std::move(text)), std::nullopt};
}

std::string ReportOf(const Source& source, const std::vector<Diagnostic>& errors) {
  std::string report;
  for (std::size_t i = 0; i < errors.size() && i < kMostErrors; ++i) {
    report += Render(source, errors[i]);
  }
  if (errors.size() > 1) report += std::to_string(errors.size()) + " errors";
  if (errors.size() > kMostErrors) {
    report += ", of which the first " + std::to_string(kMostErrors) + " are shown";
  }
  if (errors.size() > 1) report += '\n';
  return report;
}

}  // namespace kafkasim::scenarios
