// SPDX-License-Identifier: Apache-2.0

// A program at a terminal, as a person would use it.
//
//   Terminal terminal("/bin/bash", {"--norc", "-i"});
//   terminal.Type("echo a\t\r");
//   terminal.WaitFor("a");
//   terminal.shown()         // all that was written to the terminal
//
// Some containers have no terminals: tests are skipped where !IsThere().
#ifndef ORBOX_TESTS_SUPPORT_TERMINAL_H_
#define ORBOX_TESTS_SUPPORT_TERMINAL_H_

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {

class Terminal {
 public:
  // Returns true if this machine gives terminals away.
  static bool IsThere() {
    int there = -1;
    int here = -1;
    if (openpty(&there, &here, nullptr, nullptr, nullptr) != 0) return false;
    close(there);
    close(here);
    return true;
  }
  static constexpr const char* kMissing =
      "no pseudo-terminals here: mount devpts at /dev/pts";

  Terminal(const std::string& program, std::vector<std::string> arguments) {
    // Prepared before the fork: a child of a program with threads may do
    // little.
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    winsize size{};
    size.ws_row = 50;
    size.ws_col = 200;
    child_ = forkpty(&descriptor_, nullptr, nullptr, &size);
    if (child_ == 0) {
      execv(program.c_str(), argv.data());
      _exit(127);
    }
    EXPECT_GT(child_, 0);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (child_ <= 0) return;
    close(descriptor_);
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  void Type(std::string_view keys) const {
    EXPECT_EQ(write(descriptor_, keys.data(), keys.size()),
              static_cast<ssize_t>(keys.size()));
  }

  // Waits until `text` is shown. Fails the test if it is not shown within the
  // time that a busy machine may need. Text up to there is not searched again.
  void WaitFor(std::string_view text) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::minutes(10);
    for (;;) {
      const size_t found = shown_.find(text, seen_);
      if (found != std::string::npos) {
        seen_ = found + text.size();
        return;
      }
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << shown_;
      if (!ReadSome(100)) FAIL() << "ended: " << shown_;
    }
  }

  // Reads until the program has ended.
  void WaitForEnd() {
    while (ReadSome(60'000)) {
    }
  }

  const std::string& shown() const { return shown_; }

 private:
  // False once there is nothing more to come.
  bool ReadSome(int milliseconds) {
    if (child_ <= 0) return false;
    pollfd wait{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, milliseconds) <= 0) return true;
    std::array<char, 4096> bytes;
    const ssize_t count = read(descriptor_, bytes.data(), bytes.size());
    if (count <= 0) return false;
    shown_.append(bytes.data(), count);
    return true;
  }

  pid_t child_ = -1;
  int descriptor_ = -1;
  std::string shown_;
  size_t seen_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_TERMINAL_H_
