// SPDX-License-Identifier: Apache-2.0

// Triangles of polygons.
//
//   Polygons polygons(source);
//   if (!polygons.Append(corners, vertices, {"line", 7}, triangles)) ...
//   ...
//   polygons.Finish(vertices, triangles);
//
// A convex polygon becomes its fan (0,1,2), (0,2,3), ... Others are cut by ear
// clipping in the plane of two coordinates: the one in which the polygon's
// normal is largest is ignored. Signs are exact. A polygon of n corners always
// becomes n - 2 triangles, and all of its n sides are sides of triangles. So
// corners within a side, and coincident corners of bridges to holes, are kept,
// and a closed surface remains closed. A polygon that crosses itself becomes
// its fan. Notes report such polygons, and polygons that are not planar.
#ifndef ORBOX_BVH_IO_INTERNAL_POLYGON_H_
#define ORBOX_BVH_IO_INTERNAL_POLYGON_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

// Properties of a polygon that notes report.
struct PolygonFacts {
  // False if the extent of the corners along the normal is above a fiftieth of
  // the greatest distance from the first corner.
  bool is_planar = true;
  // False if two sides cross.
  bool is_simple = true;
};

// Replaces the fan of the polygon by other triangles if it is not convex.
// Requires points.size() - 2 triangles. Points may be beyond the range of
// vertices (range.h). Near O(n log n).
PolygonFacts CutPolygon(std::span<const Vec3> points,
                        std::span<TriangleIndices> fan);

class Polygons {
 public:
  explicit Polygons(const MeshSource& source) : source_(source) {}

  // Appends the triangles of a polygon. Returns false and appends nothing if a
  // mesh may not have that many triangles. Requires at least three corners.
  // `vertices` has the vertices so far; later ones are passed to Finish.
  bool Append(const std::vector<uint32_t>& corners,
              std::span<const Vec3> vertices, const NotePlace& place,
              std::vector<TriangleIndices>& triangles) {
    if (!AppendFan(corners, triangles)) return false;
    if (corners.size() > 3) Cut(corners, vertices, place, triangles);
    return true;
  }
  // Cuts the polygons that were given before their vertices.
  void Finish(std::span<const Vec3> vertices,
              std::vector<TriangleIndices>& triangles);

  // Cuts the polygon whose fan is `fan`. `points` are its corners.
  void CutLast(std::span<const Vec3> points, const NotePlace& place,
               std::span<TriangleIndices> fan);

 private:
  struct Pending {
    size_t first_triangle = 0;
    size_t corner_count = 0;
    NotePlace place;
  };

  void Cut(const std::vector<uint32_t>& corners, std::span<const Vec3> vertices,
           const NotePlace& place, std::vector<TriangleIndices>& triangles);

  const MeshSource& source_;
  std::vector<Pending> pending_;
  std::vector<Vec3> points_;  // of the polygon being cut
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_POLYGON_H_
