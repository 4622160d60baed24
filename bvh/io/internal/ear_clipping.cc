// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/ear_clipping.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace orbox::mesh_internal {
namespace {

// A grid of equal cells over points. Each cell lists the ids of its points.
class PointGrid {
 public:
  // Requires at least one point.
  PointGrid(std::span<const Vec3> points, const PolygonPlane& plane,
            const std::vector<uint32_t>& ids)
      : plane_(plane), lo_(points[0]) {
    // Mean number of ids per cell. Finding a cell costs as much as testing some
    // points.
    constexpr size_t kIdsPerCell = 4;
    Vec3 hi = lo_;
    for (const Vec3& p : points) {
      lo_ = Min(lo_, p);
      hi = Max(hi, p);
    }
    side_ = std::max<size_t>(
        1, static_cast<size_t>(std::sqrt(static_cast<double>(ids.size()) /
                                         static_cast<double>(kIdsPerCell))));
    for (const size_t axis : {plane.u, plane.v}) {
      const double length = hi[axis] - lo_[axis];
      scale_[axis] = length > 0 ? static_cast<double>(side_) / length : 0;
    }
    begin_.assign(side_ * side_ + 1, 0);
    for (const uint32_t id : ids) ++begin_[CellOf(points[id]) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    ids_.resize(ids.size());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const uint32_t id : ids) ids_[next[CellOf(points[id])]++] = id;
  }

  // Returns true if `matches(id)` is true for an id in a cell that overlaps the
  // box from lo to hi.
  template <typename Match>
  bool AnyOf(const Vec3& lo, const Vec3& hi, Match matches) const {
    const size_t last_u = Coordinate(hi, plane_.u);
    const size_t last_v = Coordinate(hi, plane_.v);
    for (size_t v = Coordinate(lo, plane_.v); v <= last_v; ++v) {
      const size_t row = v * side_;
      const uint32_t end = begin_[row + last_u + 1];
      for (uint32_t i = begin_[row + Coordinate(lo, plane_.u)]; i < end; ++i) {
        if (matches(ids_[i])) return true;
      }
    }
    return false;
  }

 private:
  size_t Coordinate(const Vec3& p, size_t axis) const {
    return std::min(side_ - 1,
                    static_cast<size_t>((p[axis] - lo_[axis]) * scale_[axis]));
  }
  size_t CellOf(const Vec3& p) const {
    return Coordinate(p, plane_.v) * side_ + Coordinate(p, plane_.u);
  }

  const PolygonPlane plane_;
  Vec3 lo_;
  Vec3 scale_;
  size_t side_ = 1;
  std::vector<uint32_t> begin_;  // start of each cell in ids_
  std::vector<uint32_t> ids_;
};

class EarClipper {
 public:
  EarClipper(std::span<const Vec3> points, const PolygonPlane& plane)
      : points_(points), plane_(plane), corners_(points.size()) {
    const auto n = static_cast<uint32_t>(points.size());
    for (uint32_t i = 0; i < n; ++i) {
      corners_[i] = {.previous = i == 0 ? n - 1 : i - 1,
                     .next = i + 1 == n ? 0 : i + 1};
    }
    for (uint32_t i = 0; i < n; ++i) {
      corners_[i].side = SideAt(i);
      if (corners_[i].side <= 0) blockers_.push_back(i);
    }
  }

  // Returns triangles of corner positions. There are fewer than n - 2 if the
  // polygon crosses itself.
  std::vector<TriangleIndices> Clip();

 private:
  // Conditions for an ear, the strictest first. A condition is used only if no
  // corner fulfils an earlier one.
  enum Stage {
    kNothingInside,  // nor on its sides, where others touch the polygon
    kNothingStrictlyInside,
    kWithoutArea,  // corners in a side, and spikes
    kNone
  };

  struct Corner {
    uint32_t previous = 0;
    uint32_t next = 0;
    int side = 0;  // 1 if convex
    bool is_clipped = false;
  };

  int SideAt(uint32_t i) const {
    return plane_.Side(points_[corners_[i].previous], points_[i],
                       points_[corners_[i].next]);
  }
  bool IsEar(uint32_t i, Stage stage, const PointGrid& grid) const;
  // Returns true if the corner `other` prevents the ear at i.
  bool IsInEar(uint32_t other, uint32_t i, Stage stage) const;
  void Remove(uint32_t i);

  const std::span<const Vec3> points_;
  const PolygonPlane plane_;
  std::vector<Corner> corners_;
  // The corners that are not convex. If an ear contains any corner, it contains
  // one of these.
  std::vector<uint32_t> blockers_;
};

bool EarClipper::IsInEar(uint32_t other, uint32_t i, Stage stage) const {
  const Corner& corner = corners_[i];
  if (other == corner.previous || other == i || other == corner.next ||
      corners_[other].is_clipped || corners_[other].side > 0) {
    return false;
  }
  const Vec3& a = points_[corner.previous];
  const Vec3& b = points_[i];
  const Vec3& c = points_[corner.next];
  const Vec3& p = points_[other];
  const int least = stage == kNothingInside ? 0 : 1;
  if (plane_.Side(a, b, p) < least || plane_.Side(b, c, p) < least ||
      plane_.Side(c, a, p) < least) {
    return false;
  }
  const auto is_at = [&](const Vec3& q) {
    return p[plane_.u] == q[plane_.u] && p[plane_.v] == q[plane_.v];
  };
  // A side that starts at the corner a or c of the ear does not cross the ear.
  if (is_at(a) || is_at(c)) return false;
  if (!is_at(b)) return true;
  // A side that starts at b may cross the ear.
  for (const uint32_t end : {corners_[other].previous, corners_[other].next}) {
    if (plane_.Side(a, b, points_[end]) > 0 &&
        plane_.Side(b, c, points_[end]) > 0) {
      return true;
    }
  }
  return false;
}

bool EarClipper::IsEar(uint32_t i, Stage stage, const PointGrid& grid) const {
  const Corner& corner = corners_[i];
  if (stage == kWithoutArea) return corner.side == 0;
  if (corner.side <= 0) return false;
  const Vec3& a = points_[corner.previous];
  const Vec3& b = points_[i];
  const Vec3& c = points_[corner.next];
  return !grid.AnyOf(Min(a, Min(b, c)), Max(a, Max(b, c)),
                     [&](uint32_t other) { return IsInEar(other, i, stage); });
}

void EarClipper::Remove(uint32_t i) {
  Corner& corner = corners_[i];
  corner.is_clipped = true;
  corners_[corner.previous].next = corner.next;
  corners_[corner.next].previous = corner.previous;
  for (const uint32_t at : {corner.previous, corner.next}) {
    corners_[at].side = SideAt(at);
  }
}

std::vector<TriangleIndices> EarClipper::Clip() {
  const PointGrid grid(points_, plane_, blockers_);
  std::vector<TriangleIndices> ears;
  size_t left = points_.size();
  int stage = kNothingInside;
  uint32_t at = 0;
  size_t tried = 0;
  while (left > 3) {
    const Corner& corner = corners_[at];
    if (IsEar(at, static_cast<Stage>(stage), grid)) {
      ears.push_back({corner.previous, at, corner.next});
      Remove(at);
      --left;
      tried = 0;
      stage = kNothingInside;
      // Clipping ears all around makes fewer slivers than clipping at one
      // corner.
      at = corners_[corner.next].next;
      continue;
    }
    at = corner.next;
    if (++tried < left) continue;
    tried = 0;
    if (++stage == kNone) return ears;
  }
  if (corners_[at].side < 0) return ears;
  ears.push_back({corners_[at].previous, at, corners_[at].next});
  return ears;
}

}  // namespace

bool CrossesItself(std::span<const Vec3> points, const PolygonPlane& plane) {
  const size_t n = points.size();
  const auto end_of = [&](size_t side) -> const Vec3& {
    return points[side + 1 < n ? side + 1 : 0];
  };
  // Sweeps along the axis in which the sides are shorter.
  double length_u = 0;
  double length_v = 0;
  for (size_t i = 0; i < n; ++i) {
    length_u += std::abs(end_of(i)[plane.u] - points[i][plane.u]);
    length_v += std::abs(end_of(i)[plane.v] - points[i][plane.v]);
  }
  const size_t along = length_u <= length_v ? plane.u : plane.v;
  const size_t across = along == plane.u ? plane.v : plane.u;
  struct Side {
    double begin;
    double end;
    double lowest;
    double highest;
    uint32_t number;
  };
  std::vector<Side> sides(n);
  for (size_t i = 0; i < n; ++i) {
    const auto [begin, end] = std::minmax({points[i][along], end_of(i)[along]});
    const auto [lowest, highest] =
        std::minmax({points[i][across], end_of(i)[across]});
    sides[i] = {begin, end, lowest, highest, static_cast<uint32_t>(i)};
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.begin < b.begin; });
  for (size_t i = 0; i < n; ++i) {
    const Vec3& a = points[sides[i].number];
    const Vec3& b = end_of(sides[i].number);
    for (size_t j = i + 1; j < n && sides[j].begin <= sides[i].end; ++j) {
      if (sides[j].lowest > sides[i].highest ||
          sides[j].highest < sides[i].lowest) {
        continue;
      }
      const Vec3& c = points[sides[j].number];
      const Vec3& d = end_of(sides[j].number);
      if (plane.Side(a, b, c) * plane.Side(a, b, d) < 0 &&
          plane.Side(c, d, a) * plane.Side(c, d, b) < 0) {
        return true;
      }
    }
  }
  return false;
}

bool ClipEars(std::span<const Vec3> points, const PolygonPlane& plane,
              std::span<TriangleIndices> fan) {
  const std::vector<TriangleIndices> ears = EarClipper(points, plane).Clip();
  if (ears.size() != fan.size()) return false;
  std::vector<uint32_t> ids = {fan[0][0], fan[0][1]};
  for (const TriangleIndices& t : fan) ids.push_back(t[2]);
  for (size_t i = 0; i < fan.size(); ++i) {
    const auto& [a, b, c] = ears[i];
    fan[i] = {ids[a], ids[b], ids[c]};
  }
  return true;
}

}  // namespace orbox::mesh_internal
