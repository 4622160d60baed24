// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/volume_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/inside/internal/polygon.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Number of boxes after which the search gives up.
constexpr size_t kMostBoxes = 300'000;

// The points p with Dot(n, p) <= offset.
struct CutSpace {
  Vec3 n;
  double offset;
};

// Range of Dot(n, p) over a set of points; lo > hi if the set is empty.
struct Extent {
  double lo = kInfinity;
  double hi = -kInfinity;

  void Add(double at) {
    lo = std::min(lo, at);
    hi = std::max(hi, at);
  }
};

// Returns the extent of the part of a triangle in a box, widened by the
// rounding error.
Extent ExtentInBox(const BoundaryTriangle& t, const Aabb& box, const Vec3& n) {
  const bool is_whole = Contains(box, t.box.lo) && Contains(box, t.box.hi);
  const Polygon part =
      is_whole ? Polygon(t.corners) : PartInBox(t.corners, box);
  Extent extent;
  for (const Vec3& p : part) extent.Add(Dot(n, p));
  const double error = kSolidRounding * MagnitudeOf(t.box);
  return {extent.lo - error, extent.hi + error};
}

double BoxVolume(const Aabb& box) {
  const Vec3 size = box.hi - box.lo;
  return size.x * size.y * size.z;
}

// Returns half the surface of a box.
double HalfSurface(const Aabb& box) {
  const Vec3 size = box.hi - box.lo;
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

// Part of a box, as tetrahedra without common interior. Corners are relative to
// the centre of the box.
//
// A plane cuts each tetrahedron independently, so that no case is degenerate: a
// sliver that a rounded height adds or drops has nearly no volume.
class BoxPart {
 public:
  explicit BoxPart(const Aabb& box) : center_(box.Center()) {
    // One tetrahedron for each order of the axes, along which it goes from
    // corner to corner.
    constexpr size_t kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const Vec3 lo = box.lo - center_;
    const Vec3 hi = box.hi - center_;
    for (const auto& order : kOrders) {
      Tetrahedron t{lo, lo, lo, hi};
      t[1][order[0]] = hi[order[0]];
      t[2] = t[1];
      t[2][order[1]] = hi[order[1]];
      all_.push_back(t);
    }
  }

  void Clip(const CutSpace& h) {
    const double offset = h.offset - Dot(h.n, center_);
    std::vector<Tetrahedron> kept;
    kept.reserve(2 * all_.size());
    for (const Tetrahedron& t : all_) ClipOne(t, h.n, offset, &kept);
    all_ = std::move(kept);
  }

  double Volume() const {
    double sixfold = 0;
    for (const Tetrahedron& t : all_) {
      sixfold += std::abs(Dot(t[1] - t[0], Cross(t[2] - t[0], t[3] - t[0])));
    }
    return sixfold / 6;
  }

 private:
  using Tetrahedron = std::array<Vec3, 4>;

  static void ClipOne(const Tetrahedron& t, const Vec3& n, double offset,
                      std::vector<Tetrahedron>* kept) {
    // First the corners that stay, then those beyond the plane.
    std::array<Vec3, 4> p;
    std::array<double, 4> height;
    size_t stay = 0;
    size_t beyond = 4;
    for (const Vec3& corner : t) {
      const double at = Dot(n, corner) - offset;
      const size_t i = at > 0 ? --beyond : stay++;
      p[i] = corner;
      height[i] = at;
    }
    const auto cut = [&](size_t i, size_t j) {
      return p[i] + (p[j] - p[i]) * (height[i] / (height[i] - height[j]));
    };
    const auto add_prism = [&](const std::array<Vec3, 3>& a,
                               const std::array<Vec3, 3>& b) {
      kept->push_back({a[0], a[1], a[2], b[2]});
      kept->push_back({a[0], a[1], b[1], b[2]});
      kept->push_back({a[0], b[0], b[1], b[2]});
    };
    switch (stay) {
      case 1:
        kept->push_back({p[0], cut(0, 1), cut(0, 2), cut(0, 3)});
        break;
      case 2:
        add_prism({p[0], cut(0, 2), cut(0, 3)}, {p[1], cut(1, 2), cut(1, 3)});
        break;
      case 3:
        add_prism({p[0], p[1], p[2]}, {cut(0, 3), cut(1, 3), cut(2, 3)});
        break;
      case 4:
        kept->push_back(t);
        break;
      default:
        break;
    }
  }

  Vec3 center_;
  std::vector<Tetrahedron> all_;
};

double VolumeWithin(const Aabb& box, const std::vector<CutSpace>& halves) {
  if (halves.empty()) return BoxVolume(box);
  BoxPart part(box);
  for (const CutSpace& h : halves) part.Clip(h);
  return part.Volume();
}

// Lower and upper bound of a solid in a box. Each is an intersection of
// half-spaces with the box, or nothing if is_void.
struct Convex {
  bool is_void = false;
  std::vector<CutSpace> halves;
};
struct Sandwich {
  Convex least;
  Convex most;
};

class VolumeSearch {
 public:
  // Only the upper bound counts surfaces along a side of a box, such as those
  // along which it was cut and those of the common bounds.
  VolumeSearch(const RegionPair& pair, const MeasureError& error)
      : pair_(pair),
        shell_(std::clamp(error.relative / 256, 0x1p-30, 0x1p-12)) {}

  struct Subregion {
    RegionCell region;
    MeasureBounds volume;
    size_t number = 0;
    // The bounds of its halves would be no closer.
    bool is_settled = false;

    double gap() const { return volume.upper - volume.lower; }
  };

  void Bound(Subregion* piece) const;

 private:
  // Returns the box reduced to avoid surfaces along its sides. A side moves
  // past whole triangles within a fraction `shell_` of it, or within the
  // rounding error.
  Aabb InnerOf(const RegionCell& cell) const;
  // Requires that the cell has all triangles within `reach`, which contains the
  // cell's box and the rounding error around it.
  Sandwich SandwichOf(size_t i, const RegionCell& cell,
                      const Aabb& reach) const;
  Vec3 DirectionIn(size_t i, const RegionCell& cell) const;

  const RegionPair& pair_;
  double shell_;  // relative to a side
};

// Returns the normal of the triangle nearest to the middle of the box.
Vec3 VolumeSearch::DirectionIn(size_t i, const RegionCell& cell) const {
  const Vec3 middle = cell.box.Center();
  const BoundaryTriangle* nearest = nullptr;
  double least = kInfinity;
  for (const uint32_t k : cell.triangles[i]) {
    const BoundaryTriangle& t = pair_.triangles(i)[k];
    if (t.normal == Vec3{}) continue;
    const double d = t.DistanceFrom(middle);
    if (d < least) {
      least = d;
      nearest = &t;
    }
  }
  return nearest == nullptr ? Vec3{1, 0, 0} : nearest->normal;
}

Aabb VolumeSearch::InnerOf(const RegionCell& cell) const {
  const Aabb& whole = cell.box;
  const Vec3 reach = (whole.hi - whole.lo) * shell_;
  const Vec3 rim = Vec3{1, 1, 1} * (8 * pair_.error());
  Aabb inner{whole.lo + rim, whole.hi - rim};
  for (size_t i = 0; i < 2; ++i) {
    for (const uint32_t k : cell.triangles[i]) {
      const Aabb& box = pair_.triangles(i)[k].box;
      for (size_t axis = 0; axis < 3; ++axis) {
        if (box.hi[axis] <= whole.lo[axis] + reach[axis]) {
          inner.lo[axis] = std::max(inner.lo[axis], box.hi[axis] + rim[axis]);
        }
        if (box.lo[axis] >= whole.hi[axis] - reach[axis]) {
          inner.hi[axis] = std::min(inner.hi[axis], box.lo[axis] - rim[axis]);
        }
      }
    }
  }
  return inner;
}

Sandwich VolumeSearch::SandwichOf(size_t i, const RegionCell& cell,
                                  const Aabb& reach) const {
  const Aabb& box = cell.box;
  const Vec3 middle = box.Center();
  const Vec3 n = DirectionIn(i, cell);
  Extent surface;
  for (const uint32_t k : cell.triangles[i]) {
    const Extent e = ExtentInBox(pair_.triangles(i)[k], reach, n);
    surface = {std::min(surface.lo, e.lo), std::max(surface.hi, e.hi)};
  }
  if (surface.lo > surface.hi) {
    const Convex whole{.is_void = !pair_.IsInside(i, middle), .halves = {}};
    return {whole, whole};
  }
  const double error = 4 * pair_.error();
  surface = {surface.lo - error, surface.hi + error};
  const double half = Dot(Abs(n), box.HalfExtents());
  const Extent all{Dot(n, middle) - half, Dot(n, middle) + half};
  // Tests the sides beyond the surface. A side that is outside of the box has
  // nothing.
  const auto is_inside_at = [&](double at) {
    // A point of the box at that height: on the line from corner to corner.
    const Vec3 h = box.HalfExtents();
    const Vec3 up{std::copysign(h.x, n.x), std::copysign(h.y, n.y),
                  std::copysign(h.z, n.z)};
    const double share = half > 0 ? (at - Dot(n, middle)) / half : 0;
    return pair_.IsInside(i, middle + up * share);
  };
  const bool has_above = surface.hi < all.hi;
  const bool has_below = surface.lo > all.lo;
  const bool above = has_above && is_inside_at(surface.hi / 2 + all.hi / 2);
  const bool below = has_below && is_inside_at(surface.lo / 2 + all.lo / 2);
  Sandwich s;
  const bool takes_above =
      above && (!below || all.hi - surface.hi > surface.lo - all.lo);
  s.least.is_void = !above && !below;
  if (takes_above) s.least.halves.push_back({-n, -surface.hi});
  if (below && !takes_above) s.least.halves.push_back({n, surface.lo});
  if (has_above && !above) s.most.halves.push_back({n, surface.hi});
  if (has_below && !below) s.most.halves.push_back({-n, -surface.lo});
  return s;
}

void VolumeSearch::Bound(Subregion* piece) const {
  const Aabb& whole = piece->region.box;
  const double all = BoxVolume(whole);
  piece->volume = {0, all};
  const double error = pair_.error();
  RegionCell inner = piece->region;
  inner.box = InnerOf(piece->region);
  const Vec3 size = inner.box.hi - inner.box.lo;
  if (!(std::min(size.x, std::min(size.y, size.z)) > 0)) return;
  // A solid without a triangle in the box contains all of the box or nothing,
  // except for surfaces that rounding moves beyond its sides.
  const double beyond = 4 * error * HalfSurface(whole);
  bool is_plain = true;
  for (size_t i = 0; i < 2; ++i) {
    if (!piece->region.triangles[i].empty()) {
      is_plain = false;
    } else if (!pair_.IsInside(i, whole.Center())) {
      piece->volume = {0, std::min(all, beyond)};
      piece->is_settled = true;
      return;
    }
  }
  if (is_plain) {
    piece->volume.lower = std::max(0.0, all - beyond);
    piece->is_settled = true;
    return;
  }
  const Vec3 rim = Vec3{1, 1, 1} * (2 * error);
  const Aabb reach{inner.box.lo - rim, inner.box.hi + rim};
  pair_.Keep(reach, &inner);
  const Sandwich a = SandwichOf(0, inner, reach);
  const Sandwich b = SandwichOf(1, inner, reach);
  const auto volume_of = [&](const Convex& x, const Convex& y) {
    if (x.is_void || y.is_void) return 0.0;
    std::vector<CutSpace> halves = x.halves;
    halves.insert(halves.end(), y.halves.begin(), y.halves.end());
    return VolumeWithin(inner.box, halves);
  };
  // Rounding moves a plane by less than 2^-48 of the longest side, and no part
  // of a plane in the box is larger than half the surface of the box.
  const double rounding = 0x1p-46 * MaxCoordinate(size) * HalfSurface(whole);
  const double around = all - BoxVolume(inner.box);
  const double least = volume_of(a.least, b.least);
  const double most = volume_of(a.most, b.most);
  piece->volume.lower = std::max(0.0, least - rounding);
  piece->volume.upper = std::min(all, most + around + rounding);
}

}  // namespace

MeasureBounds SearchVolume(const RegionPair& pair, const MeasureError& error,
                           const Execution& run) {
  if (!pair.has_region()) return {};
  using Subregion = VolumeSearch::Subregion;
  const VolumeSearch search(pair, error);
  const auto is_after = [](const Subregion& x, const Subregion& y) {
    return x.gap() != y.gap() ? x.gap() < y.gap() : x.number > y.number;
  };
  std::vector<Subregion> queue{{.region = pair.Root()}};
  search.Bound(&queue[0]);
  MeasureBounds settled;                 // of boxes that have left the queue
  MeasureBounds open = queue[0].volume;  // of boxes in the queue
  size_t count = 1;
  const double cube = error.absolute * error.absolute * error.absolute;
  // Negligible volume: a fraction of the common bounds, and the rounding error.
  const double negligible =
      std::max(0x1p-24 * BoxVolume(pair.box()),
               64 * pair.error() * HalfSurface(pair.box()));
  Pulse pulse(run);
  while (!queue.empty() && count < kMostBoxes) {
    pulse.Check();
    const double lower = settled.lower + open.lower;
    const double gap = settled.upper + open.upper - lower;
    if (gap <= std::max({error.relative * lower, cube, negligible})) break;
    std::pop_heap(queue.begin(), queue.end(), is_after);
    Subregion piece = std::move(queue.back());
    queue.pop_back();
    open.lower -= piece.volume.lower;
    open.upper -= piece.volume.upper;
    const CellSplit split = pair.SplitOf(piece.region);
    for (const bool is_low : {true, false}) {
      Subregion part{.region = piece.region};
      Aabb& box = part.region.box;
      (is_low ? box.hi : box.lo)[split.axis] = split.at;
      pair.Keep(box, &part.region);
      search.Bound(&part);
      part.number = count++;
      if (part.is_settled || part.gap() <= 0x1p-38 * BoxVolume(box)) {
        settled.lower += part.volume.lower;
        settled.upper += part.volume.upper;
        continue;
      }
      open.lower += part.volume.lower;
      open.upper += part.volume.upper;
      queue.push_back(std::move(part));
      std::push_heap(queue.begin(), queue.end(), is_after);
    }
  }
  // Sums again, because the differences have accumulated rounding errors.
  MeasureBounds total = settled;
  for (const Subregion& piece : queue) {
    total.lower += piece.volume.lower;
    total.upper += piece.volume.upper;
  }
  const double rounding = 0x1p-52 * static_cast<double>(count + 16);
  // Rounding may move the solids beyond the common bounds.
  if (total.upper > 0) {
    total.upper += 4 * pair.error() * HalfSurface(pair.box());
  }
  return {total.lower * (1 - rounding), total.upper * (1 + rounding)};
}

}  // namespace orbox
