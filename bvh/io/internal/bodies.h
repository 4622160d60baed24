// SPDX-License-Identifier: Apache-2.0

// Makes bodies of the results of readers, and one mesh of bodies.
//
//   std::vector<NamedBody> bodies = SplitAtMarks(mesh, marks, source);
//   NameBodies("parts/house.obj", bodies);
#ifndef ORBOX_BVH_IO_INTERNAL_BODIES_H_
#define ORBOX_BVH_IO_INTERNAL_BODIES_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// Bounds of a name and of properties that many bodies share, in bytes. A small
// file thus does not make large bodies.
inline constexpr size_t kLongestShared = 256;
inline constexpr size_t kMostSharedBytes = 4096;

// Returns the bodies of at least one triangle, in the order of their first
// triangles, each with the vertices that it uses. A mesh of one body is
// returned unchanged. Leaves out marks without triangles. O(n), plus the time
// to sort the names if names define the bodies.
std::vector<NamedBody> SplitAtMarks(const Mesh& mesh, const BodyMarks& marks,
                                    const MeshSource& source);

// Notes an element of the file that has no triangles (ReadOptions::left_out).
void LeaveOut(const MeshSource& source, std::string_view name);

// Returns all bodies as one mesh, each moved by its pose. The source is used in
// errors.
absl::StatusOr<Mesh> MergeBodies(const std::vector<NamedBody>& bodies,
                                 const MeshSource& source);

// Returns true if the pose swaps left and right: its determinant is negative.
bool IsMirroring(const Pose& pose);

// The meshes of bodies at poses. glTF and 3MF reverse the corners of triangles
// at poses that swap left and right, so that surfaces keep their outside.
class FacingMeshes {
 public:
  // Returns the mesh, or the mesh with reversed triangles, which copies share.
  Mesh At(const Pose& pose, const Mesh& mesh);

 private:
  struct Reversed {
    Mesh original;  // keeps the address
    Mesh mesh;
  };
  std::map<const TriangleIndices*, Reversed> reversed_;
};

// Makes names printable and distinct. Bodies without a name get the file's
// name, without folders and extension.
void NameBodies(std::string_view file, std::vector<NamedBody>& bodies);

// Returns the text with '?' in place of each byte that is not printable UTF-8.
std::string Printable(std::string_view text);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_BODIES_H_
