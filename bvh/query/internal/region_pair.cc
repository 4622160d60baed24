// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/region_pair.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace orbox {
namespace {

Aabb Intersection(const Aabb& a, const Aabb& b) {
  return {Max(a.lo, b.lo), Min(a.hi, b.hi)};
}

bool IsEmpty(const Aabb& box) {
  return box.lo.x > box.hi.x || box.lo.y > box.hi.y || box.lo.z > box.hi.z;
}

// Twice the area of a triangle, along its normal.
Vec3 AreaOf(const Triangle& t) { return Cross(t.b - t.a, t.c - t.a); }

// Whether a direction is that of an axis, but for rounding.
bool IsAlongAxis(const Vec3& unit) {
  return MaxCoordinate(Abs(unit)) > 1 - 0x1p-40;
}

// The two directions in which most of the surface faces near the box: the
// largest triangle's, and that of the largest one at right angles to it. Faces
// that lie on each other then have boxes that are flat.
class FrameChoice {
 public:
  void AddFirst(const Vec3& area) {
    if (SquaredNorm(area) > SquaredNorm(first_)) first_ = area;
  }
  void AddSecond(const Vec3& area) {
    // Within some degrees of a right angle.
    constexpr double kMostCosine = 0.1;
    const double along = Dot(area, first_);
    if (along * along >
        kMostCosine * kMostCosine * SquaredNorm(area) * SquaredNorm(first_)) {
      return;
    }
    if (SquaredNorm(area) > SquaredNorm(second_)) second_ = area;
  }

  Frame Choose(const Vec3& origin) const {
    Frame frame = Frame::At(origin);
    const Vec3 z = DirectionOf(first_);
    if (z == Vec3{}) return frame;
    Vec3 x = DirectionOf(second_);
    if (x == Vec3{}) {
      if (IsAlongAxis(z)) return frame;
      Vec3 axis{};
      axis[std::abs(z.x) < 0.6 ? 0 : 1] = 1;
      x = axis;
    }
    if (IsAlongAxis(z) && IsAlongAxis(x)) return frame;
    x = DirectionOf(x - z * Dot(x, z));
    if (x == Vec3{}) return frame;
    frame.axes = {x, Cross(z, x), z};
    frame.is_turned = true;
    return frame;
  }

 private:
  Vec3 first_;
  Vec3 second_;
};

Frame FrameFor(const BoxedTriangles& a, const BoxedTriangles& b,
               const Aabb& world) {
  std::vector<Vec3> areas;  // of triangles near the box
  for (const BoxedTriangles* all : {&a, &b}) {
    for (size_t i = 0; i < all->boxes.size(); ++i) {
      if (!Overlap(all->boxes[i], world)) continue;
      areas.push_back(AreaOf(all->triangles[i]));
    }
  }
  FrameChoice choice;
  for (const Vec3& area : areas) choice.AddFirst(area);
  for (const Vec3& area : areas) choice.AddSecond(area);
  return choice.Choose(world.Center());
}

Aabb BoundsIn(const Frame& frame, std::span<const Triangle> triangles) {
  Aabb bounds{frame.Enter(triangles[0].a), frame.Enter(triangles[0].a)};
  for (const Triangle& t : triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 p = frame.Enter(t[k]);
      bounds = {Min(bounds.lo, p), Max(bounds.hi, p)};
    }
  }
  return bounds;
}

}  // namespace

RegionPair RegionPair::Shared(const Solid& a, const Solid& b) {
  return RegionPair(a.boundary(), b.boundary(),
                    Intersection(a.bounds(), b.bounds()),
                    {&a.boundary(), &b.boundary()}, Sense::kInside);
}

RegionPair RegionPair::FirstOutsideSecond(const Solid& a, const Solid& b) {
  return RegionPair(a.boundary(), b.boundary(), a.bounds(), {&a.boundary()},
                    Sense::kOutside);
}

RegionPair RegionPair::OnFirstInSecond(const BoxedTriangles& a,
                                       const Solid& b) {
  return RegionPair(a, b.boundary(), b.bounds(), {&b.boundary()},
                    Sense::kInside);
}

RegionPair RegionPair::OnFirstOutsideSecond(const BoxedTriangles& a,
                                            const Solid& b) {
  // Balls around the first reach beyond it, at most as far as it is large.
  Aabb box = a.Bounds();
  const double by = MaxCoordinate(box.hi - box.lo);
  box.lo -= Vec3{by, by, by};
  box.hi += Vec3{by, by, by};
  return RegionPair(a, b.boundary(), box, {}, Sense::kOutside);
}

RegionPair::RegionPair(const BoxedTriangles& a, const BoxedTriangles& b,
                       const Aabb& world,
                       std::initializer_list<const BoxedTriangles*> around,
                       Sense sense)
    : has_region_(!IsEmpty(world)) {
  if (!has_region_) return;
  frame_ = FrameFor(a, b, world);
  box_ = frame_.Enter(world);
  if (frame_.is_turned) {
    for (const BoxedTriangles* all : around) {
      box_ = Intersection(box_, BoundsIn(frame_, all->triangles));
    }
    has_region_ = !IsEmpty(box_);
    if (!has_region_) return;
  }
  solids_.reserve(2);
  solids_.emplace_back(frame_, a, box_, Sense::kInside);
  solids_.emplace_back(frame_, b, box_, sense);
  error_ = std::max(solids_[0].error(), solids_[1].error()) +
           0x1p-51 * MaxCoordinate(Abs(frame_.origin));
}

RegionCell RegionPair::Root() const {
  RegionCell root{.box = box_, .triangles = {}};
  for (size_t i = 0; i < 2; ++i) {
    root.triangles[i].resize(solids_[i].triangles().size());
    for (uint32_t k = 0; k < root.triangles[i].size(); ++k) {
      root.triangles[i][k] = k;
    }
  }
  return root;
}

void RegionPair::Keep(const Aabb& reach, RegionCell* cell) const {
  const Vec3 center = reach.Center();
  const Vec3 half = reach.HalfExtents();
  for (size_t i = 0; i < 2; ++i) {
    const std::span<const BoundaryTriangle> all = solids_[i].triangles();
    std::erase_if(cell->triangles[i], [&](uint32_t k) {
      const BoundaryTriangle& t = all[k];
      return !Overlap(t.box, reach) ||
             std::abs(Dot(t.normal, center - t.corners.a)) >
                 Dot(Abs(t.normal), half) + 4 * error_;
    });
  }
}

CellSplit RegionPair::SplitOf(const RegionCell& cell, double shortest) const {
  const Vec3 size = cell.box.hi - cell.box.lo;
  // An axis along which nothing changes, as that of a beam, is cut late. (Not
  // never: what spans it may be half of a face, cut from corner to corner.)
  constexpr double kLate = 1.0 / 32;
  std::array<bool, 3> matters{};
  for (size_t i = 0; i < 2; ++i) {
    for (const uint32_t k : cell.triangles[i]) {
      const BoundaryTriangle& t = solids_[i].triangles()[k];
      for (size_t axis = 0; axis < 3; ++axis) {
        matters[axis] = matters[axis] || t.normal == Vec3{} ||
                        std::abs(t.normal[axis]) > 0x1p-20 ||
                        t.box.lo[axis] > cell.box.lo[axis] + 4 * error_ ||
                        t.box.hi[axis] < cell.box.hi[axis] - 4 * error_;
      }
    }
  }
  const auto weight = [&](size_t axis) {
    return matters[axis] ? size[axis] : kLate * size[axis];
  };
  size_t longest = 0;
  for (size_t axis = 1; axis < 3; ++axis) {
    if (weight(axis) > weight(longest)) longest = axis;
  }
  CellSplit best{longest, cell.box.Center()[longest]};
  // How far from an end of its side a cut is, at least, as a share.
  double best_share = 0x1p-5;
  for (size_t i = 0; i < 2; ++i) {
    for (const uint32_t k : cell.triangles[i]) {
      const Aabb& box = solids_[i].triangles()[k].box;
      for (size_t axis = 0; axis < 3; ++axis) {
        if (box.hi[axis] - box.lo[axis] > 4 * error_) continue;
        if (!(size[axis] > shortest)) continue;
        const double at = box.lo[axis] / 2 + box.hi[axis] / 2;
        const double share =
            std::min(at - cell.box.lo[axis], cell.box.hi[axis] - at) /
            size[axis];
        if (share > best_share) {
          best_share = share;
          best = {axis, at};
        }
      }
    }
  }
  return best;
}

}  // namespace orbox
