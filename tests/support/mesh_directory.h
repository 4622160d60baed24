// SPDX-License-Identifier: Apache-2.0

// Folder of real meshes, if there is one: scans and models that are not part of
// the project.
//
//   const std::filesystem::path directory = MeshDirectory();
//   if (directory.empty()) {
//     std::puts("skipped: no mesh directory");
//     return;
//   }
#ifndef ORBOX_TESTS_SUPPORT_MESH_DIRECTORY_H_
#define ORBOX_TESTS_SUPPORT_MESH_DIRECTORY_H_

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace orbox {

// $ORBOX_MESH_DIR, or else shared/meshes next to the repository; empty if that
// is no directory.
inline std::filesystem::path MeshDirectory() {
  std::filesystem::path directory;
  if (const char* named = std::getenv("ORBOX_MESH_DIR"); named != nullptr) {
    directory = named;
  } else {
    directory = std::filesystem::path(ORBOX_SOURCE_DIR).parent_path() /
                "shared" / "meshes";
  }
  std::error_code ignored;
  return std::filesystem::is_directory(directory, ignored)
             ? directory
             : std::filesystem::path();
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_MESH_DIRECTORY_H_
