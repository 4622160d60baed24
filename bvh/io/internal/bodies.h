// SPDX-License-Identifier: Apache-2.0

// Converts the results of readers to bodies, and bodies to one mesh.
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
#include "orbox/overlap/base/export.h"

namespace orbox::mesh_internal {

// Maximum lengths, in bytes, of names and properties that many bodies share.
// They prevent a small file from making large bodies.
inline constexpr size_t kLongestShared = 256;
inline constexpr size_t kMostSharedBytes = 4096;

// Returns the bodies in the order of their first triangles. Each body has at
// least one triangle, and only the vertices that it uses. A mesh of one body is
// returned unchanged. Marks without triangles are omitted. O(n), plus the time
// to sort the names if names define the bodies.
std::vector<NamedBody> SplitAtMarks(const Mesh& mesh, const BodyMarks& marks,
                                    const MeshSource& source);

// Records an element of the file that has no triangles (ReadOptions::left_out).
void LeaveOut(const MeshSource& source, std::string_view name);

// Returns all bodies as one mesh, each moved by its pose. `source` is named in
// errors.
absl::StatusOr<Mesh> MergeBodies(const std::vector<NamedBody>& bodies,
                                 const MeshSource& source);

// Returns true if the pose contains a reflection: its determinant is negative.
bool IsMirroring(const Pose& pose);

// Meshes of bodies at poses. If a pose contains a reflection, glTF and 3MF
// reverse the corners of triangles, so that the outside of a surface remains
// outside.
class FacingMeshes {
 public:
  // Returns the mesh, or a mesh with reversed triangles. All calls for one mesh
  // share the reversed mesh.
  Mesh At(const Pose& pose, const Mesh& mesh);

 private:
  struct Reversed {
    Mesh original;  // keeps its data alive, because the key is its address
    Mesh mesh;
  };
  std::map<const TriangleIndices*, Reversed> reversed_;
};

// Makes names printable and distinct. Bodies without a name get the file's
// name, without folders and extension.
void NameBodies(std::string_view file, std::vector<NamedBody>& bodies);

// Returns the text with '?' in place of each byte that is not printable UTF-8.
ORBOX_EXPORT std::string Printable(std::string_view text);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_BODIES_H_
