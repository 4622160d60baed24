// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/self_crossing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace orbox::mesh_internal {
namespace {

// Tests the pairs of sides that overlap along an axis.
bool AnyPairCrosses(std::span<const Vec3> points, const PolygonPlane& plane) {
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
  struct Extent {
    double begin;
    double end;
    double lowest;
    double highest;
    uint32_t number;
  };
  std::vector<Extent> sides(n);
  for (size_t i = 0; i < n; ++i) {
    const auto [begin, end] = std::minmax({points[i][along], end_of(i)[along]});
    const auto [lowest, highest] =
        std::minmax({points[i][across], end_of(i)[across]});
    sides[i] = {begin, end, lowest, highest, static_cast<uint32_t>(i)};
  }
  std::sort(sides.begin(), sides.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
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

// Moves a line over the polygon, and keeps the sides that it meets in their
// order along the line. If any sides touch, two of them are neighbours there
// before (Shamos and Hoey, "Geometric intersection problems", 1976).
class Sweep {
 public:
  Sweep(std::span<const Vec3> points, const PolygonPlane& plane)
      : points_(points), plane_(plane), status_(Below{this}) {}

  // Returns true if sides have no common points, except those of neighbouring
  // sides in their corner. Returns false for others, and in cases that the
  // sweep does not decide.
  bool FindsNothing();

 private:
  using Side = uint32_t;  // from this corner to the next one
  struct Below {
    const Sweep* sweep;
    bool operator()(Side s, Side t) const { return sweep->IsBelow(s, t); }
  };
  using Status = std::set<Side, Below>;

  uint32_t After(uint32_t i) const {
    return i + 1 < points_.size() ? i + 1 : 0;
  }
  uint32_t Before(uint32_t i) const {
    return (i > 0 ? i : static_cast<uint32_t>(points_.size())) - 1;
  }
  // The line meets the corner i before j.
  bool IsEarlier(uint32_t i, uint32_t j) const {
    const Vec3& p = points_[i];
    const Vec3& q = points_[j];
    return p[plane_.u] != q[plane_.u] ? p[plane_.u] < q[plane_.u]
                                      : p[plane_.v] < q[plane_.v];
  }
  uint32_t FirstOf(Side s) const {
    return IsEarlier(s, After(s)) ? s : After(s);
  }
  uint32_t LastOf(Side s) const {
    return IsEarlier(s, After(s)) ? After(s) : s;
  }
  int SideOf(Side s, uint32_t corner) const {
    return plane_.Side(points_[FirstOf(s)], points_[LastOf(s)],
                       points_[corner]);
  }
  // Compares sides that the line meets at one time.
  bool IsBelow(Side s, Side t) const;
  bool Touch(Side s, Side t) const;
  // Adds a side that begins, or removes one that ends. Tests new neighbours.
  void Add(Side s);
  void Remove(Side s);

  const std::span<const Vec3> points_;
  const PolygonPlane plane_;
  Status status_;
  std::vector<Status::iterator> places_;  // of sides
  mutable bool is_decided_ = true;
};

bool Sweep::IsBelow(Side s, Side t) const {
  if (s == t) return false;
  // The one that begins later begins above or below the other.
  const bool swap = IsEarlier(FirstOf(s), FirstOf(t));
  const Side longer = swap ? s : t;
  const Side later = swap ? t : s;
  int side = SideOf(longer, FirstOf(later));
  if (side == 0 && FirstOf(later) == FirstOf(longer)) {
    side = SideOf(longer, LastOf(later));
  }
  if (side == 0) is_decided_ = false;
  return swap ? side > 0 : side < 0;
}

bool Sweep::Touch(Side s, Side t) const {
  if (After(t) == s) return Touch(t, s);
  if (After(s) == t) {
    // Neighbours are apart beyond their corner, unless one turns back along the
    // other.
    return SideOf(s, After(t)) == 0 && (LastOf(s) == t) == (LastOf(t) == t);
  }
  return SideOf(s, t) * SideOf(s, After(t)) <= 0 &&
         SideOf(t, s) * SideOf(t, After(s)) <= 0;
}

void Sweep::Add(Side s) {
  const auto [place, is_new] = status_.insert(s);
  if (!is_new) is_decided_ = false;
  if (!is_decided_) return;
  places_[s] = place;
  const auto next = std::next(place);
  if ((place != status_.begin() && Touch(*std::prev(place), s)) ||
      (next != status_.end() && Touch(s, *next))) {
    is_decided_ = false;
  }
}

void Sweep::Remove(Side s) {
  const auto next = status_.erase(places_[s]);
  if (next != status_.begin() && next != status_.end() &&
      Touch(*std::prev(next), *next)) {
    is_decided_ = false;
  }
}

bool Sweep::FindsNothing() {
  std::vector<uint32_t> corners(points_.size());
  std::iota(corners.begin(), corners.end(), 0u);
  std::sort(corners.begin(), corners.end(),
            [this](uint32_t i, uint32_t j) { return IsEarlier(i, j); });
  for (size_t k = 1; k < corners.size(); ++k) {
    if (!IsEarlier(corners[k - 1], corners[k])) return false;  // at one point
  }
  places_.resize(points_.size());
  for (const uint32_t corner : corners) {
    for (const Side s : {Before(corner), corner}) {
      if (LastOf(s) == corner) Remove(s);
    }
    for (const Side s : {Before(corner), corner}) {
      if (is_decided_ && FirstOf(s) == corner) Add(s);
    }
    if (!is_decided_) return false;
  }
  return true;
}

}  // namespace

bool CrossesItself(std::span<const Vec3> points, const PolygonPlane& plane) {
  // Fewer sides are faster in pairs.
  constexpr size_t kFew = 300;
  if (points.size() > kFew && Sweep(points, plane).FindsNothing()) return false;
  return AnyPairCrosses(points, plane);
}

}  // namespace orbox::mesh_internal
