// SPDX-License-Identifier: Apache-2.0

// The edges and corners of a mesh that a ball inside its solid can touch.
// Private: ball_search.h starts from them.
//
//   const SolidEdges edges(mesh, welded, left_out);   // once a mesh
//   for (uint32_t e : edges.OfTriangle(7)) use(edges[e]);
//
// A ball inside a solid touches an edge only where the solid spans more than a
// half-space around it, and a corner only where three such edges end. Edges
// between faces that are level within kFlat radians count as none.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_SOLID_EDGES_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_SOLID_EDGES_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/internal/boundary_triangle.h"
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
    kFan,  // those between the normals of the faces around it
    kAny,  // possibly any
  };

  // Sides of the faces along an edge on which a ball can touch it.
  enum class Room : uint8_t { kNone, kBehind, kInFront, kAny };

  struct Edge {
    std::array<uint32_t, 2> ends;  // vertices of the mesh
    // The second is kNobody where the edge is not one of two triangles that go
    // along it in opposite directions.
    std::array<uint32_t, 2> triangles;
    // Seen from the side that the normals point to, the faces form a valley.
    bool is_valley;
    // At each end, for balls behind the faces and in front of them.
    std::array<std::array<Corner, 2>, 2> corners;
    // A triangle at each end, the same one for all edges of a kFan corner.
    std::array<uint32_t, 2> fans;
    // For an edge that is not one of two triangles.
    Room room = Room::kAny;
  };

  // The side that inside is on, if it is one for all triangles.
  enum class Facing : uint8_t { kOutward, kInward, kUnknown };

  SolidEdges() = default;
  // `ids` has equal numbers below `id_count` for vertices at one point.
  SolidEdges(const Mesh& mesh, std::span<const uint32_t> ids, size_t id_count,
             const std::vector<bool>& left_out);

  // Finds the room at edges that are not of two triangles, such as those of
  // faces that were cut into pieces, so that no search has to. Requires a tree
  // of the mesh. `error` is how far corners may be from the edges they are on.
  void FindRoom(const Tree& tree, std::span<const uint32_t> ids,
                size_t id_count, double error);

  // Every edge belongs to an even number of sides, and there is one.
  bool is_closed() const { return is_closed_; }
  // Every edge is used as often one way as the other.
  bool do_faces_agree() const { return do_faces_agree_; }
  // Pieces that hang together by edges.
  const std::vector<Aabb>& component_bounds() const { return components_; }
  // Under the rule that a winding number is not 0 inside.
  Facing facing() const { return facing_; }

  const Edge& operator[](uint32_t e) const { return edges_[e]; }
  // Edges of a triangle, kNobody where there is none to speak of.
  const std::array<uint32_t, 3>& OfTriangle(uint32_t t) const {
    return of_triangle_[t];
  }

 private:
  void FindCorners(std::span<const uint32_t> ids, size_t id_count);
  void FindFacing(const Mesh& mesh, std::span<const uint32_t> root,
                  const std::vector<bool>& left_out);

  bool is_closed_ = false;
  bool do_faces_agree_ = false;
  Facing facing_ = Facing::kUnknown;
  std::vector<Aabb> components_;
  std::vector<Edge> edges_;
  std::vector<std::array<uint32_t, 3>> of_triangle_;
};

// Directions in which a ball that touches an edge can be: those at right angles
// to it that all triangles along it have behind them.
struct EdgeRoom {
  // The directions cos(x) * from + sin(x) * across, with x from `lo` to `hi`.
  // All of them, where `from` is 0.
  Vec3 from;
  Vec3 across;
  double lo = 0;
  double hi = 0;
  SolidEdges::Room room = SolidEdges::Room::kAny;

  Vec3 At(double angle) const {
    return from * std::cos(angle) + across * std::sin(angle);
  }
};

// Triangles that do not touch both ends do not count.
EdgeRoom RoomAlong(const Vec3& p, const Vec3& q,
                   std::span<const BoundaryTriangle> triangles, double error);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_SOLID_EDGES_H_
