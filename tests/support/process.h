// Runs a program and says what it wrote and how it ended.
//
//   ProcessResult r = RunProcess("/usr/bin/orbox", {"info", "-"},
//                                {.input = "OFF\n..."});
//   EXPECT_EQ(r.exit_code, 0);
#ifndef ORBOX_TESTS_SUPPORT_PROCESS_H_
#define ORBOX_TESTS_SUPPORT_PROCESS_H_

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/scratch_directory.h"

extern char** environ;

namespace orbox {

struct ProcessResult {
  int exit_code = -1;  // -1 where a signal ended it
  std::string out;
  std::string err;
};

struct ProcessOptions {
  std::string input = {};  // on standard input
  // Where standard output goes instead of ProcessResult::out, as "/dev/full".
  std::string output_path = {};
  bool close_output = false;
};

inline ProcessResult RunProcess(const std::string& program,
                                std::vector<std::string> arguments,
                                const ProcessOptions& options = {}) {
  const ScratchDirectory folder;
  const std::string in = folder.Write("in", options.input);
  const std::string out =
      options.output_path.empty() ? folder.Path("out") : options.output_path;
  const std::string err = folder.Path("err");

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  if (options.close_output) {
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
  pid_t pid = 0;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr,
                                argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + program);

  int status = 0;
  waitpid(pid, &status, 0);
  ProcessResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (options.output_path.empty())
    result.out = ScratchDirectory::Read(folder.Path("out"));
  result.err = ScratchDirectory::Read(err);
  return result;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_PROCESS_H_
