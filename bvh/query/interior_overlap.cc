// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/interior_overlap.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/mesh_parts.h"
#include "orbox/bvh/query/internal/ball_search.h"
#include "orbox/bvh/query/internal/cell_point.h"
#include "orbox/bvh/query/internal/face_cells.h"
#include "orbox/bvh/query/internal/solid.h"
#include "orbox/bvh/query/internal/solid_clash.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// If the interiors have a common point, they have an open set of them, which
// has a face of one of the solids in its boundary: some cell of a triangle, as
// far as it is not divided by others. On one side of the cell is a point of
// both interiors, and so it is everywhere along the cell. Which cells may be
// such ones?
// - Parts of one surface that do not touch the other lie in one of its sides:
//   any cell of them speaks for all.
// - In all others, some triangle that touches the other surface has such a
//   cell: from cell to cell, a surface is inside or outside of the other solid
//   until it meets its surface.
// So a point is taken of each cell of each triangle that touches, and of one
// triangle of each part; and along a line through it, both surfaces are
// crossed. This fails only for cells that do not bound their own solid, because
// triangles that are not copies lie on each other in pairs; if one of those is
// met inside the other solid, all triangles are tried.

Tree TreeInPlace(const PosedTree& posed) {
  if (!posed.is_moved()) return posed.tree();
  const Mesh& mesh = posed.tree().mesh();
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) {
    vertices.push_back(posed.pose().Apply(v));
  }
  const absl::StatusOr<Mesh> moved = Mesh::Create(
      std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()});
  if (!moved.ok()) throw std::bad_alloc();
  absl::StatusOr<Tree> tree = Build(*moved, {.threads = 1});
  if (!tree.ok()) throw std::bad_alloc();
  return *std::move(tree);
}

class Surface {
 public:
  Surface(const PosedTree& posed, const SolidSurface& surface)
      : surface_(surface), tree_(TreeInPlace(posed)) {}

  const Tree& tree() const { return tree_; }
  bool IsLeftOut(uint32_t id) const { return surface_.IsLeftOut(id); }
  Triangle triangle(uint32_t id) const { return tree_.mesh().triangle(id); }
  size_t size() const { return tree_.mesh().triangle_count(); }
  std::vector<uint32_t> FirstOfParts() const {
    const MeshParts parts = MeshParts::Of(tree_.mesh());
    return {parts.first_triangles().begin(), parts.first_triangles().end()};
  }

  // The triangles of the boundary that overlap the box.
  std::vector<Triangle> Near(const Aabb& box) const {
    std::vector<uint32_t> ids;
    AppendOverlaps(tree_, box, &ids);
    std::vector<Triangle> triangles;
    for (const uint32_t id : ids) {
      if (!IsLeftOut(id)) triangles.push_back(triangle(id));
    }
    return triangles;
  }

 private:
  const SolidSurface& surface_;
  Tree tree_;
};

class InteriorSearch {
 public:
  InteriorSearch(const Surface& a, const Surface& b, const Execution& run)
      : surfaces_{&a, &b}, run_(run) {}

  // `touching`: of each surface the triangles that touch the other.
  bool Find(const std::array<std::vector<uint32_t>, 2>& touching);

 private:
  bool FindAtTriangle(size_t side, uint32_t id);
  bool FindAlong(const CellPoint& p, size_t axis, size_t side,
                 const Triangle& face);

  std::array<const Surface*, 2> surfaces_;
  const Execution& run_;
  // Whether a cell inside the other solid does not bound its own, or there is
  // no cell to speak for others.
  bool needs_all_ = false;
};

// Whether the line through p along the axis is inside both somewhere.
bool InteriorSearch::FindAlong(const CellPoint& p, size_t axis, size_t side,
                               const Triangle& face) {
  struct Crossing {
    Triangle triangle;
    size_t side;
  };
  std::vector<Crossing> crossings;
  for (size_t i = 0; i < 2; ++i) {
    Aabb line = surfaces_[i]->tree().mesh().bounds();
    const auto narrow = [&](size_t k, const Bounded& at) {
      const double error = 2 * at.error;
      line.lo[k] = std::max(line.lo[k], at.value - error);
      line.hi[k] = std::min(line.hi[k], at.value + error);
    };
    narrow(AxisU(axis), p.u.near);
    narrow(AxisV(axis), p.v.near);
    for (const Triangle& t : surfaces_[i]->Near(line)) {
      if (IsCrossedAt(p, axis, t)) crossings.push_back({t, i});
    }
  }
  std::stable_sort(crossings.begin(), crossings.end(),
                   [&](const Crossing& x, const Crossing& y) {
                     return CompareHeights(p, axis, x.triangle, y.triangle) < 0;
                   });
  std::array<bool, 2> inside{};
  for (size_t i = 0; i < crossings.size();) {
    const std::array<bool, 2> below = inside;
    size_t end = i;
    for (; end < crossings.size() &&
           (end == i || CompareHeights(p, axis, crossings[i].triangle,
                                       crossings[end].triangle) == 0);
         ++end) {
      bool& flips = inside[crossings[end].side];
      flips = !flips;
    }
    if (inside[0] && inside[1]) return true;
    if (inside[side] == below[side] && (inside[1 - side] || below[1 - side]) &&
        CompareHeights(p, axis, crossings[i].triangle, face) == 0) {
      needs_all_ = true;
    }
    i = end;
  }
  return false;
}

bool InteriorSearch::FindAtTriangle(size_t side, uint32_t id) {
  if (surfaces_[side]->IsLeftOut(id)) return false;
  const Triangle face = surfaces_[side]->triangle(id);
  const std::optional<size_t> axis = AxisToSee(face);
  if (!axis) {
    needs_all_ = true;
    return false;
  }
  std::vector<Triangle> near;
  for (const Surface* s : surfaces_) {
    const std::vector<Triangle> more = s->Near(BoundsOf(face));
    near.insert(near.end(), more.begin(), more.end());
  }
  for (const CellPoint& p : PointsOfCells(face, *axis, near)) {
    if (run_.is_cancelled()) return false;
    if (FindAlong(p, *axis, side, face)) return true;
  }
  return false;
}

bool InteriorSearch::Find(
    const std::array<std::vector<uint32_t>, 2>& touching) {
  for (size_t side = 0; side < 2; ++side) {
    for (const uint32_t id : touching[side]) {
      if (FindAtTriangle(side, id)) return true;
    }
    for (const uint32_t id : surfaces_[side]->FirstOfParts()) {
      // One that is left out does not speak for its part.
      needs_all_ = needs_all_ || surfaces_[side]->IsLeftOut(id);
      if (FindAtTriangle(side, id)) return true;
    }
  }
  if (!needs_all_) return false;
  for (size_t side = 0; side < 2; ++side) {
    for (uint32_t id = 0; id < surfaces_[side]->size(); ++id) {
      if (run_.is_cancelled()) return false;
      if (FindAtTriangle(side, id)) return true;
    }
  }
  return false;
}

// What shares a ball is told without exact arithmetic: it is certain.
bool SharesBall(const Solid& a, const Solid& b, const Execution& run) {
  constexpr size_t kSomePatches = 32;
  BallSearch search = BallSearch::Shared(a, b);
  return search.Find(search.LeastRadius(), 0x1p-4, run, kSomePatches)
      .ball.has_value();
}

bool IsThick(const Aabb& a, const Aabb& b) {
  const Vec3 lo = Max(a.lo, b.lo);
  const Vec3 hi = Min(a.hi, b.hi);
  return lo.x < hi.x && lo.y < hi.y && lo.z < hi.z;
}

}  // namespace

bool AnyInteriorOverlap(const Solid& a, const Solid& b, const Execution& run) {
  if (!IsThick(a.bounds(), b.bounds())) return false;
  if (SharesBall(a, b, run)) return true;
  const Surface first(a.posed(), a.surface());
  const Surface second(b.posed(), b.surface());
  std::array<std::vector<uint32_t>, 2> touching;
  for (const TrianglePair& pair : AllOverlaps(
           first.tree(), second.tree(),
           {.statistics = run.statistics(), .cancelled = run.cancelled()})) {
    touching[0].push_back(pair.a);
    touching[1].push_back(pair.b);
  }
  for (std::vector<uint32_t>& ids : touching) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return InteriorSearch(first, second, run).Find(touching);
}

bool AnyInteriorOverlap(const PosedTree& a, const PosedTree& b,
                        const QueryOptions& options) {
  const Execution run(options);
  if (run.finds_nothing()) return false;
  const SolidSurface a_surface(a.tree());
  const SolidSurface b_surface(b.tree());
  if (!a_surface.is_closed() || !b_surface.is_closed()) return false;
  return AnyInteriorOverlap(Solid(a, a_surface), Solid(b, b_surface), run);
}

}  // namespace orbox
