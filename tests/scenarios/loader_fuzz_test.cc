// Whatever is done to a good file, loading it ends with a scenario or with errors that point into
// it.

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenarios/utf8.h"
#include "tests/scenarios/loading.h"
#include "tests/source_directory.h"

namespace kafkasim::scenarios {
namespace {

const std::string& GoodFile() {
  static const std::string text = [] {
    std::ifstream file(SourceDirectory() / "tests/scenarios/everything.yaml");
    std::stringstream buffer;
    buffer << file.rdbuf();
    return buffer.str();
  }();
  return text;
}

void CheckLoading(const std::string& text) {
  const LoadResult result = LoadScenarioText("f", text);
  RC_ASSERT(result.scenario.has_value() == result.errors.empty());
  for (const Diagnostic& error : result.errors) {
    RC_ASSERT(error.mark.line >= 0);
    RC_ASSERT(error.mark.line <= result.source->line_count() + 1);
    RC_ASSERT(!error.message.empty());
  }
  const std::string report = result.Report();
  for (char c : report) RC_ASSERT(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  RC_ASSERT(!FirstBinaryByte(report).has_value());
}

// A place in the file, and one behind it.
std::size_t AnyPlace(const std::string& text) {
  return static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size()) + 1));
}

RC_GTEST_PROP(LoadingMutants, LosingAPiece, ()) {
  std::string text = GoodFile();
  const std::size_t place = AnyPlace(text);
  text.erase(place, static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
  CheckLoading(text);
}

RC_GTEST_PROP(LoadingMutants, ChangingBytes, ()) {
  std::string text = GoodFile();
  const int changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i) {
    text[AnyPlace(text) % text.size()] = static_cast<char>(*rc::gen::inRange(0, 256));
  }
  CheckLoading(text);
}

RC_GTEST_PROP(LoadingMutants, GainingYamlSigns, ()) {
  std::string text = GoodFile();
  const std::string_view signs = "[]{}:-,'\"#&*!|>%@`?\n\t ~0";
  const int changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i) {
    const auto sign = static_cast<std::size_t>(*rc::gen::inRange<int>(0, 24));
    text.insert(AnyPlace(text), 1, signs[sign]);
  }
  CheckLoading(text);
}

RC_GTEST_PROP(LoadingMutants, MovingPieces, ()) {
  std::string text = GoodFile();
  const std::string piece =
      text.substr(AnyPlace(text), static_cast<std::size_t>(*rc::gen::inRange(1, 200)));
  text.insert(AnyPlace(text), piece);
  CheckLoading(text);
}

RC_GTEST_PROP(LoadingMutants, BeingCutOff, ()) {
  const std::string text = GoodFile();
  CheckLoading(text.substr(0, AnyPlace(text)));
}

RC_GTEST_PROP(LoadingMutants, BeingNoise, (const std::string& noise)) { CheckLoading(noise); }

}  // namespace
}  // namespace kafkasim::scenarios
