// SPDX-License-Identifier: Apache-2.0

// The functions of os.h that are the same on all systems.

#include "orbox/bvh/base/internal/os.h"

#include <atomic>
#include <cerrno>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace orbox::os {

std::string FollowLinks(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as Linux has it
  std::error_code error;
  fs::path target = fs::absolute(PathOf(path), error);
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, error); ++i) {
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  const fs::path whole = fs::weakly_canonical(target, error);
  return error ? path : Utf8Of(whole);
}

std::string FolderOf(const std::string& path) {
  return Utf8Of(PathOf(path).parent_path());
}

std::string NameBeside(std::string_view path, std::string_view ending) {
  static std::atomic<unsigned> counter{0};
  return absl::StrCat(absl::string_view(path.data(), path.size()), ".",
                      ProcessId(), "-", counter++,
                      absl::string_view(ending.data(), ending.size()));
}

int CreateBeside(const std::string& path, int permissions, std::string& name) {
  // The name can exist only if an earlier process with the same id left it.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = NameBeside(path, ".tmp");
    const int descriptor = Open(name, Access::kCreate, permissions);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace orbox::os
