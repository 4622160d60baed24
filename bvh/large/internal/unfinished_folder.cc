// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/unfinished_folder.h"

#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/os.h"

namespace orbox {
namespace {

// "scan.orboxd/" and "scan.orboxd" are one path.
std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// Exchanges the new folder and the old one. Returns false, with errno, on
// failure.
bool Exchange(const std::string& fresh, const std::string& old) {
  if (os::Exchange(fresh, old)) return true;
  const std::string aside = os::NameBeside(old, ".old");
  if (!os::Rename(old, aside)) return false;
  if (!os::Rename(fresh, old)) {
    const int error = errno;
    os::Rename(aside, old);
    errno = error;
    return false;
  }
  return os::Rename(aside, fresh);
}

}  // namespace

absl::StatusOr<UnfinishedFolder> UnfinishedFolder::Create(
    const std::string& path,
    absl::FunctionRef<bool(const std::string& path)> may_replace) {
  UnfinishedFolder folder;
  folder.target_ = WithoutSlashes(path);
  if (os::FactsOf(folder.target_).has_value() && !may_replace(folder.target_)) {
    return absl::InvalidArgumentError(absl::StrCat(
        folder.target_,
        ": is there already and no chunked tree; remove it, or give another "
        "name"));
  }
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::string name = os::NameBeside(folder.target_, ".unfinished");
    if (os::MakeFolder(name)) {
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
      std::filesystem::remove_all(os::PathOf(temporary_), error);
      if (!error) return;
    } catch (const std::bad_alloc&) {
    }
  }
}

absl::Status UnfinishedFolder::Finish() {
  os::SyncFolder(temporary_);
  const bool replaces = os::FactsOf(target_).has_value();
  if (replaces ? !Exchange(temporary_, target_)
               : !os::Rename(temporary_, target_)) {
    return CannotWrite(target_, errno);
  }
  // The replaced folder has the temporary name.
  if (!replaces) temporary_.clear();
  os::SyncFolder(os::FolderOf(target_));
  return absl::OkStatus();
}

}  // namespace orbox
