// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/region_pair.h"

#include <algorithm>
#include <cmath>

#include "orbox/bvh/solids/internal/square_axes.h"

namespace orbox {

Aabb RegionPair::Frame::Leave(const Aabb& box) const {
  if (!is_turned) return {Leave(box.lo), Leave(box.hi)};
  const Vec3 center = Leave(box.Center());
  const Vec3 half = box.HalfExtents();
  const Vec3 reach =
      Abs(axes[0]) * half.x + Abs(axes[1]) * half.y + Abs(axes[2]) * half.z;
  return {center - reach, center + reach};
}

Aabb RegionPair::Frame::Enter(const Aabb& box) const {
  if (!is_turned) return {Enter(box.lo), Enter(box.hi)};
  const Vec3 center = Enter(box.Center());
  const Vec3 half = box.HalfExtents();
  const Vec3 reach{Dot(Abs(axes[0]), half), Dot(Abs(axes[1]), half),
                   Dot(Abs(axes[2]), half)};
  return {center - reach, center + reach};
}

void RegionPair::ChooseFrame(const Aabb& world) {
  frame_.origin = world.Center();
  // Vectors along normals, with twice the area as their length.
  std::vector<Vec3> areas;
  std::vector<uint32_t> ids;
  for (const Solid* solid : solids_) {
    ids.clear();
    solid->AppendNear(world, &ids);
    for (const uint32_t id : ids) {
      const Triangle t = solid->triangle(id);
      areas.push_back(Cross(t.b - t.a, t.c - t.a));
    }
  }
  const auto [z, x, y] = SquareAxes(areas);
  // Not turned if the axes are coordinate axes up to rounding.
  frame_.is_turned =
      std::min(MaxCoordinate(Abs(z)), MaxCoordinate(Abs(x))) <= 1 - 0x1p-40;
  if (frame_.is_turned) frame_.axes = {x, y, z};
}

Aabb RegionPair::BoundsInFrame(const Solid& solid) const {
  const Vec3 first = frame_.Enter(solid.triangle(0).a);
  Aabb bounds{first, first};
  for (uint32_t id = 0; id < solid.triangle_count(); ++id) {
    bounds = Union(bounds, BoundsOf(frame_.Enter(solid.triangle(id))));
  }
  return bounds;
}

RegionPair::RegionPair(const Solid& a, const Solid& b) : solids_{&a, &b} {
  const Aabb world = Intersection(a.bounds(), b.bounds());
  has_region_ = !IsEmpty(world);
  if (!has_region_) return;
  ChooseFrame(world);
  box_ = frame_.Enter(world);
  if (frame_.is_turned) {
    box_ = Intersection(box_, Intersection(BoundsInFrame(a), BoundsInFrame(b)));
    has_region_ = !IsEmpty(box_);
    if (!has_region_) return;
  }
  for (size_t i = 0; i < 2; ++i) {
    std::vector<uint32_t> ids;
    solids_[i]->AppendNear(frame_.Leave(box_), &ids);
    double error = 0;
    for (const uint32_t id : ids) {
      const Triangle t = frame_.Enter(solids_[i]->triangle(id));
      if (!Overlaps(BoundsOf(t), box_)) continue;
      triangles_[i].emplace_back(t);
      error = std::max(error, triangles_[i].back().error);
    }
    error += kSolidRounding * MagnitudeOf(box_) + solids_[i]->error();
    error_ = std::max(error_, error);
  }
  error_ += 0x1p-51 * MaxCoordinate(Abs(frame_.origin));
}

RegionCell RegionPair::Root() const {
  RegionCell root{.box = box_, .triangles = {}};
  for (size_t i = 0; i < 2; ++i) {
    root.triangles[i].resize(triangles_[i].size());
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
    const std::vector<BoundaryTriangle>& all = triangles_[i];
    std::erase_if(cell->triangles[i], [&](uint32_t k) {
      const BoundaryTriangle& t = all[k];
      return !Overlaps(t.box, reach) ||
             std::abs(Dot(t.normal, center - t.corners.a)) >
                 Dot(Abs(t.normal), half) + 4 * error_;
    });
  }
}

CellSplit RegionPair::SplitOf(const RegionCell& cell) const {
  const Vec3 size = cell.box.hi - cell.box.lo;
  // An axis along which nothing changes, such as the axis of a beam, is cut
  // late. It has to be cut at some time, because a triangle across it may be
  // half of a face that is divided from corner to corner.
  constexpr double kLate = 1.0 / 32;
  std::array<bool, 3> matters{};
  for (size_t i = 0; i < 2; ++i) {
    for (const uint32_t k : cell.triangles[i]) {
      const BoundaryTriangle& t = triangles_[i][k];
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
      const Aabb& box = triangles_[i][k].box;
      for (size_t axis = 0; axis < 3; ++axis) {
        if (box.hi[axis] - box.lo[axis] > 4 * error_) continue;
        if (!(size[axis] > 0)) continue;
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
