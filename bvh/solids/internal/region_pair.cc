// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/region_pair.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace orbox {
namespace {

// Returns a vector along the normal of a triangle, with twice its area as its
// length.
Vec3 AreaOf(const Triangle& t) { return Cross(t.b - t.a, t.c - t.a); }

// Returns true if `unit` is parallel to an axis up to rounding.
bool IsAlongAxis(const Vec3& unit) {
  return MaxCoordinate(Abs(unit)) > 1 - 0x1p-40;
}

// Chooses two directions that most of the surface near the box faces: the
// normal of the largest triangle, and the normal of the largest triangle at
// right angles to it. Coincident faces then have flat boxes.
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

Frame FrameFor(const Solid& a, const Solid& b, const Aabb& world) {
  std::vector<Vec3> areas;  // of triangles near the box
  std::vector<uint32_t> ids;
  for (const Solid* solid : {&a, &b}) {
    ids.clear();
    solid->AppendNear(world, &ids);
    for (const uint32_t id : ids) areas.push_back(AreaOf(solid->triangle(id)));
  }
  FrameChoice choice;
  for (const Vec3& area : areas) choice.AddFirst(area);
  for (const Vec3& area : areas) choice.AddSecond(area);
  return choice.Choose(world.Center());
}

Aabb BoundsIn(const Frame& frame, const Solid& solid) {
  const Vec3 first = frame.Enter(solid.triangle(0).a);
  Aabb bounds{first, first};
  for (uint32_t id = 0; id < solid.triangle_count(); ++id) {
    const Triangle t = solid.triangle(id);
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 p = frame.Enter(t[k]);
      bounds = {Min(bounds.lo, p), Max(bounds.hi, p)};
    }
  }
  return bounds;
}

}  // namespace

RegionPair RegionPair::Shared(const Solid& a, const Solid& b) {
  return RegionPair(a, b, Intersection(a.bounds(), b.bounds()));
}

RegionPair::RegionPair(const Solid& a, const Solid& b, const Aabb& world)
    : has_region_(!IsEmpty(world)) {
  if (!has_region_) return;
  frame_ = FrameFor(a, b, world);
  box_ = frame_.Enter(world);
  if (frame_.is_turned) {
    box_ = Intersection(box_,
                        Intersection(BoundsIn(frame_, a), BoundsIn(frame_, b)));
    has_region_ = !IsEmpty(box_);
    if (!has_region_) return;
  }
  solids_.reserve(2);
  solids_.emplace_back(frame_, a, box_);
  solids_.emplace_back(frame_, b, box_);
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
  // An axis along which nothing changes, such as the axis of a beam, is cut
  // late. It has to be cut at some time, because a triangle across it may be
  // half of a face that is divided from corner to corner.
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
  // Smallest allowed distance of a cut from an end of the side, as a fraction
  // of the side.
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
