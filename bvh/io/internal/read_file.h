// SPDX-License-Identifier: Apache-2.0

// Common code for reading a mesh and for reading bodies: finds the bytes and
// the format of a path, and handles errors.
//
//   return ReadAt<Mesh>(path, options, [](const MeshSource& source,
//                                         MeshFormat format) { ... });
#ifndef ORBOX_BVH_IO_INTERNAL_READ_FILE_H_
#define ORBOX_BVH_IO_INTERNAL_READ_FILE_H_

#include <new>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/read_mesh.h"

namespace orbox::mesh_internal {

// Returns the name of a path for messages.
inline std::string Shown(std::string_view path) {
  return path == "-" ? "standard input" : std::string(path);
}

inline absl::Status NoMemoryFor(std::string_view file) {
  return absl::ResourceExhaustedError(
      absl::StrCat(std::string(file), ": not enough memory to read it"));
}

// Reads bytes as a mesh or as bodies. Handles errors that all readers share.
template <typename Result, typename Read>
absl::StatusOr<Result> ReadBytes(const MeshSource& source,
                                 const Read& read) try {
  if (source.bytes.empty()) {
    return ErrorInFile(source, "is empty; a mesh needs at least one triangle");
  }
  absl::StatusOr<Result> result = read();
  if (result.ok() && source.options.progress) source.options.progress(1);
  return result;
} catch (const std::bad_alloc&) {
  return NoMemoryFor(source.name);
}

// Reads a file and passes its bytes and format to `read`.
template <typename Result, typename Read>
absl::StatusOr<Result> ReadAt(const std::string& path,
                              const ReadOptions& options,
                              const Read& read) try {
  // Checked first, because an unknown extension is an error without reading the
  // file.
  if (path != "-" && !ExtensionOf(path).empty()) {
    const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, {});
    if (!format.ok()) return format.status();
  }
  const absl::StatusOr<FileBytes> file = ReadFileBytes(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, file->view());
  if (!format.ok()) return format.status();
  const std::string shown = Shown(path);
  MeshSource source = {file->view(), shown, options};
  if (path != "-") source.folder = os::FolderOf(path);
  return read(source, *format);
} catch (const std::bad_alloc&) {
  return NoMemoryFor(path);
}

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_READ_FILE_H_
