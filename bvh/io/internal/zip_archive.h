// SPDX-License-Identifier: Apache-2.0

// The files of a ZIP archive in memory. zlib decompresses them piece by piece.
//
//   absl::StatusOr<ZipArchive> zip = ZipArchive::Open(source);
//   const ZipArchive::File* file = zip->Find("/_rels/.rels");
//   absl::Status read = zip->Unpack(*file, [](std::string_view piece) { ... });
//
// Archives with 64-bit sizes are supported. Encrypted files, and files
// compressed by another method than deflate, are errors.
#ifndef ORBOX_BVH_IO_INTERNAL_ZIP_ARCHIVE_H_
#define ORBOX_BVH_IO_INTERNAL_ZIP_ARCHIVE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

class ORBOX_EXPORT ZipArchive {
 public:
  struct File {
    std::string name;  // as in the archive
    uint16_t flags = 0;
    uint16_t method = 0;
    uint32_t checksum = 0;
    uint64_t packed_size = 0;
    uint64_t size = 0;
    uint64_t header = 0;  // its offset in the archive
  };

  // Reads the directory. The source must outlive the archive.
  static absl::StatusOr<ZipArchive> Open(const MeshSource& source);

  // Finds a file by the name of a package part, with or without a leading
  // slash. Ignores case. Returns null if there is none.
  const File* Find(std::string_view name) const;

  // All files, by their names in lower case without a leading slash.
  const std::unordered_map<std::string, File>& files() const { return files_; }

  // Calls `consume` with the pieces in order, until it returns an error.
  // Verifies the size and the checksum after the last piece. May throw
  // std::bad_alloc.
  absl::Status Unpack(
      const File& file,
      const std::function<absl::Status(std::string_view)>& consume) const;

 private:
  explicit ZipArchive(const MeshSource& source) : source_(source) {}
  absl::Status ReadDirectory();
  absl::StatusOr<uint64_t> ReadEntry(uint64_t at);
  absl::Status Inflate(
      const File& file, std::string_view packed,
      const std::function<absl::Status(std::string_view)>& consume) const;

  const MeshSource& source_;
  std::unordered_map<std::string, File> files_;  // by name without case
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_ZIP_ARCHIVE_H_
