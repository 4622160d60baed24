// SPDX-License-Identifier: Apache-2.0

// Files are whole or not there, also where a signal ends the command.
#include "tools/orbox/output/unfinished_file.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/base/internal/os.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class SignalTest : public OrboxCommandTest {
 protected:
  // Waits until the command has begun to write into a folder that has `files`
  // other files, for as long as a busy machine may need.
  void AwaitUnfinishedFile(size_t files = 1) const {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (folder_.Names().size() <= files) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  const std::string cube_ = File("cube.ply", meshes::Cube());
  // Measures for hours, with its output begun.
  const Words long_ = {"explain", "nearest", cube_,
                       "--point", "0,0,9",   "--seconds",
                       "36000",   "-o",      folder_.Path("out")};
};

TEST_F(SignalTest, UnfinishedFilesAreRemovedAndTheSignalIsSeen) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    Process process(ORBOX_COMMAND, long_);
    AwaitUnfinishedFile();
    kill(process.id(), signal);
    const ProcessResult result = process.Wait();
    EXPECT_EQ(result.signal, signal);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(folder_.Names(), ElementsAre("cube.ply"));
  }
}

TEST_F(SignalTest, TheFileThatWasThereStays) {
  folder_.Write("out", "old");
  Process process(ORBOX_COMMAND, long_);
  AwaitUnfinishedFile(2);
  kill(process.id(), SIGTERM);
  EXPECT_EQ(process.Wait().signal, SIGTERM);
  EXPECT_THAT(folder_.Names(), UnorderedElementsAre("cube.ply", "out"));
  EXPECT_EQ(ScratchDirectory::Read(folder_.Path("out")), "old");
}

// Starts the command with SIGHUP ignored, like nohup.
TEST_F(SignalTest, WhatIsIgnoredStaysIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  Process process(ORBOX_COMMAND, long_);
  std::signal(SIGHUP, before);
  AwaitUnfinishedFile();
  // The pending signal with the lower number, SIGHUP, comes first.
  kill(process.id(), SIGHUP);
  kill(process.id(), SIGTERM);
  EXPECT_EQ(process.Wait().signal, SIGTERM);
  EXPECT_THAT(folder_.Names(), ElementsAre("cube.ply"));
}

// Exit status of a child process that calls `run`, which must end the process.
template <typename Run>
int StatusOfChild(Run run) {
  const pid_t child = fork();
  if (child == 0) {
    run();
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(UnfinishedFileTest, WhicheverThreadASignalMeets) {
  const ScratchDirectory folder;
  const int status = StatusOfChild([&folder] {
    RemoveUnfinishedFilesAtEnd();
    const auto one = UnfinishedFile::Create(folder.Path("one"));
    const auto two = UnfinishedFile::Create(folder.Path("two"));
    if (folder.Names().size() != 2) _exit(98);
    std::thread other([] { pthread_kill(pthread_self(), SIGTERM); });
    for (;;) pause();
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(UnfinishedFileTest, WhatIsFinishedStays) {
  const ScratchDirectory folder;
  const int status = StatusOfChild([&folder] {
    RemoveUnfinishedFilesAtEnd();
    // More than are remembered at a time.
    for (int i = 0; i < 20; ++i) {
      auto file = UnfinishedFile::Create(folder.Path("out"));
      if (!file.ok() || !file->Finish().ok()) _exit(98);
    }
    const auto file = UnfinishedFile::Create(folder.Path("other"));
    raise(SIGINT);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  EXPECT_THAT(folder.Names(), ElementsAre("out"));
}

TEST(UnfinishedFileTest, EndsBySignalsThatAreIgnoredOrBlocked) {
  const int status = StatusOfChild([] {
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    os::EndBySignal(SIGPIPE);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGPIPE);
}

}  // namespace
}  // namespace orbox::cli
