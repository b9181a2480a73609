#include "tests/cli/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <gtest/gtest.h>
#include <pty.h>

namespace kafkasim::cli {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe MakePipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  return {ends[0], ends[1]};
}

Pipe MakeTerminal() {
  Pipe ends;
  winsize size{};
  size.ws_col = 100;
  size.ws_row = 40;
  EXPECT_EQ(openpty(&ends.read, &ends.write, nullptr, nullptr, &size), 0);
  fcntl(ends.read, F_SETFD, FD_CLOEXEC);
  return ends;
}

// Everything until the other side is closed (a terminal then gives an error).
std::string ReadAll(int file) {
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t n = 0; (n = read(file, block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(n));
  }
  close(file);
  return text;
}

// Is there until the tests of this process end.
struct TemporaryFolder {
  std::filesystem::path path = ::testing::TempDir() + "kafkasim_cli_" + std::to_string(getpid());

  TemporaryFolder() { std::filesystem::create_directories(path); }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

[[noreturn]] void Become(const ProgramRun& run, int in, int out, int err) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  signal(SIGPIPE, SIG_DFL);
  std::vector<std::string> words{KAFKASIM_PROGRAM};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : run.environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> envp;
  for (std::string& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);
  execve(KAFKASIM_PROGRAM, argv.data(), envp.data());
  _exit(127);
}

}  // namespace

ProgramResult RunProgram(const ProgramRun& run) {
  // Files for what could fill a pipe that nobody empties.
  const int in = open(TemporaryFile("stdin", run.input).c_str(), O_RDONLY | O_CLOEXEC);
  const int err = open(TemporaryFile("stderr", "").c_str(), O_RDWR | O_CLOEXEC);
  const Pipe out = run.terminal ? MakeTerminal() : MakePipe();
  const pid_t child = fork();
  if (child == 0) Become(run, in, out.write, err);
  close(in);
  close(out.write);
  ProgramResult result;
  if (run.closed_pipe) {
    close(out.read);
  } else {
    result.out = ReadAll(out.read);
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  lseek(err, 0, SEEK_SET);
  result.err = ReadAll(err);
  return result;
}

ProgramResult RunProgram(std::vector<std::string> arguments) {
  ProgramRun run;
  run.arguments = std::move(arguments);
  return RunProgram(run);
}

std::string TemporaryPath(const std::string& name) {
  static const TemporaryFolder folder;
  return folder.path / name;
}

std::string TemporaryFile(const std::string& name, const std::string& text) {
  const std::string path = TemporaryPath(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace kafkasim::cli
