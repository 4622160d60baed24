// SPDX-License-Identifier: Apache-2.0

// An open glTF file: its JSON, and the bytes of its accessors.
//
//   absl::StatusOr<GltfFile> file = GltfFile::Open(source);
//   absl::StatusOr<std::vector<Vec3>> p = file->Points(accessor, ids);
//
// glTF 2.0 Specification (Khronos, 2021): section 3.6 (buffers, views,
// accessors) and chapter 4 (GLB). A count in the file is accepted only if the
// file has enough bytes for it. Each external file is read once, at its first
// use.
#ifndef ORBOX_BVH_IO_INTERNAL_GLTF_FILE_H_
#define ORBOX_BVH_IO_INTERNAL_GLTF_FILE_H_

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
#include "orbox/bvh/io/internal/json_value.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

class GltfFile {
 public:
  static absl::StatusOr<GltfFile> Open(const MeshSource& source);

  const JsonValue& json() const { return json_; }
  // Number of bytes of this file, and of all files that it has read so far.
  size_t byte_count() const;

  // Returns the number of elements of the accessor. Returns an error unless
  // each element has three coordinates.
  absl::StatusOr<size_t> CountPoints(uint64_t accessor);
  // Returns the accessor's points with these ids. Requires ids below the number
  // of points.
  absl::StatusOr<std::vector<Vec3>> Points(uint64_t accessor,
                                           std::span<const uint32_t> ids);
  absl::StatusOr<std::vector<uint32_t>> Indices(uint64_t accessor);

  // Returns an error such as "part.gltf: mesh 3: what".
  absl::Status Error(std::string_view kind, uint64_t number,
                     const std::string& what) const;

 private:
  // Elements of an accessor, whose bytes exist. Without bytes, all elements are
  // zero.
  struct Elements {
    const char* bytes = nullptr;
    size_t count = 0;
    size_t stride = 0;
    uint64_t component_type = 0;
    bool is_normalized = false;
  };

  // Replacements for the elements with these ids, which are ascending.
  struct Sparse {
    std::vector<uint32_t> ids;
    Elements values;
  };

  // Range of elements, as an accessor specifies it.
  struct Range {
    const JsonValue& entry;  // with the byteOffset
    uint64_t view = 0;
    uint64_t count = 0;
    uint64_t component_type = 0;
    size_t element = 0;  // bytes of one element
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
  absl::StatusOr<Elements> ElementsAt(const Range& range, uint64_t accessor);
  // Returns the replaced elements of an accessor. Requires that Find accepts
  // the accessor.
  absl::StatusOr<Sparse> FindSparse(uint64_t accessor, size_t components);
  // Returns the bytes of an element, or null if the element is zero.
  static const char* ElementAt(const Elements& all, const Sparse& sparse,
                               uint64_t id);

  const MeshSource& source_;
  JsonValue json_;
  std::optional<std::string_view> binary_;
  std::map<uint64_t, std::string> decoded_;  // by buffer
  std::map<std::string, FileBytes> files_;   // by path
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_GLTF_FILE_H_
