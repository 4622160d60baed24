// SPDX-License-Identifier: Apache-2.0

// Calls of the operating system. Only os_posix.cc and os_windows.cc differ
// between systems; everything else is standard C++. Private.
//
//   Descriptor file(os::Open(path, os::Access::kRead));
//   if (file.get() < 0) return CannotRead(path, errno);
//
// Paths are UTF-8 on every system. A function that fails returns -1, false, a
// null pointer or nothing, with the reason in errno. A signal that interrupts a
// call, and a transfer of fewer bytes than asked for, are not failures. All
// functions may be called from any thread.
#ifndef ORBOX_BVH_BASE_INTERNAL_OS_H_
#define ORBOX_BVH_BASE_INTERNAL_OS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/overlap/base/export.h"

namespace orbox::os {

// Paths.

ORBOX_EXPORT std::filesystem::path PathOf(std::string_view utf8);
ORBOX_EXPORT std::string Utf8Of(const std::filesystem::path& path);
// Returns the file that is written if a path is written: absolute, through
// symbolic links, even if the last one points to a file that is not there yet.
ORBOX_EXPORT std::string FollowLinks(const std::string& path);
// Returns the folder that a path names; empty if it names none.
ORBOX_EXPORT std::string FolderOf(const std::string& path);
// Returns a name next to `path` that no other call in this or another running
// process returns.
ORBOX_EXPORT std::string NameBeside(std::string_view path,
                                    std::string_view ending);

// Open files.

inline constexpr int kStandardInput = 0;
inline constexpr int kStandardOutput = 1;
inline constexpr int kStandardError = 2;

enum class Access {
  kRead,
  kReadWithoutWaiting,  // does not wait for the writer of a pipe
  kWrite,
  kReadWrite,
  kCreate,        // for reading and writing; fails if there is such a file
  kCreateForNow,  // like kCreate, but the file is deleted when it is closed
};

// Permissions of a new file and a new folder; the user's mask narrows them.
inline constexpr int kUsualPermissions = 0666;

// Returns a descriptor. A child process does not inherit it.
ORBOX_EXPORT int Open(const std::string& path, Access access,
                      int permissions = kUsualPermissions);
// Creates a file next to `path` for reading and writing, and sets its name.
ORBOX_EXPORT int CreateBeside(const std::string& path, int permissions,
                              std::string& name);
// Returns a second descriptor of the same file.
ORBOX_EXPORT int Duplicate(int descriptor);
ORBOX_EXPORT bool Close(int descriptor);
// Returns the number of bytes that were read, at least one; 0 at the end.
ORBOX_EXPORT ptrdiff_t Read(int descriptor, std::span<char> bytes);
ORBOX_EXPORT ptrdiff_t ReadAt(int descriptor, uint64_t offset,
                              std::span<std::byte> bytes);
ORBOX_EXPORT bool Write(int descriptor, std::string_view bytes);
ORBOX_EXPORT bool WriteAt(int descriptor, uint64_t offset,
                          std::span<const std::byte> bytes);
// Waits until the contents are on the disk.
ORBOX_EXPORT bool Sync(int descriptor);
ORBOX_EXPORT bool IsTerminal(int descriptor);

// Discards what is written to the descriptor from this call on.
ORBOX_EXPORT void Silence(int descriptor);

// Facts about files.

struct FileFacts {
  bool is_regular = false;
  bool is_folder = false;
  uint64_t size = 0;
  int permissions = 0;
  // Equal for two names of one file.
  std::array<uint64_t, 2> identity = {};
};
ORBOX_EXPORT std::optional<FileFacts> FactsOf(const std::string& path);
ORBOX_EXPORT std::optional<FileFacts> FactsOf(int descriptor);
ORBOX_EXPORT bool IsReadable(const std::string& path);

// Changes of folders.

ORBOX_EXPORT bool SetPermissions(int descriptor, int permissions);
ORBOX_EXPORT bool MakeFolder(const std::string& path);
// Replaces a file of the new name, at once. The files are in one folder.
ORBOX_EXPORT bool Rename(const std::string& from, const std::string& to);
// Exchanges the names of two folders at once. Fails on most systems.
ORBOX_EXPORT bool Exchange(const std::string& a, const std::string& b);
// A signal handler may call this and Write.
ORBOX_EXPORT bool Remove(const char* path);
// Makes a rename durable. Ignores failures, because some systems cannot do
// this, and the contents are safe.
ORBOX_EXPORT void SyncFolder(const std::string& path);

// Memory.

// Maps a file for reading. With `load`, advises the system that all of it will
// be read soon. Requires a nonempty file.
ORBOX_EXPORT const std::byte* Map(int descriptor, size_t size, bool load);
ORBOX_EXPORT void Unmap(const std::byte* bytes, size_t size);
// Releases the pages of a mapped file. Otherwise they remain in memory until
// memory runs low. The contents stay as they are.
ORBOX_EXPORT void ReleasePages(std::string_view mapped);
// Advises the system to use pages of this size for the memory.
inline constexpr size_t kLargePage = size_t{1} << 21;
ORBOX_EXPORT void UseLargePages(void* pages, size_t size);

// The process of a command.

ORBOX_EXPORT int ProcessId();
// Returns the arguments of main, without the name of the program.
ORBOX_EXPORT std::vector<std::string> ArgumentsOf(int argc, char** argv);
// Opens those of the standard descriptors that are closed, such that using them
// is an error. Otherwise the next file that is opened would get such a number.
// Also makes a missing reader of standard output a failure of Write, EPIPE.
ORBOX_EXPORT void PrepareProcess();
// Ends the process by a signal, even if it is ignored or handled, so that the
// parent process sees it.
[[noreturn]] ORBOX_EXPORT void EndBySignal(int signal);
// The signal that ends a process whose reader is gone.
inline constexpr int kReaderGoneSignal = 13;

// Calls `clean` when SIGINT, SIGTERM, SIGHUP or an event of the console ends
// the process, and then lets it end by the same. `clean` may only call Remove
// and Write. Ignored signals remain ignored, so that nohup works. Call it once,
// from the thread that creates the files.
ORBOX_EXPORT void CleanBeforeEnd(void (*clean)());
// During its life, the process does not end so. Only one exists at a time.
class ORBOX_EXPORT EndHeldBack {
 public:
  EndHeldBack();
  EndHeldBack(const EndHeldBack&) = delete;
  EndHeldBack& operator=(const EndHeldBack&) = delete;
  ~EndHeldBack();
};

// Lets work end at a place where it can clean up.
//
//   const EndRequest request;
//   auto tree = BuildChunked(files, path, {.cancelled = &request.flag()});
//   request.EndIfRequested();
//
// During its life, what CleanBeforeEnd names sets the flag instead. Only one
// exists at a time.
class ORBOX_EXPORT EndRequest {
 public:
  EndRequest();
  EndRequest(const EndRequest&) = delete;
  EndRequest& operator=(const EndRequest&) = delete;
  ~EndRequest();

  const std::atomic<bool>& flag() const;
  void EndIfRequested() const;
};

}  // namespace orbox::os

#endif  // ORBOX_BVH_BASE_INTERNAL_OS_H_
