// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "orbox/bvh/base/internal/os.h"

namespace orbox::os {
namespace {

// Repeats a system call while signals interrupt it.
template <typename Call>
auto Retrying(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

int FlagsOf(Access access) {
  switch (access) {
    case Access::kRead:
      return O_RDONLY;
    case Access::kReadWithoutWaiting:
      return O_RDONLY | O_NONBLOCK;
    case Access::kWrite:
      return O_WRONLY;
    case Access::kReadWrite:
      return O_RDWR;
    case Access::kCreate:
    case Access::kCreateForNow:
      return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

std::optional<FileFacts> FactsIn(const struct stat& info) {
  constexpr mode_t kPermissions = 07777;
  return FileFacts{.is_regular = S_ISREG(info.st_mode),
                   .is_folder = S_ISDIR(info.st_mode),
                   .size = static_cast<uint64_t>(info.st_size),
                   .permissions = static_cast<int>(info.st_mode & kPermissions),
                   .identity = {info.st_dev, info.st_ino}};
}

}  // namespace

std::filesystem::path PathOf(std::string_view utf8) { return utf8; }

std::string Utf8Of(const std::filesystem::path& path) { return path.string(); }

int Open(const std::string& path, Access access, int permissions) {
  const int descriptor = Retrying([&] {
    return open(path.c_str(), FlagsOf(access) | O_CLOEXEC, permissions);
  });
  if (descriptor >= 0 && access == Access::kCreateForNow) unlink(path.c_str());
  return descriptor;
}

int Duplicate(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, /*at least*/ 3);
}

bool Close(int descriptor) { return close(descriptor) == 0; }

ptrdiff_t Read(int descriptor, std::span<char> bytes) {
  return Retrying([&] { return read(descriptor, bytes.data(), bytes.size()); });
}

ptrdiff_t ReadAt(int descriptor, uint64_t offset, std::span<std::byte> bytes) {
  return Retrying([&] {
    return pread(descriptor, bytes.data(), bytes.size(),
                 static_cast<off_t>(offset));
  });
}

bool Write(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        Retrying([&] { return write(descriptor, bytes.data(), bytes.size()); });
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool WriteAt(int descriptor, uint64_t offset,
             std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = Retrying([&] {
      return pwrite(descriptor, bytes.data(), bytes.size(),
                    static_cast<off_t>(offset));
    });
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
  return true;
}

bool Sync(int descriptor) {
  return Retrying([&] { return fsync(descriptor); }) == 0;
}

bool IsTerminal(int descriptor) { return isatty(descriptor) != 0; }

void Silence(int descriptor) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, descriptor);
  close(nowhere);
}

std::optional<FileFacts> FactsOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return FactsIn(info);
}

std::optional<FileFacts> FactsOf(int descriptor) {
  struct stat info {};
  if (fstat(descriptor, &info) != 0) return std::nullopt;
  return FactsIn(info);
}

bool IsReadable(const std::string& path) {
  return access(path.c_str(), R_OK) == 0;
}

bool SetPermissions(int descriptor, int permissions) {
  return fchmod(descriptor, static_cast<mode_t>(permissions)) == 0;
}

bool MakeFolder(const std::string& path) {
  constexpr mode_t kPermissions = 0777;  // narrowed by the user's mask
  return mkdir(path.c_str(), kPermissions) == 0;
}

bool Rename(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool Exchange([[maybe_unused]] const std::string& a,
              [[maybe_unused]] const std::string& b) {
#if defined(__linux__) && defined(RENAME_EXCHANGE)
  return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) ==
         0;
#else
  errno = ENOSYS;
  return false;
#endif
}

bool Remove(const char* path) { return unlink(path) == 0; }

void SyncFolder(const std::string& path) {
  const int folder = Retrying([&] {
    return open(path.empty() ? "." : path.c_str(),
                O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  });
  if (folder < 0) return;
  Sync(folder);
  close(folder);
}

const std::byte* Map(int descriptor, size_t size, bool load) {
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor,
                            /*offset=*/0);
  if (memory == MAP_FAILED) return nullptr;
  // This reads the pages from the disk, but does not map them. Threads map
  // pages when they access them, several at a time.
  if (load) posix_madvise(memory, size, POSIX_MADV_WILLNEED);
  return static_cast<const std::byte*>(memory);
}

void Unmap(const std::byte* bytes, size_t size) {
  munmap(const_cast<std::byte*>(bytes), size);
}

void ReleasePages([[maybe_unused]] std::string_view mapped) {
#ifdef __linux__
  madvise(const_cast<char*>(mapped.data()), mapped.size(), MADV_DONTNEED);
#endif
}

void UseLargePages([[maybe_unused]] void* pages, [[maybe_unused]] size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  madvise(pages, size, MADV_HUGEPAGE);
#endif
}

int ProcessId() { return getpid(); }

std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  return {argv + (argc > 0), argv + argc};
}

void PrepareProcess() {
  for (int descriptor = kStandardInput; descriptor <= kStandardError;
       ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int mode = descriptor == kStandardInput ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != descriptor) break;
  }
  std::signal(SIGPIPE, SIG_IGN);
}

static_assert(kReaderGoneSignal == SIGPIPE);

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

namespace {

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP};

pthread_t file_thread;
void (*clean_before_end)() = nullptr;

sigset_t EndingSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kEndingSignals) sigaddset(&set, signal);
  return set;
}

// Calls only functions that POSIX allows in a handler.
extern "C" void CleanAndEnd(int signal) {
  // Only one thread creates and removes files. If this is another thread,
  // passes the signal on to that one, which does neither while it handles a
  // signal.
  if (pthread_equal(pthread_self(), file_thread) == 0) {
    const int error = errno;
    pthread_kill(file_thread, signal);
    errno = error;
    return;
  }
  clean_before_end();
  // The signal is blocked in the handler. It is delivered when the handler
  // returns.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

thread_local sigset_t signals_before;

using Actions = std::array<struct sigaction, kEndingSignals.size()>;

// Handles the signals that are not ignored. Returns how they were handled.
Actions HandleEndingSignals(void (*handler)(int)) {
  Actions before = {};
  struct sigaction action = {};
  action.sa_handler = handler;
  // Blocks the other signals during the handler, because the process ends
  // anyway.
  action.sa_mask = EndingSignals();
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kEndingSignals.size(); ++i) {
    sigaction(kEndingSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler == SIG_IGN) continue;
    sigaction(kEndingSignals[i], &action, nullptr);
  }
  return before;
}

std::atomic<bool> is_requested = false;
std::atomic<int> requested_by = 0;
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler writes it");
Actions before_request;

extern "C" void RememberSignal(int signal) {
  requested_by = signal;
  is_requested = true;
}

}  // namespace

void CleanBeforeEnd(void (*clean)()) {
  file_thread = pthread_self();
  clean_before_end = clean;
  HandleEndingSignals(CleanAndEnd);
}

EndHeldBack::EndHeldBack() {
  const sigset_t held = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &held, &signals_before);
}

EndHeldBack::~EndHeldBack() {
  pthread_sigmask(SIG_SETMASK, &signals_before, nullptr);
}

EndRequest::EndRequest() {
  is_requested = false;
  before_request = HandleEndingSignals(RememberSignal);
}

EndRequest::~EndRequest() {
  for (size_t i = 0; i < kEndingSignals.size(); ++i) {
    sigaction(kEndingSignals[i], &before_request[i], nullptr);
  }
}

const std::atomic<bool>& EndRequest::flag() const { return is_requested; }

void EndRequest::EndIfRequested() const {
  if (is_requested) EndBySignal(requested_by);
}

}  // namespace orbox::os
