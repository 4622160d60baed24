// SPDX-License-Identifier: Apache-2.0

// A solid that a mesh at a pose bounds: its boundary triangles, those near a
// box, and a test for points inside. Private: the base of clashes and shared
// regions (solids/shared_region.h defines the inside).
//
//   const Solid solid(posed);                    // once a body
//   if (solid.is_closed() && solid.IsInside(p)) ...
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_SOLID_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_SOLID_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/internal/solid_boundary.h"
#include "orbox/bvh/solids/internal/mesh_holes.h"
#include "orbox/bvh/solids/internal/solid_edges.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A tree of a mesh with closed holes; null if none was closed.
struct ClosedTree {
  const Tree* tree = nullptr;
  size_t holes = 0;
};

// Holds no reference to the mesh.
class SolidSurface {
 public:
  // Computed on first use, in expected O(n), and stored in the mesh.
  // Thread-safe.
  static const SolidSurface& Of(const Mesh& mesh);

  // The boundary is closed, and not empty.
  bool is_closed() const { return edges_.is_closed(); }

  // Tests whether a triangle is left out of the boundary, because it has no
  // area or because others have equal corners.
  bool IsLeftOut(uint32_t triangle) const {
    return !left_out_.empty() && left_out_[triangle];
  }
  const std::vector<bool>& left_out() const { return left_out_; }
  // The mesh is closed after all but one of the triangles with equal corners
  // are left out.
  bool has_copies() const { return has_copies_; }
  const SolidEdges& edges() const { return edges_; }
  // The edges with the room at those that do not belong to two triangles.
  // Computed on first use, O(n log n). Thread-safe. Requires a tree of the
  // mesh.
  const SolidEdges& EdgesWithRoom(const Tree& tree) const;

  // The boundary without triangles that are walls inside the solid; null if
  // there are none. Computed on first use, O(n log n). Thread-safe. Requires a
  // tree of the mesh.
  struct Boundary {
    SolidBoundary surface;
    SolidEdges edges;
  };
  const Boundary* WithoutWalls(const Tree& tree) const;

  // Closes holes that are shorter than `longest` at the pose (close_holes.h).
  // Requires the mesh of this surface. The holes are found once, and the tree
  // is built once. Thread-safe.
  ClosedTree Close(const Mesh& mesh, double longest, const Pose& pose) const;

  // A diameter that no ball inside the unmoved solid exceeds (largest_ball.h).
  const mesh_internal::Remembered<double>& largest_ball(InsideRule rule) const {
    return largest_balls_[rule == InsideRule::kParity ? 1 : 0];
  }

 private:
  explicit SolidSurface(const Mesh& mesh);

  std::vector<bool> left_out_;  // empty if none is
  bool has_copies_ = false;
  SolidEdges edges_;
  mesh_internal::Remembered<std::optional<SolidEdges>> edges_with_room_;
  mesh_internal::Remembered<std::optional<Boundary>> without_walls_;
  mesh_internal::Remembered<MeshHoles> holes_;
  mesh_internal::Remembered<std::optional<Tree>> without_holes_;
  std::array<mesh_internal::Remembered<double>, 2> largest_balls_;
};

// A solid at a pose. Refers to the tree, which must outlive it.
//
// Triangles of overlapping shells that are walls inside the solid count as
// boundary, so that balls and depths may come out too small. If that decides a
// result, use WithoutWalls(). By parity, every triangle is boundary.
//
// Closes holes of an open mesh that are shorter than `close_holes`
// (close_holes.h). The solid then has the triangles that close them.
class Solid {
 public:
  explicit Solid(const PosedTree& posed, InsideRule rule = InsideRule::kWinding,
                 double close_holes = 0);

  // Returns the solid with its boundary alone, or this solid if it has no
  // walls. Computed on first use. Thread-safe.
  const Solid& WithoutWalls() const;
  // The solid has no walls, and no triangle is left out.
  bool IsPlain() const {
    return surface_.left_out().empty() && &WithoutWalls() == this;
  }
  // Tests whether there may be a wall in the box. If `other` is given, the wall
  // must also be inside `other`.
  bool HasWallsNear(const Aabb& box, const Solid* other) const;
  // Returns true only if the boundary has no point in the box, which then is on
  // one side of it. False for an empty box.
  bool IsOnOneSide(const Aabb& box) const;
  // Returns false only if no point of the box is in the solid.
  bool MayMeet(const Aabb& box) const {
    return !IsOnOneSide(box) || IsInside(box.Center());
  }

  InsideRule rule() const { return rule_; }
  const PosedTree& posed() const { return posed_; }
  // The mesh at its pose, without the triangles that close holes.
  const PosedTree& open_posed() const { return open_posed_; }
  size_t closed_holes() const { return closed_holes_; }
  const SolidSurface& surface() const { return surface_; }
  bool is_closed() const { return surface_.is_closed(); }
  // Contains all moved vertices of triangles.
  const Aabb& bounds() const { return bounds_; }
  // Rounding error of a coordinate or distance near the solid.
  double error() const { return error_; }

  // Side of the inside: behind the triangles' normals (1), in front of them
  // (-1), or either (0).
  int facing() const { return facing_; }
  // The pose reverses the orientation of triangles.
  bool is_mirrored() const { return is_mirrored_; }

  // The tree of the boundary. For a solid with its walls, the tree of the mesh,
  // which includes the triangles that are left out.
  const PosedTree& boundary() const {
    return walled_ == nullptr ? posed_ : *boundary_;
  }
  // Triangles of the boundary, or of an open mesh.
  size_t triangle_count() const {
    return boundary().tree().mesh().triangle_count();
  }
  Triangle triangle(uint32_t id) const { return boundary().triangle(id); }
  // Tests whether a triangle of the tree does not count.
  bool IsLeftOut(uint32_t id) const {
    return walled_ == nullptr && surface_.IsLeftOut(id);
  }
  Vec3 vertex(uint32_t id) const;
  const SolidEdges& edges() const {
    return walled_ == nullptr ? surface_.EdgesWithRoom(posed_.tree())
                              : BoundaryAlone()->edges;
  }

  // Appends the ids of the boundary's triangles that may overlap the box,
  // ascending.
  void AppendNear(const Aabb& box, std::vector<uint32_t>* ids) const;

  // Tests whether a point is inside. Either result is possible within error()
  // of the boundary. Requires a closed solid.
  bool IsInside(const Vec3& p) const;

 private:
  Solid(const Solid& walled, const SolidSurface::Boundary& boundary);

  // Returns null if every triangle is boundary.
  const SolidSurface::Boundary* BoundaryAlone() const {
    if (rule_ == InsideRule::kParity) return nullptr;
    return surface_.WithoutWalls(posed_.tree());
  }
  // Returns a box around `box`, in the coordinates of place().
  Aabb RegionOf(const Aabb& box) const;
  // Returns a tree whose pose is a similarity.
  const PosedTree& place() const { return posed_.InWorld(); }

  const PosedTree& open_posed_;
  size_t closed_holes_ = 0;
  const std::optional<PosedTree> closed_;  // set if holes are closed
  const PosedTree& posed_;
  const SolidSurface& surface_;
  const InsideRule rule_;
  const Solid* walled_ = nullptr;  // null for a solid with its walls
  std::optional<PosedTree> boundary_;
  Pose to_tree_;
  Aabb bounds_;
  double error_ = 0;
  int facing_ = 0;
  bool is_mirrored_ = false;
  mesh_internal::Remembered<std::unique_ptr<const Solid>> without_walls_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_SOLID_H_
