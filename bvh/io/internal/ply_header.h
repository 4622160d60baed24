// SPDX-License-Identifier: Apache-2.0

// The declarations at the beginning of a PLY file (Turk, "The PLY polygon file
// format", 1994).
#ifndef ORBOX_BVH_IO_INTERNAL_PLY_HEADER_H_
#define ORBOX_BVH_IO_INTERNAL_PLY_HEADER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {

enum class PlyFormat { kAscii, kBinaryLittleEndian, kBinaryBigEndian };

enum class PlyType {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kFloat32,
  kFloat64
};

// Size in bytes.
size_t SizeOf(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type;  // of the values
  bool is_list;
  PlyType count_type;  // of a list; an integer type
};

struct PlyElement {
  // Use of an element by the reader. Polygons and strips contain lists of
  // vertices.
  enum class Role { kSkip, kVertices, kPolygons, kStrips };

  std::string name;
  uint64_t count;
  std::vector<PlyProperty> properties;
  size_t line;  // of its declaration

  Role role = Role::kSkip;
  std::array<size_t, 3> position{};  // the properties x, y, z of kVertices
  size_t indices = 0;                // the list of kPolygons and kStrips

  // Returns the number of bytes of one element in a binary file if its lists
  // are empty.
  size_t LeastBytes() const;
  bool HasList() const;
};

struct PlyHeader {
  PlyFormat format;
  std::vector<PlyElement> elements;
  uint64_t vertex_count = 0;
  size_t body_offset;
  size_t body_line;
  // Number of comparisons made to check that property names are distinct; at
  // most logarithmic per property.
  size_t name_comparisons = 0;
};

// Reads the header and checks everything that can be checked before the data.
// There must be one vertex element with x, y and z. Faces or strips must have
// their list, and must exist if the caller needs them.
absl::StatusOr<PlyHeader> ReadPlyHeader(const MeshSource& source,
                                        bool needs_faces = true);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_PLY_HEADER_H_
