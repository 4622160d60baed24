// SPDX-License-Identifier: Apache-2.0

// A glTF file opened: its JSON, and the bytes that its accessors name.
//
//   absl::StatusOr<GltfFile> file = GltfFile::Open(source);
//   absl::StatusOr<std::vector<Vec3>> p = file->Points(accessor, ids);
//
// glTF 2.0 Specification (Khronos, 2021): section 3.6 (buffers, views,
// accessors) and chapter 4 (GLB). No count in the file is believed before there
// are bytes for it. Files that the glTF names are read once each, when they are
// needed.
#ifndef ORBOX_BVH_MESH_INTERNAL_GLTF_FILE_H_
#define ORBOX_BVH_MESH_INTERNAL_GLTF_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/mesh/internal/json_value.h"
#include "orbox/bvh/mesh/internal/source.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

class GltfFile {
 public:
  static absl::StatusOr<GltfFile> Open(const MeshSource& source);

  const JsonValue& json() const { return json_; }
  // The bytes of this file and of those that it has read so far.
  size_t byte_count() const;

  // How many elements the accessor has; an error unless it is one of three
  // coordinates.
  absl::StatusOr<size_t> CountPoints(uint64_t accessor);
  // Those of its points. Requires ids below their number.
  absl::StatusOr<std::vector<Vec3>> Points(uint64_t accessor,
                                           std::span<const uint32_t> ids);
  absl::StatusOr<std::vector<uint32_t>> Indices(uint64_t accessor);

  // "part.gltf: mesh 3: what"
  absl::Status Error(std::string_view kind, uint64_t number,
                     const std::string& what) const;

 private:
  // Elements of an accessor, in bytes that are there.
  struct Elements {
    const char* bytes = nullptr;
    size_t count = 0;
    size_t stride = 0;
    uint64_t component_type = 0;
    bool is_normalized = false;
  };

  explicit GltfFile(const MeshSource& source) : source_(source) {}

  absl::Status ReadBinary();
  absl::Status ReadJson(std::string_view text, size_t offset);
  absl::StatusOr<std::string_view> BufferBytes(uint64_t buffer);
  absl::StatusOr<std::string_view> BytesOfUri(uint64_t buffer,
                                              std::string_view uri);
  absl::StatusOr<std::string_view> ViewBytes(uint64_t view);
  absl::StatusOr<Elements> Find(uint64_t accessor, std::string_view type,
                                size_t components);

  const MeshSource& source_;
  JsonValue json_;
  std::optional<std::string_view> binary_;
  std::map<uint64_t, std::string> decoded_;  // by buffer
  std::map<std::string, FileBytes> files_;   // by path
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_GLTF_FILE_H_
