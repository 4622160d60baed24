// SPDX-License-Identifier: Apache-2.0

// From what readers return to bodies, and back to one mesh.
//
//   std::vector<NamedBody> bodies = SplitAtMarks(mesh, marks);
//   NameBodies("parts/house.obj", bodies);
#ifndef ORBOX_BVH_MESH_INTERNAL_BODIES_H_
#define ORBOX_BVH_MESH_INTERNAL_BODIES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/named_body.h"

namespace orbox::mesh_internal {

// What one name or one mesh hands to many bodies is short, so that a small file
// does not make large ones.
inline constexpr size_t kLongestShared = 256;
inline constexpr size_t kMostSharedBytes = 4096;

// The bodies of at least one triangle, in the order of their first ones, each
// with the vertices that it uses. A mesh of one body stays as it is. O(n), and
// the time to sort the names where they tell bodies apart.
std::vector<NamedBody> SplitAtMarks(const Mesh& mesh, const BodyMarks& marks);

// All bodies as one mesh, each moved by its pose. The source is for errors.
absl::StatusOr<Mesh> MergeBodies(const std::vector<NamedBody>& bodies,
                                 const MeshSource& source);

// Makes names printable and distinct, and gives those without one that of the
// file: without its folders and its extension.
void NameBodies(std::string_view file, std::vector<NamedBody>& bodies);

// With '?' for each byte that is no printable UTF-8.
std::string Printable(std::string_view text);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_BODIES_H_
