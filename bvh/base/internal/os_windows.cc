// SPDX-License-Identifier: Apache-2.0

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
// The others need it.
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <shellapi.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "orbox/bvh/base/internal/os.h"

namespace orbox::os {
namespace {

// Sets errno to the reason of the last failure.
void SetReason() {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
      errno = ENOENT;
      return;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
      errno = EACCES;
      return;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      return;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      return;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      errno = ENOMEM;
      return;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      errno = EPIPE;
      return;
    case ERROR_INVALID_HANDLE:
      errno = EBADF;
      return;
    default:
      errno = EIO;
  }
}

HANDLE HandleOf(int descriptor) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
}

std::wstring Wide(std::string_view utf8) { return PathOf(utf8).wstring(); }

// The largest transfer of one call.
template <typename Bytes>
DWORD MostOf(Bytes bytes) {
  constexpr size_t kMost = size_t{1} << 30;
  return static_cast<DWORD>(std::min(bytes.size(), kMost));
}

OVERLAPPED PlaceOf(uint64_t offset) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

std::optional<FileFacts> FactsIn(HANDLE file) {
  if (file == INVALID_HANDLE_VALUE) {
    SetReason();
    return std::nullopt;
  }
  if (GetFileType(file) != FILE_TYPE_DISK) return FileFacts{};
  BY_HANDLE_FILE_INFORMATION info = {};
  if (GetFileInformationByHandle(file, &info) == 0) {
    SetReason();
    return std::nullopt;
  }
  const auto joined = [](DWORD high, DWORD low) {
    return uint64_t{high} << 32 | low;
  };
  FileFacts facts;
  facts.is_folder = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  facts.is_regular = !facts.is_folder;
  facts.size = joined(info.nFileSizeHigh, info.nFileSizeLow);
  facts.permissions = kUsualPermissions;
  facts.identity = {info.dwVolumeSerialNumber,
                    joined(info.nFileIndexHigh, info.nFileIndexLow)};
  return facts;
}

}  // namespace

std::filesystem::path PathOf(std::string_view utf8) {
  return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
}

std::string Utf8Of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return std::string(text.begin(), text.end());
}

int Open(const std::string& path, Access access, int /*permissions*/) {
  const bool reads = access != Access::kWrite;
  const bool writes =
      access != Access::kRead && access != Access::kReadWithoutWaiting;
  const bool creates =
      access == Access::kCreate || access == Access::kCreateForNow;
  const DWORD wanted =
      (reads ? GENERIC_READ : 0) | (writes ? GENERIC_WRITE : 0);
  const DWORD flags = access == Access::kCreateForNow
                          ? FILE_FLAG_DELETE_ON_CLOSE
                          : FILE_ATTRIBUTE_NORMAL;
  // As on other systems, an open file may be renamed and removed.
  constexpr DWORD kShared =
      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE const file = CreateFileW(Wide(path).c_str(), wanted, kShared, nullptr,
                                  creates ? CREATE_NEW : OPEN_EXISTING, flags,
                                  /*hTemplateFile=*/nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    SetReason();
    if (errno == EACCES) {
      const auto facts = FactsOf(path);
      errno = facts.has_value() && facts->is_folder ? EISDIR : EACCES;
    }
    return -1;
  }
  const int mode = _O_BINARY | _O_NOINHERIT | (writes ? 0 : _O_RDONLY);
  const int descriptor =
      _open_osfhandle(reinterpret_cast<intptr_t>(file), mode);
  if (descriptor < 0) CloseHandle(file);
  return descriptor;
}

int Duplicate(int descriptor) { return _dup(descriptor); }

bool Close(int descriptor) { return _close(descriptor) == 0; }

ptrdiff_t Read(int descriptor, std::span<char> bytes) {
  return _read(descriptor, bytes.data(), MostOf(bytes));
}

ptrdiff_t ReadAt(int descriptor, uint64_t offset, std::span<std::byte> bytes) {
  OVERLAPPED place = PlaceOf(offset);
  DWORD count = 0;
  if (ReadFile(HandleOf(descriptor), bytes.data(), MostOf(bytes), &count,
               &place) != 0) {
    return count;
  }
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  SetReason();
  return -1;
}

bool Write(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const int count = _write(descriptor, bytes.data(), MostOf(bytes));
    if (count < 0) {
      // The runtime calls a pipe without a reader an invalid argument.
      if (errno == EINVAL) errno = EPIPE;
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool WriteAt(int descriptor, uint64_t offset,
             std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    OVERLAPPED place = PlaceOf(offset);
    DWORD count = 0;
    if (WriteFile(HandleOf(descriptor), bytes.data(), MostOf(bytes), &count,
                  &place) == 0) {
      SetReason();
      return false;
    }
    bytes = bytes.subspan(count);
    offset += count;
  }
  return true;
}

bool Sync(int descriptor) { return _commit(descriptor) == 0; }

bool IsTerminal(int descriptor) {
  DWORD mode = 0;
  return GetConsoleMode(HandleOf(descriptor), &mode) != 0;
}

void Silence(int descriptor) {
  const int nowhere = _wopen(L"NUL", _O_WRONLY | _O_BINARY | _O_NOINHERIT);
  if (nowhere < 0) return;
  _dup2(nowhere, descriptor);
  _close(nowhere);
}

std::optional<FileFacts> FactsOf(const std::string& path) {
  HANDLE const file =
      CreateFileW(Wide(path).c_str(), /*dwDesiredAccess=*/0,
                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                  nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  const std::optional<FileFacts> facts = FactsIn(file);
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  return facts;
}

std::optional<FileFacts> FactsOf(int descriptor) {
  return FactsIn(HandleOf(descriptor));
}

bool IsReadable(const std::string& path) {
  constexpr int kMayRead = 4;
  return _waccess(Wide(path).c_str(), kMayRead) == 0;
}

bool SetPermissions(int /*descriptor*/, int /*permissions*/) { return true; }

bool MakeFolder(const std::string& path) {
  if (CreateDirectoryW(Wide(path).c_str(), nullptr) != 0) return true;
  SetReason();
  return false;
}

bool Rename(const std::string& from, const std::string& to) {
  if (MoveFileExW(Wide(from).c_str(), Wide(to).c_str(),
                  MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0) {
    return true;
  }
  SetReason();
  return false;
}

bool Exchange(const std::string& /*a*/, const std::string& /*b*/) {
  errno = ENOSYS;
  return false;
}

bool Remove(const char* path) { return _wunlink(Wide(path).c_str()) == 0; }

void SyncFolder(const std::string& /*path*/) {}

const std::byte* Map(int descriptor, size_t /*size*/, bool /*load*/) {
  HANDLE const section = CreateFileMappingW(HandleOf(descriptor), nullptr,
                                            PAGE_READONLY, 0, 0, nullptr);
  const void* bytes = nullptr;
  if (section != nullptr) {
    bytes = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
  }
  if (bytes == nullptr) SetReason();
  // The view keeps the section.
  if (section != nullptr) CloseHandle(section);
  return static_cast<const std::byte*>(bytes);
}

void Unmap(const std::byte* bytes, size_t /*size*/) { UnmapViewOfFile(bytes); }

void ReleasePages(std::string_view /*mapped*/) {}

void UseLargePages(void* /*pages*/, size_t /*size*/) {}

int ProcessId() { return _getpid(); }

std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  // The arguments of main are in another encoding than UTF-8.
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  if (words == nullptr) return {argv + (argc > 0), argv + argc};
  std::vector<std::string> arguments;
  for (int i = 1; i < count; ++i) arguments.push_back(Utf8Of(words[i]));
  LocalFree(words);
  return arguments;
}

void PrepareProcess() {
  for (const int descriptor :
       {kStandardInput, kStandardOutput, kStandardError}) {
    _setmode(descriptor, _O_BINARY);
  }
  SetConsoleOutputCP(CP_UTF8);
  // The line that shows progress erases itself by an escape sequence.
  HANDLE const console = GetStdHandle(STD_ERROR_HANDLE);
  DWORD mode = 0;
  if (GetConsoleMode(console, &mode) != 0) {
    SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

void EndBySignal(int signal) {
  // Exit code that shells use for a process ended by a signal.
  _exit(128 + signal);
}

namespace {

std::mutex files_change;
void (*clean_before_end)() = nullptr;

// Runs in a thread of its own. The system ends the process when it returns.
BOOL WINAPI CleanAndEnd(DWORD /*event*/) {
  files_change.lock();
  clean_before_end();
  return FALSE;
}

std::atomic<bool> is_requested = false;

BOOL WINAPI RememberEvent(DWORD /*event*/) {
  is_requested = true;
  return TRUE;
}

}  // namespace

void CleanBeforeEnd(void (*clean)()) {
  clean_before_end = clean;
  SetConsoleCtrlHandler(CleanAndEnd, TRUE);
}

EndHeldBack::EndHeldBack() { files_change.lock(); }

EndHeldBack::~EndHeldBack() { files_change.unlock(); }

EndRequest::EndRequest() {
  is_requested = false;
  SetConsoleCtrlHandler(RememberEvent, TRUE);
}

EndRequest::~EndRequest() { SetConsoleCtrlHandler(RememberEvent, FALSE); }

const std::atomic<bool>& EndRequest::flag() const { return is_requested; }

void EndRequest::EndIfRequested() const {
  constexpr int kInterrupt = 2;  // SIGINT
  if (is_requested) EndBySignal(kInterrupt);
}

}  // namespace orbox::os
