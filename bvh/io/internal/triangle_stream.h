// SPDX-License-Identifier: Apache-2.0

// The triangles of a mesh file in order, in batches. Binary PLY and STL may be
// larger than memory. Private.
//
//   absl::StatusOr<TriangleStream> file =
//       TriangleStream::Open("scan.ply", most);
//   absl::Status status =
//       file->ForEach([&](std::span<const Triangle> some) {
//         ...
//         return absl::OkStatus();
//       });
//
// Corners and error messages are equal to those of ReadMeshFile.
#ifndef ORBOX_BVH_IO_INTERNAL_TRIANGLE_STREAM_H_
#define ORBOX_BVH_IO_INTERNAL_TRIANGLE_STREAM_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

class ORBOX_EXPORT TriangleStream {
 public:
  // Opens a file. If the file cannot be streamed, reads all of it. Returns
  // kResourceExhausted if such a file has more than `most` bytes.
  static absl::StatusOr<TriangleStream> Open(const std::string& path,
                                             size_t most);
  // Opens a file and reads only its header. Returns nothing for a file that
  // cannot be streamed.
  static absl::StatusOr<std::optional<TriangleStream>> OpenStreamed(
      const std::string& path);

  // Reads the file from the beginning at each call. An error of `consume` ends
  // the reading. `progress` may be empty; see ReadOptions.
  absl::Status ForEach(TriangleConsumer consume,
                       const std::function<void(double)>& progress = {}) const;

  // bytes() returns the contents of a streamed file, mapped during the life of
  // this object. is_ply() returns true for PLY and false for STL.
  std::string_view bytes() const { return bytes_; }
  bool is_ply() const { return is_ply_; }

 private:
  TriangleStream() = default;

  std::string path_;
  // Either a mesh or mapped bytes.
  std::optional<Mesh> mesh_;
  std::shared_ptr<const std::byte> mapped_;
  std::string_view bytes_;
  bool is_ply_ = false;
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_TRIANGLE_STREAM_H_
