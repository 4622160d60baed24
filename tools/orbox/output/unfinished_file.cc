// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/unfinished_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tools/orbox/base/progress.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP};

// Number of files that may be unfinished at a time. Their names are in an
// array, because a signal handler may not allocate. A command writes its files
// one after the other.
constexpr int kSlots = 8;

struct NameSlot {
  std::atomic<bool> is_used = false;
  std::atomic<bool> filled = false;  // set while the handler may read the name
  std::array<char, PATH_MAX> name = {};
};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler reads them");

std::array<NameSlot, kSlots> slots;
pthread_t file_thread;

// Stores a name. Returns its index, or -1 if no slot is free.
int Remember(const std::string& name) {
  if (name.size() >= PATH_MAX) return -1;
  for (int i = 0; i < kSlots; ++i) {
    if (slots[i].is_used.exchange(true)) continue;
    std::memcpy(slots[i].name.data(), name.c_str(), name.size() + 1);
    slots[i].filled = true;
    return i;
  }
  return -1;
}

void Forget(int slot) {
  if (slot < 0) return;
  slots[slot].filled = false;
  slots[slot].is_used = false;
}

// Calls only functions that POSIX allows in a handler.
extern "C" void RemoveAndEnd(int signal) {
  // Only one thread creates and removes files. If this is another thread,
  // passes the signal on to that one, which does neither while it handles a
  // signal.
  if (pthread_equal(pthread_self(), file_thread) == 0) {
    const int error = errno;
    pthread_kill(file_thread, signal);
    errno = error;
    return;
  }
  for (const NameSlot& slot : slots) {
    if (slot.filled) unlink(slot.name.data());
  }
  EraseProgressAtSignal();
  // The signal is blocked in the handler. It is delivered when the handler
  // returns.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// Blocks signals while a file is created and registered.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kEndingSignals) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

absl::Status CannotWrite(std::string_view what, const std::string& path) {
  return absl::UnavailableError(
      Cat("cannot ", what, " ", path, ": ", std::strerror(errno)));
}

// Returns the permissions of a new file: those of the file that it replaces, or
// the default with the user's mask.
mode_t ModeFor(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0) return info.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Makes a rename durable by syncing its folder. Ignores errors, because some
// file systems do not support this and the contents are safe.
void SyncFolderOf(const std::string& path) {
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(),
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

std::filesystem::path WrittenPath(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as Linux has it
  std::error_code error;
  fs::path target = fs::absolute(path, error);
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, error); ++i) {
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  const fs::path whole = fs::weakly_canonical(target, error);
  return error ? fs::path(path) : whole;
}

absl::StatusOr<UnfinishedFile> UnfinishedFile::Create(const std::string& path) {
  UnfinishedFile file;
  file.path_ = path;
  file.target_ = WrittenPath(path).string();
  std::string temporary = file.target_ + ".XXXXXX";
  {
    const SignalsHeldBack held;
    file.descriptor_ = mkostemp(temporary.data(), O_CLOEXEC);
    if (file.descriptor_ < 0) return CannotWrite("write", path);
    file.temporary_ = std::move(temporary);
    file.slot_ = Remember(file.temporary_);
  }
  if (fchmod(file.descriptor_, ModeFor(file.target_)) != 0) {
    return CannotWrite("set the permissions of", path);
  }
  return file;
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
  Forget(slot_);
}

absl::Status UnfinishedFile::Finish() {
  if (fsync(descriptor_) != 0) return CannotWrite("write", path_);
  if (close(std::exchange(descriptor_, -1)) != 0) {
    return CannotWrite("write", path_);
  }
  if (rename(temporary_.c_str(), target_.c_str()) != 0) {
    return CannotWrite("rename the finished file to", path_);
  }
  temporary_.clear();
  Forget(std::exchange(slot_, -1));
  SyncFolderOf(target_);
  return absl::OkStatus();
}

void RemoveUnfinishedFilesAtSignals() {
  file_thread = pthread_self();
  struct sigaction action = {};
  action.sa_handler = RemoveAndEnd;
  sigemptyset(&action.sa_mask);
  // Blocks the other signals during the handler, because the process ends
  // anyway.
  for (const int signal : kEndingSignals) sigaddset(&action.sa_mask, signal);
  action.sa_flags = SA_RESTART;
  for (const int signal : kEndingSignals) {
    struct sigaction before;
    if (sigaction(signal, nullptr, &before) == 0 &&
        before.sa_handler == SIG_IGN) {
      continue;
    }
    sigaction(signal, &action, nullptr);
  }
}

void EndBySignal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
  // Exit code that shells use for a process ended by a signal.
  _exit(128 + signal);
}

}  // namespace orbox::cli
