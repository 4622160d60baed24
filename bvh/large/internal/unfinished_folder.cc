// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/unfinished_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/open_file.h"

namespace orbox {
namespace {

// "scan.orboxd/" and "scan.orboxd" are one path.
std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// Returns an unused name next to the path. Only a former process with this id
// can have used it.
std::string NameBeside(const std::string& path, const char* ending) {
  static std::atomic<unsigned> counter{0};
  return absl::StrCat(path, ".", getpid(), "-", counter++, ending);
}

void SyncFolder(const std::string& path) {
  const Descriptor folder(
      OpenRetrying(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY));
  if (folder.get() >= 0) fsync(folder.get());
}

// Exchanges the new folder and the old one. Returns false, with errno, on
// failure.
bool Exchange(const std::string& fresh, const std::string& old) {
#if defined(__linux__) && defined(RENAME_EXCHANGE)
  if (renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, old.c_str(),
                RENAME_EXCHANGE) == 0) {
    return true;
  }
#endif
  const std::string aside = NameBeside(old, ".old");
  if (std::rename(old.c_str(), aside.c_str()) != 0) return false;
  if (std::rename(fresh.c_str(), old.c_str()) != 0) {
    const int error = errno;
    std::rename(aside.c_str(), old.c_str());
    errno = error;
    return false;
  }
  return std::rename(aside.c_str(), fresh.c_str()) == 0;
}

}  // namespace

absl::StatusOr<UnfinishedFolder> UnfinishedFolder::Create(
    const std::string& path,
    absl::FunctionRef<bool(const std::string& path)> may_replace) {
  UnfinishedFolder folder;
  folder.target_ = WithoutSlashes(path);
  struct stat info {};
  if (stat(folder.target_.c_str(), &info) == 0 &&
      !may_replace(folder.target_)) {
    return absl::InvalidArgumentError(absl::StrCat(
        folder.target_,
        ": is there already and no chunked tree; remove it, or give another "
        "name"));
  }
  constexpr mode_t kModeOfFolder = 0777;  // narrowed by the umask
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::string name = NameBeside(folder.target_, ".unfinished");
    if (mkdir(name.c_str(), kModeOfFolder) == 0) {
      // Allocates nothing: from here on, the folder has to be removed on
      // failure.
      folder.temporary_ = std::move(name);
      return folder;
    }
    if (errno != EEXIST) break;
  }
  return CannotWrite(path, errno);
}

UnfinishedFolder::UnfinishedFolder(UnfinishedFolder&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {}

UnfinishedFolder::~UnfinishedFolder() {
  if (temporary_.empty()) return;
  // Tries again if memory ran out during the removal.
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      std::error_code error;
      std::filesystem::remove_all(temporary_, error);
      if (!error) return;
    } catch (const std::bad_alloc&) {
    }
  }
}

absl::Status UnfinishedFolder::Finish() {
  SyncFolder(temporary_);
  struct stat info {};
  const bool replaces = stat(target_.c_str(), &info) == 0;
  if (replaces ? !Exchange(temporary_, target_)
               : std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    return CannotWrite(target_, errno);
  }
  // The replaced folder has the temporary name.
  if (!replaces) temporary_.clear();
  SyncFolder(std::filesystem::path(target_).parent_path().string());
  return absl::OkStatus();
}

}  // namespace orbox
