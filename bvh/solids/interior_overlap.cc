// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/interior_overlap.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/bvh/solids/internal/cell_point.h"
#include "orbox/bvh/solids/internal/face_cells.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/internal/solid_clash.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {
namespace {

// If the interiors have a common point, they share an open set. Its boundary
// contains a cell of a face: a piece of a triangle that no other triangle
// divides further. On one side of the cell is a point of both interiors, and
// this holds everywhere along the cell. The winding numbers on the two sides of
// a cell differ by 1, so each cell has the inside of its own solid on at least
// one side. Two kinds of cells can have a common interior point next to them:
// - A component of one surface that does not touch the other surface is on one
//   side of it, so that any of its cells decides for all.
// - In any other component, some triangle that touches the other surface has
//   such a cell: from cell to cell, a surface stays inside or outside of the
//   other solid until it reaches the other surface.
// So the search takes a point of each cell of each triangle that touches, and
// of one triangle of each component, and crosses both surfaces along a line
// through the point. This fails only for cells of triangles that coincide and
// cancel out: both of their sides have equal winding numbers. If such a cell is
// found inside the other solid, the search tries all triangles.
//
// A common point of the first interior and the outside of the second is found
// in the same way: the outside takes the place of the second inside. Cells of
// walls within the second solid then have no outside next to them, and count
// like those that cancel out.

Tree WorldTreeOf(const PosedTree& posed, const Execution& run) {
  absl::StatusOr<Tree> tree =
      WorldTree(posed, {.threads = 1, .cancelled = run.cancelled()});
  if (absl::IsCancelled(tree.status())) Watch::ThrowCancelled();
  if (!tree.ok()) throw std::bad_alloc();
  return *std::move(tree);
}

class TestedSurface {
 public:
  // `posed` has the mesh of the solid, perhaps at another pose.
  TestedSurface(const Solid& solid, const PosedTree& posed,
                const Execution& run)
      : surface_(solid.surface()),
        is_closed_(IsClosed(solid.posed().tree().mesh())),
        counts_windings_(solid.rule() == InsideRule::kWinding &&
                         DoFacesAgree(solid.posed().tree().mesh())),
        tree_(WorldTreeOf(posed, run)) {}

  const Tree& tree() const { return tree_; }
  // A mesh that is closed with all of its triangles needs all of them.
  bool IsLeftOut(uint32_t id) const {
    return !is_closed_ && surface_.IsLeftOut(id);
  }
  bool IsInside(int winding) const {
    return counts_windings_ ? winding != 0 : winding % 2 != 0;
  }
  Triangle triangle(uint32_t id) const { return tree_.mesh().triangle(id); }
  size_t size() const { return tree_.mesh().triangle_count(); }
  std::vector<uint32_t> FirstOfComponents(const Execution& run) const {
    const MeshComponents components = mesh_internal::MeshAccess::ComponentsOf(
        tree_.mesh(), Workers(1, PollOf(run)));
    return {components.first_triangles().begin(),
            components.first_triangles().end()};
  }

  // Returns the triangles of the boundary that overlap the box.
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
  const bool is_closed_;
  const bool counts_windings_;  // otherwise parities
  Tree tree_;
};

class InteriorSearch {
 public:
  // For the outside of b instead of its inside if `is_outside`.
  InteriorSearch(const TestedSurface& a, const TestedSurface& b,
                 bool is_outside, const Execution& run)
      : surfaces_{&a, &b}, is_outside_(is_outside), run_(run) {}

  bool Find();

 private:
  bool FindAtTriangle(size_t side, uint32_t id);
  bool FindAlong(const CellPoint& p, size_t axis, size_t side,
                 const Triangle& face);

  // Tests whether points with this winding number are on the sought side.
  bool IsSought(size_t side, int winding) const {
    return surfaces_[side]->IsInside(winding) != (side == 1 && is_outside_);
  }
  // Returns, for each surface, the triangles that touch the other one.
  std::array<std::vector<uint32_t>, 2> Touching() const;

  std::array<const TestedSurface*, 2> surfaces_;
  const bool is_outside_;
  const Execution& run_;
  // Set if a cell on the sought side of the other solid has no sought side of
  // its own, or if a component has no cell that decides for it.
  bool needs_all_ = false;
};

// Returns true if some point of the line through p along the axis is on the
// sought side of both surfaces.
bool InteriorSearch::FindAlong(const CellPoint& p, size_t axis, size_t side,
                               const Triangle& face) {
  struct Crossing {
    Triangle triangle;
    size_t side;
    int sign;
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
      const int sign = CrossingAt(p, axis, t);
      if (sign != 0) crossings.push_back({t, i, sign});
    }
  }
  std::stable_sort(crossings.begin(), crossings.end(),
                   [&](const Crossing& x, const Crossing& y) {
                     return CompareHeights(p, axis, x.triangle, y.triangle) < 0;
                   });
  std::array<int, 2> winding{};
  for (size_t i = 0; i < crossings.size();) {
    const std::array<int, 2> below = winding;
    size_t end = i;
    for (; end < crossings.size() &&
           (end == i || CompareHeights(p, axis, crossings[i].triangle,
                                       crossings[end].triangle) == 0);
         ++end) {
      winding[crossings[end].side] += crossings[end].sign;
    }
    if (IsSought(0, winding[0]) && IsSought(1, winding[1])) return true;
    const size_t other = 1 - side;
    if (!IsSought(side, winding[side]) && !IsSought(side, below[side]) &&
        (IsSought(other, winding[other]) || IsSought(other, below[other])) &&
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
  for (const TestedSurface* s : surfaces_) {
    const std::vector<Triangle> more = s->Near(BoundsOf(face));
    near.insert(near.end(), more.begin(), more.end());
  }
  for (const CellPoint& p : PointsOfCells(face, *axis, near)) {
    run_.CheckCancelled();
    if (FindAlong(p, *axis, side, face)) return true;
  }
  return false;
}

std::array<std::vector<uint32_t>, 2> InteriorSearch::Touching() const {
  std::array<std::vector<uint32_t>, 2> touching;
  const QueryOptions alone = run_.Alone();
  const PosedTree first = surfaces_[0]->tree();
  const PosedTree second = surfaces_[1]->tree();
  for (const TrianglePair& pair : OverlapSearch(alone).All({first, second})) {
    touching[0].push_back(pair.a);
    touching[1].push_back(pair.b);
  }
  for (std::vector<uint32_t>& ids : touching) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return touching;
}

bool InteriorSearch::Find() {
  const std::array<std::vector<uint32_t>, 2> touching = Touching();
  for (size_t side = 0; side < 2; ++side) {
    for (const uint32_t id : touching[side]) {
      if (FindAtTriangle(side, id)) return true;
    }
    for (const uint32_t id : surfaces_[side]->FirstOfComponents(run_)) {
      // A triangle that is left out does not decide for its component.
      needs_all_ = needs_all_ || surfaces_[side]->IsLeftOut(id);
      if (FindAtTriangle(side, id)) return true;
    }
  }
  if (!needs_all_) return false;
  for (size_t side = 0; side < 2; ++side) {
    for (uint32_t id = 0; id < surfaces_[side]->size(); ++id) {
      run_.CheckCancelled();
      if (FindAtTriangle(side, id)) return true;
    }
  }
  return false;
}

// Returns true if both solids contain a common ball, which proves that they
// overlap. Needs no exact arithmetic because the ball is certain.
bool SharesBall(const Solid& a, const Solid& b, const Execution& run) {
  constexpr size_t kSomePatches = 32;
  BallSearch search = BallSearch::Shared(a, b);
  return search.Find(search.LeastRadius(), 0x1p-4, run, kSomePatches)
      .ball.has_value();
}

bool FindInteriorOverlap(const PosedTree& a, const PosedTree& b,
                         InsideRule inside, const Execution& run) {
  const Solid first(a, inside);
  const Solid second(b, inside);
  const auto has_inside = [](const Solid& solid) {
    return solid.is_closed() || IsClosed(solid.posed().tree().mesh());
  };
  if (!has_inside(first) || !has_inside(second)) return false;
  return AnyInteriorOverlap(first, second, run);
}

// Tests whether the interior of `a` has no point in the interior of `b`, or no
// point outside of `b`. If one pose moves both, decides for their models.
bool HasNone(bool is_outside, const Solid& a, const Solid& b,
             const Execution& run) {
  const auto has_none = [&](const PosedTree& x, const PosedTree& y) {
    return !InteriorSearch(TestedSurface(a, x, run), TestedSurface(b, y, run),
                           is_outside, run)
                .Find();
  };
  // One pose moves both, and rounds their vertices. While triangles move from
  // where exact arithmetic puts them to where rounding does, winding numbers
  // change only at points within the rounding error of a triangle. Few
  // triangles leave most of a ball as it is. So do those of a solid without
  // walls, because none of them is inside the ball.
  constexpr size_t kFew = 1000;
  const bool have_one_pose = a.posed().is_moved() && b.posed().is_moved() &&
                             a.posed().pose() == b.posed().pose();
  const size_t count = a.posed().tree().mesh().triangle_count() +
                       b.posed().tree().mesh().triangle_count();
  if (have_one_pose && (count <= kFew || (a.IsPlain() && b.IsPlain()))) {
    return has_none(a.posed().tree(), b.posed().tree());
  }
  return has_none(a.posed(), b.posed());
}

}  // namespace

bool AnyInteriorOverlap(const Solid& a, const Solid& b, const Execution& run) {
  const Aabb common = Intersection(a.bounds(), b.bounds());
  if (!(MaxCoordinate(common.lo - common.hi) < 0)) return false;
  if (SharesBall(a, b, run)) return true;
  return InteriorSearch(TestedSurface(a, a.posed(), run),
                        TestedSurface(b, b.posed(), run),
                        /*is_outside=*/false, run)
      .Find();
}

bool IsContained(const Solid& a, const Solid& b, const Execution& run) {
  return HasNone(/*is_outside=*/true, a, b, run);
}

bool HaveApartInteriors(const Solid& a, const Solid& b, const Execution& run) {
  return !SharesBall(a, b, run) && HasNone(/*is_outside=*/false, a, b, run);
}

bool AnyInteriorOverlap(const PosedTree& a, const PosedTree& b,
                        InsideRule inside) {
  return FindInteriorOverlap(a, b, inside, Execution(RunOptions()));
}

absl::StatusOr<bool> AnyInteriorOverlap(const PosedTree& a, const PosedTree& b,
                                        InsideRule inside,
                                        const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return FindInteriorOverlap(a, b, inside, run);
  });
}

}  // namespace orbox
