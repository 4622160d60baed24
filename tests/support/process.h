// SPDX-License-Identifier: Apache-2.0

// Runs a program and returns its output and its exit status.
//
//   ProcessResult r = RunProcess("/usr/bin/orbox", {"info", "-"},
//                                {.input = "OFF\n..."});
//   EXPECT_EQ(r.exit_code, 0);
//
//   Process process("/usr/bin/orbox", {"explain", ...});
//   kill(process.id(), SIGTERM);
//   EXPECT_EQ(process.Wait().signal, SIGTERM);
#ifndef ORBOX_TESTS_SUPPORT_PROCESS_H_
#define ORBOX_TESTS_SUPPORT_PROCESS_H_

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scratch_directory.h"

extern char** environ;

namespace orbox {

struct ProcessResult {
  int exit_code = -1;  // -1 where a signal ended it
  int signal = 0;      // that signal
  std::string out;
  std::string err;
};

struct ProcessOptions {
  std::string input = {};  // on standard input
  // File for standard output instead of ProcessResult::out, such as
  // "/dev/full".
  std::string output_path = {};
  bool close_output = false;
  // Standard output is a pipe that nobody reads.
  bool unread_output = false;
};

// A process from its start to its end, which is waited for.
class Process {
 public:
  Process(const std::string& program, std::vector<std::string> arguments,
          const ProcessOptions& options = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (id_ == 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }

  pid_t id() const { return id_; }
  ProcessResult Wait();

 private:
  const ScratchDirectory folder_;
  const bool has_output_;
  pid_t id_ = 0;
};

inline ProcessResult RunProcess(const std::string& program,
                                std::vector<std::string> arguments,
                                const ProcessOptions& options = {}) {
  return Process(program, std::move(arguments), options).Wait();
}

// Implementation.

inline Process::Process(const std::string& program,
                        std::vector<std::string> arguments,
                        const ProcessOptions& options)
    : has_output_(options.output_path.empty() && !options.unread_output) {
  const std::string in = folder_.Write("in", options.input);
  const std::string out =
      options.output_path.empty() ? folder_.Path("out") : options.output_path;
  const std::string err = folder_.Path("err");
  int ends[2] = {-1, -1};
  if (options.unread_output) {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    close(ends[0]);
  }

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  if (options.unread_output) {
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  } else if (options.close_output) {
    posix_spawn_file_actions_addclose(&actions, 1);
  } else {
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(),
                                     O_WRONLY | O_CREAT, 0600);
  }
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT,
                                   0600);
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int error = posix_spawn(&id_, program.c_str(), &actions, nullptr,
                                argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (options.unread_output) close(ends[1]);
  if (error != 0) {
    id_ = 0;
    throw std::runtime_error("cannot start " + program);
  }
}

inline ProcessResult Process::Wait() {
  int status = 0;
  waitpid(std::exchange(id_, 0), &status, 0);
  ProcessResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (has_output_) result.out = ScratchDirectory::Read(folder_.Path("out"));
  result.err = ScratchDirectory::Read(folder_.Path("err"));
  return result;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_PROCESS_H_
