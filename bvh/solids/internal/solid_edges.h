// SPDX-License-Identifier: Apache-2.0

// The edges and corners of a mesh that a ball inside its solid can touch.
// Private: ball_search.h starts from them.
//
//   const SolidEdges edges(mesh, welded, left_out);   // once a mesh
//   for (uint32_t e : edges.OfTriangle(7)) use(edges[e]);
//
// A ball inside a solid touches an edge only if the solid spans more than a
// half-space around the edge. It touches a corner only if three such edges end
// there. Edges between faces that are level within kFlat radians do not count.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_SOLID_EDGES_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_SOLID_EDGES_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class SolidEdges {
 public:
  static constexpr double kFlat = 0x1p-14;
  static constexpr uint32_t kNobody = 0xffffffff;

  // Balls that can touch a corner.
  enum class Corner : uint8_t {
    kNone,
    kFan,  // those between the normals of the faces around the corner
    kAny,  // possibly any
  };

  // Sides of the faces along an edge on which a ball can touch it.
  enum class Room : uint8_t { kNone, kBehind, kInFront, kAny };

  struct Edge {
    // Vertices of the mesh, the first of those that coincide.
    std::array<uint32_t, 2> ends;
    // The second is kNobody unless the edge belongs to exactly two triangles
    // that use it in opposite directions.
    std::array<uint32_t, 2> triangles;
    // The faces form a valley, seen from the side that the normals point to.
    bool is_valley;
    // At each end, for balls behind the faces and for balls in front of them.
    std::array<std::array<Corner, 2>, 2> corners;
    // A triangle at each end, a common one for all edges of a kFan corner.
    std::array<uint32_t, 2> fans;
    // For an edge that does not belong to two triangles: the room, and the
    // triangles that define it along the whole edge (EdgeRoom::around).
    Room room = Room::kAny;
    std::array<uint32_t, 3> around = {kNobody, kNobody, kNobody};
  };

  // The side of the inside, if all triangles have a common one.
  enum class Facing : uint8_t { kOutward, kInward, kUnknown };

  SolidEdges() = default;
  SolidEdges(const Mesh& mesh, const mesh_internal::Welded& welded,
             const std::vector<bool>& left_out);

  // Finds the room at edges that do not belong to two triangles, for example
  // the edges of faces that were cut into pieces, and at corners. Searches then
  // need not find it. Requires a tree of the mesh. `error` bounds the distance
  // of corners from the edges that they are on.
  void FindRoom(const Tree& tree, const std::vector<bool>& left_out,
                double error);

  // FindRoom has been called. All corners of kAny then leave room for a ball.
  bool knows_room() const { return knows_room_; }
  // Every edge belongs to an even number of sides, and there is an edge.
  bool is_closed() const { return is_closed_; }
  // Every edge is used equally often in both directions.
  bool do_faces_agree() const { return do_faces_agree_; }
  // An edge does not belong to exactly two triangles that agree.
  bool any_loose() const;
  // Bounds of the pieces that are connected by edges.
  const std::vector<Aabb>& component_bounds() const { return components_; }
  // The facing, by the rule that the inside has a winding number other than 0.
  Facing facing() const { return facing_; }

  const Edge& operator[](uint32_t e) const { return edges_[e]; }
  // Edges of a triangle, kNobody for those that a ball cannot touch.
  const std::array<uint32_t, 3>& OfTriangle(uint32_t t) const {
    return of_triangle_[t];
  }

 private:
  void FindCorners(size_t vertex_count);
  void FindFacing(const Mesh& mesh, std::span<const uint32_t> root,
                  const std::vector<bool>& left_out);

  bool knows_room_ = false;
  bool is_closed_ = false;
  bool do_faces_agree_ = false;
  Facing facing_ = Facing::kUnknown;
  std::vector<Aabb> components_;
  std::vector<Edge> edges_;
  std::vector<std::array<uint32_t, 3>> of_triangle_;
};

// Directions in which a ball that touches an edge can be: those at right angles
// to the edge that have all triangles along it behind them.
struct EdgeRoom {
  // The directions cos(x) * from + sin(x) * across, with x from `lo` to `hi`.
  // If `from` is 0, all directions.
  Vec3 from;
  Vec3 across;
  double lo = 0;
  double hi = 0;
  SolidEdges::Room room = SolidEdges::Room::kAny;
  // Positions of the triangles that define `from`, `lo` and `hi`; kNobody for
  // one that is the first.
  std::array<uint32_t, 3> around = {SolidEdges::kNobody, SolidEdges::kNobody,
                                    SolidEdges::kNobody};

  Vec3 At(double angle) const {
    return from * std::cos(angle) + across * std::sin(angle);
  }
};

// Ignores triangles that do not touch both ends.
EdgeRoom RoomAlong(const Vec3& p, const Vec3& q,
                   std::span<const BoundaryTriangle> triangles, double error);

// Returns the directions from a corner to the others of the triangles that it
// touches. A ball that touches the corner has all of them behind it.
std::vector<Vec3> WaysFrom(const Vec3& v,
                           std::span<const BoundaryTriangle> triangles,
                           double error);

// Tests whether a direction exists that has all `ways` clearly behind it. The
// point of the hull of `ways` that is nearest to 0 is the direction with the
// most room.
bool LeavesRoom(const std::vector<Vec3>& ways);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_SOLID_EDGES_H_
