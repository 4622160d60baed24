// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/ball_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// From one look at a cell to the next, its balls get smaller by so much of the
// radius: then faces that a ball only touches are out of reach, and, with the
// larger ones, those that stick out a little.
constexpr std::array<double, 4> kShrinks = {0, 0x1p-12, 0x1p-7, 0x1p-5};

Aabb GrownBy(const Aabb& box, double by) {
  const Vec3 v{by, by, by};
  return {box.lo - v, box.hi + v};
}

Aabb Common(const Aabb& a, const Aabb& b) {
  return {Max(a.lo, b.lo), Min(a.hi, b.hi)};
}

bool IsVoid(const Aabb& box) {
  return !(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y &&
           box.lo.z <= box.hi.z);
}

Vec3 CornerOf(const Aabb& box, size_t i) {
  return {(i & 1) != 0 ? box.hi.x : box.lo.x,
          (i & 2) != 0 ? box.hi.y : box.lo.y,
          (i & 4) != 0 ? box.hi.z : box.lo.z};
}

// The least and the greatest Dot(n, p) of a box.
Extent ExtentOf(const Aabb& box, const Vec3& n) {
  const double middle = Dot(box.Center(), n);
  const double half = Dot(Abs(n), box.HalfExtents());
  return {middle - half, middle + half};
}

// The point of a box with the greatest Dot(n, p).
Vec3 FarthestIn(const Aabb& box, const Vec3& n) {
  return {n.x >= 0 ? box.hi.x : box.lo.x, n.y >= 0 ? box.hi.y : box.lo.y,
          n.z >= 0 ? box.hi.z : box.lo.z};
}

double SquaredDistance(const Vec3& p, const Aabb& box) {
  return SquaredNorm(Max(Max(box.lo - p, p - box.hi), Vec3{}));
}

// A point of the box beyond the plane Dot(n, p) = at, which crosses it.
Vec3 PointBeyond(const Aabb& box, const Vec3& n, double at) {
  const Vec3 far = FarthestIn(box, n);
  const Vec3 middle = box.Center();
  const double top = Dot(n, far);
  const double drop = top - Dot(n, middle);
  const double share = drop > 0 ? std::min(0.5, 0.5 * (top - at) / drop) : 0;
  return far + (middle - far) * share;
}

}  // namespace

struct BallSearch::Cell {
  RegionCell region;
  double upper = kInfinity;  // no ball around a point of it is larger
  size_t number = 0;
};

// How deep a point is in a solid, as far as the triangles at hand tell.
struct BallSearch::Depth {
  double distance = kInfinity;  // from the nearest of them
  const BoundaryTriangle* nearest = nullptr;
  bool is_inside = true;
};

class BallSearch::Queue {
 public:
  void Push(Cell cell) {
    cell.number = pushed_++;
    cells_.push_back(std::move(cell));
    std::push_heap(cells_.begin(), cells_.end(), IsAfter);
  }
  Cell Pop() {
    std::pop_heap(cells_.begin(), cells_.end(), IsAfter);
    Cell cell = std::move(cells_.back());
    cells_.pop_back();
    return cell;
  }
  bool IsEmpty() const { return cells_.empty(); }
  size_t pushed() const { return pushed_; }

 private:
  static bool IsAfter(const Cell& x, const Cell& y) {
    return x.upper != y.upper ? x.upper < y.upper : x.number > y.number;
  }

  std::vector<Cell> cells_;
  size_t pushed_ = 0;
};

// A solid in reach that ends at a plane across an axis, and is absent beyond,
// keeps centres a radius away from it.
bool BallSearch::NarrowTo(const Aabb& reach, double radius, size_t i,
                          Cell* cell) const {
  const LocalSolid& solid = pair_.solid(i);
  const std::vector<uint32_t>& ids = cell->region.triangles[i];
  if (ids.empty()) return solid.IsInside(cell->region.box.Center());
  Aabb surface{{kInfinity, kInfinity, kInfinity},
               {-kInfinity, -kInfinity, -kInfinity}};
  for (const uint32_t k : ids) {
    const Aabb& box = solid.triangles()[k].box;
    surface = {Min(surface.lo, box.lo), Max(surface.hi, box.hi)};
  }
  surface = Common(surface, reach);
  const double error = 4 * pair_.error();
  Aabb& box = cell->region.box;
  for (size_t axis = 0; axis < 3; ++axis) {
    Vec3 p = reach.Center();
    if (reach.hi[axis] - surface.hi[axis] > error) {
      p[axis] = surface.hi[axis] / 2 + reach.hi[axis] / 2;
      if (!solid.IsInside(p)) {
        box.hi[axis] =
            std::min(box.hi[axis], surface.hi[axis] - radius + error);
      }
    }
    if (surface.lo[axis] - reach.lo[axis] > error) {
      p[axis] = surface.lo[axis] / 2 + reach.lo[axis] / 2;
      if (!solid.IsInside(p)) {
        box.lo[axis] =
            std::max(box.lo[axis], surface.lo[axis] + radius - error);
      }
    }
    if (box.lo[axis] > box.hi[axis]) return false;
  }
  return true;
}

// Centres are on the surface.
bool BallSearch::NarrowToSheet(Cell* cell) const {
  const LocalSolid& sheet = pair_.solid(0);
  Aabb surface{{kInfinity, kInfinity, kInfinity},
               {-kInfinity, -kInfinity, -kInfinity}};
  Aabb& box = cell->region.box;
  const Aabb reach = GrownBy(box, 4 * pair_.error());
  for (const uint32_t k : cell->region.triangles[0]) {
    const BoundaryTriangle& t = sheet.triangles()[k];
    const Aabb most = Common(t.box, reach);
    if (Min(most.lo, surface.lo) == surface.lo &&
        Max(most.hi, surface.hi) == surface.hi) {
      continue;  // it widens nothing, and cutting takes long
    }
    for (const Vec3& p : PartInBox(t.corners, reach)) {
      surface = {Min(surface.lo, p), Max(surface.hi, p)};
    }
  }
  surface = GrownBy(surface, 4 * pair_.error());
  box = Common(box, surface);
  return !IsVoid(box);
}

// False if the cell certainly has no centre of such a ball.
bool BallSearch::Narrow(double radius, Cell* cell) const {
  constexpr size_t kRounds = 3;
  for (size_t round = 0; round < kRounds; ++round) {
    const double r = radius * (1 - kShrinks[round]);
    for (size_t i = 0; i < 2; ++i) {
      const Aabb reach = Common(GrownBy(cell->region.box, r), pair_.box());
      pair_.Keep(reach, &cell->region);
      if (IsSheet(i) ? !NarrowToSheet(cell) : !NarrowTo(reach, r, i, cell)) {
        return false;
      }
    }
  }
  return true;
}

BallSearch::Depth BallSearch::DepthAt(const Vec3& p, size_t i,
                                      const RegionCell& cell) const {
  const LocalSolid& solid = pair_.solid(i);
  Depth depth;
  for (const uint32_t k : cell.triangles[i]) {
    const BoundaryTriangle& t = solid.triangles()[k];
    if (SquaredDistance(p, t.box) > depth.distance * depth.distance) continue;
    const double d = t.DistanceFrom(p);
    if (d < depth.distance) depth = {d, &t, true};
  }
  depth.is_inside = IsSheet(i) || solid.IsInside(p);
  return depth;
}

bool BallSearch::IsNearOneTriangle(const Cell& cell, size_t i,
                                   const Depth& depth, double radius) const {
  if (IsSheet(i) || depth.nearest == nullptr) return false;
  const auto is_near = [&](const Vec3& p) {
    return depth.nearest->DistanceFrom(p) + 8 * pair_.error() < radius;
  };
  if (centers_ == Centers::kAnywhere) {
    for (size_t k = 0; k < 8; ++k) {
      if (!is_near(CornerOf(cell.region.box, k))) return false;
    }
    return true;
  }
  // Centres are on what the sheet has in the cell, which may be little: a
  // segment across it.
  const Aabb box = GrownBy(cell.region.box, 4 * pair_.error());
  for (const uint32_t k : cell.region.triangles[0]) {
    for (const Vec3& p :
         PartInBox(pair_.solid(0).triangles()[k].corners, box)) {
      if (!is_near(p)) return false;
    }
  }
  return true;
}

// A ball reaches no farther than to either of two triangles, so it is no larger
// than half of the sum of their distances, which is convex as they are: between
// parallel ones half of what they are apart, however large the cell.
bool BallSearch::IsBetweenTwoTriangles(const Cell& cell, const Vec3& c,
                                       double radius) const {
  struct Side {
    const BoundaryTriangle* triangle = nullptr;
    double distance = kInfinity;
    Vec3 to_plane;
  };
  // The nearest one, and the nearest on the other side of the middle.
  Side near, opposite;
  for (const Side* known : {&opposite, &near}) {
    Side& side = known == &opposite ? near : opposite;
    for (size_t i = 0; i < 2; ++i) {
      if (IsSheet(i)) continue;
      for (const uint32_t k : cell.region.triangles[i]) {
        const BoundaryTriangle& t = pair_.solid(i).triangles()[k];
        const double reach = std::min(side.distance, 2 * radius);
        if (SquaredDistance(c, t.box) > reach * reach) continue;
        const Vec3 to_plane = t.normal * Dot(t.normal, t.corners.a - c);
        if (known == &near && !(Dot(to_plane, near.to_plane) < 0)) continue;
        const double d = t.DistanceFrom(c);
        if (d < side.distance) side = {&t, d, to_plane};
      }
    }
    if (side.triangle == nullptr) return false;
  }
  if (near.distance + opposite.distance >= 2 * radius) return false;
  for (size_t k = 0; k < 8; ++k) {
    const Vec3 p = CornerOf(cell.region.box, k);
    const double sum =
        near.triangle->DistanceFrom(p) + opposite.triangle->DistanceFrom(p);
    if (sum / 2 + pair_.error() >= radius) return false;
  }
  return true;
}

bool BallSearch::IsBetweenPlanes(const Cell& cell, const Vec3& n,
                                 double radius) const {
  for (const double shrink : kShrinks) {
    const double r = radius * (1 - shrink);
    const Aabb reach = Common(GrownBy(cell.region.box, r), pair_.box());
    const double error = 4 * pair_.error();
    Extent common = ExtentOf(reach, n);
    const Extent all = common;
    double needed = 2 * r;
    for (size_t i = 0; i < 2; ++i) {
      const LocalSolid& solid = pair_.solid(i);
      Extent surface{kInfinity, -kInfinity};
      // Whether it reaches so far that it narrows nothing on a side.
      const auto is_low = [&](double at) {
        return IsSheet(i) ? at - r <= common.lo : !(at - all.lo > error);
      };
      const auto is_high = [&](double at) {
        return IsSheet(i) ? at + r >= common.hi : !(all.hi - at > error);
      };
      for (const uint32_t k : cell.region.triangles[i]) {
        const BoundaryTriangle& t = solid.triangles()[k];
        // Cutting takes long, and most triangles widen it by nothing.
        const Extent whole = ExtentOf(t, n);
        if ((is_low(surface.lo) || whole.lo >= surface.lo) &&
            (is_high(surface.hi) || whole.hi <= surface.hi)) {
          continue;
        }
        const Extent e =
            ExtentInBox(t, IsSheet(i) ? cell.region.box : reach, n);
        surface = {std::min(surface.lo, e.lo), std::max(surface.hi, e.hi)};
      }
      if (IsSheet(i)) {
        // Centres are on it, and balls reach a radius farther.
        common.lo = std::max(common.lo, surface.lo - r);
        common.hi = std::min(common.hi, surface.hi + r);
        continue;
      }
      if (surface.lo > surface.hi) continue;
      if (all.hi - surface.hi > error &&
          !solid.IsInside(PointBeyond(reach, n, surface.hi))) {
        common.hi = std::min(common.hi, surface.hi);
      }
      if (surface.lo - all.lo > error &&
          !solid.IsInside(PointBeyond(reach, -n, -surface.lo))) {
        common.lo = std::max(common.lo, surface.lo);
      }
    }
    if (common.hi - common.lo + error < needed) return true;
  }
  return false;
}

// The radius of the largest ball around a point of the box that is certainly
// inside both.
double BallSearch::RadiusAt(const Vec3& p) const {
  const Vec3 margin = Min(p - pair_.box().lo, pair_.box().hi - p);
  double radius = std::min(margin.x, std::min(margin.y, margin.z));
  for (size_t i = 0; i < 2; ++i) {
    if (IsSheet(i)) continue;
    const LocalSolid& solid = pair_.solid(i);
    for (const BoundaryTriangle& t : solid.triangles()) {
      if (SquaredDistance(p, t.box) > radius * radius) continue;
      radius = std::min(radius, t.DistanceFrom(p));
    }
    if (radius <= 0 || !solid.IsInside(p)) return 0;
  }
  return std::max(0.0, radius - 2 * pair_.error());
}

double BallSearch::Excluded(double radius, double band) const {
  return std::max(radius * (1 + band), radius + 16 * pair_.error());
}

BallFound BallSearch::Find(double radius, double band, const Execution& run,
                           size_t most_cells) const {
  if (!pair_.has_region()) return {};
  const bool is_anywhere = centers_ == Centers::kAnywhere;
  const double sought = Excluded(radius, band);
  Queue queue;
  Cell root{.region = pair_.Root()};
  root.region.box = GrownBy(pair_.box(), 2 * pair_.error() - sought);
  if (IsVoid(root.region.box)) return {};
  queue.Push(std::move(root));
  while (!queue.IsEmpty()) {
    run.CheckCancelled();
    if (queue.pushed() > most_cells) {
      return {.is_certain = false};
    }
    Cell cell = queue.Pop();
    if (!Narrow(sought, &cell)) continue;
    const Aabb& box = cell.region.box;
    Vec3 c = box.Center();
    const double half_diagonal = Norm(box.HalfExtents());
    const Depth first = DepthAt(c, 0, cell.region);
    const Depth second = DepthAt(c, 1, cell.region);
    double depth = kInfinity;
    for (const Depth* d : {&first, &second}) {
      if (IsSheet(d == &first ? 0 : 1)) continue;
      depth = std::min(depth, d->is_inside ? d->distance : -d->distance);
    }
    if (depth > radius || !is_anywhere) {
      if (!is_anywhere && first.nearest != nullptr) {
        c = Distance(c, first.nearest->corners).closest;
      }
      const double found = RadiusAt(c);
      if (found > radius) {
        return {.ball = Sphere{pair_.frame().Leave(c), found}};
      }
    }
    cell.upper = std::min(cell.upper, depth + half_diagonal + pair_.error());
    if (cell.upper < sought) continue;
    if (IsNearOneTriangle(cell, 0, first, sought) ||
        IsNearOneTriangle(cell, 1, second, sought)) {
      continue;
    }
    if (IsBetweenTwoTriangles(cell, box.Center(), sought)) continue;
    bool is_thin = false;
    for (const Depth* d : {&first, &second}) {
      if (d->nearest == nullptr || d->nearest->normal == Vec3{}) continue;
      const Vec3& n = d->nearest->normal;
      // Along the axes, the cell has been narrowed.
      if (MaxCoordinate(Abs(n)) > 1 - 0x1p-40) continue;
      is_thin = is_thin || IsBetweenPlanes(cell, n, sought);
    }
    if (is_thin) continue;
    const CellSplit split = pair_.SplitOf(cell.region, radius / 4);
    Cell other = cell;
    cell.region.box.hi[split.axis] = split.at;
    other.region.box.lo[split.axis] = split.at;
    queue.Push(std::move(cell));
    queue.Push(std::move(other));
  }
  return {};
}

Sphere BallSearch::Improved(const Sphere& ball) const {
  Vec3 c = pair_.frame().Enter(ball.center);
  double radius = RadiusAt(c);
  if (!(radius > 0)) return ball;
  // Steps along the axes and the diagonals, which get shorter where none helps.
  double step = radius;
  for (int halvings = 0; halvings < 12;) {
    bool is_better = false;
    for (int i = 0; i < 27; ++i) {
      const Vec3 d{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
      const Vec3 p = c + d * step;
      const double r = RadiusAt(p);
      if (r > radius * (1 + 0x1p-20)) {
        c = p;
        radius = r;
        is_better = true;
      }
    }
    if (is_better) continue;
    step /= 2;
    ++halvings;
  }
  return radius > ball.radius ? Sphere{pair_.frame().Leave(c), radius} : ball;
}

}  // namespace orbox
