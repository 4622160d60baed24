// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/ear_clipping.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox::mesh_internal {
namespace {

// A grid of equal cells over points. Each cell lists the ids of its points.
class PointGrid {
 public:
  // Requires at least one point.
  PointGrid(std::span<const Vec3> points, const PolygonPlane& plane,
            const std::vector<uint32_t>& ids)
      : plane_(plane), lo_(points[0]) {
    Vec3 hi = lo_;
    for (const Vec3& p : points) {
      lo_ = Min(lo_, p);
      hi = Max(hi, p);
    }
    // About one id per cell: thin triangles overlap many.
    side_ = std::max<size_t>(
        1, static_cast<size_t>(std::sqrt(static_cast<double>(ids.size()))));
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

  // Returns an id in a cell that overlaps the triangle, for which `matches(id)`
  // is true. Returns kNoId if there is none.
  static constexpr uint32_t kNoId = ~uint32_t{0};
  template <typename Match>
  uint32_t FindIn(const Triangle& t, Match matches) const {
    const size_t first = Coordinate(Min(t.a, Min(t.b, t.c)), plane_.v);
    const size_t last = Coordinate(Max(t.a, Max(t.b, t.c)), plane_.v);
    for (size_t row = first; row <= last; ++row) {
      const auto [begin, end] = CellsInRow(t, row);
      for (uint32_t i = begin_[row * side_ + begin];
           i < begin_[row * side_ + end]; ++i) {
        if (matches(ids_[i])) return ids_[i];
      }
    }
    return kNoId;
  }

 private:
  // Returns the coordinate in units of cells.
  double InCells(const Vec3& p, size_t axis) const {
    return (p[axis] - lo_[axis]) * scale_[axis];
  }
  size_t Clamped(double cell) const {
    return cell > 0 ? std::min(side_ - 1, static_cast<size_t>(cell)) : 0;
  }
  size_t Coordinate(const Vec3& p, size_t axis) const {
    return Clamped(InCells(p, axis));
  }
  // Returns the columns [first, second) of the cells of a row that contain
  // points of the triangle.
  std::pair<size_t, size_t> CellsInRow(const Triangle& t, size_t row) const;
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

std::pair<size_t, size_t> PointGrid::CellsInRow(const Triangle& t,
                                                size_t row) const {
  if (side_ == 1) return {0, 1};
  // Far above the rounding errors of coordinates in cells, of which there are
  // less than 2^16 in a row. Sides that are flatter are not divided.
  constexpr double kSlack = 1e-3;
  const double bottom = static_cast<double>(row) - kSlack;
  const double top = static_cast<double>(row) + 1 + kSlack;
  double lowest = static_cast<double>(side_);
  double highest = 0;
  const auto add = [&](double u) {
    lowest = std::min(lowest, u);
    highest = std::max(highest, u);
  };
  for (size_t k = 0; k < 3; ++k) {
    const Vec3& p = t[k];
    const Vec3& q = t[k < 2 ? k + 1 : 0];
    const double pu = InCells(p, plane_.u), pv = InCells(p, plane_.v);
    const double qu = InCells(q, plane_.u), qv = InCells(q, plane_.v);
    if (std::max(pv, qv) < bottom || std::min(pv, qv) > top) continue;
    if (std::abs(qv - pv) < kSlack) {
      add(pu);
      add(qu);
      continue;
    }
    for (const double v : {bottom, top}) {
      const double share = std::clamp((v - pv) / (qv - pv), 0.0, 1.0);
      add(pu + share * (qu - pu));
    }
  }
  return {Clamped(lowest - kSlack), Clamped(highest + kSlack) + 1};
}

class EarClipper {
 public:
  EarClipper(std::span<const Vec3> points, const PolygonPlane& plane)
      : points_(points), plane_(plane), corners_(points.size()) {
    const auto n = static_cast<uint32_t>(points.size());
    for (uint32_t i = 0; i < n; ++i) {
      corners_[i] = {.previous = i == 0 ? n - 1 : i - 1,
                     .next = i + 1 == n ? 0 : i + 1};
    }
    std::vector<uint32_t> blockers;
    for (uint32_t i = 0; i < n; ++i) {
      corners_[i].side = SideAt(i);
      if (corners_[i].side <= 0) blockers.push_back(i);
    }
    grid_.emplace(points, plane, blockers);
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
    kWithoutArea  // corners in a side, and spikes
  };
  static constexpr uint32_t kNone = PointGrid::kNoId;

  struct Corner {
    uint32_t previous = 0;
    uint32_t next = 0;
    int side = 0;  // 1 if convex
    bool is_clipped = false;
    size_t place = 0;                // the last one in the queue
    uint32_t first_blocked = kNone;  // in blocked_
  };
  // List of the corners that one corner prevents from being ears.
  struct Blocked {
    uint32_t corner;
    uint32_t next;  // in blocked_
  };

  int SideAt(uint32_t i) const {
    return plane_.Side(points_[corners_[i].previous], points_[i],
                       points_[corners_[i].next]);
  }
  bool IsEar(uint32_t i, Stage stage) const;
  // Returns a corner that prevents the ear at the convex corner i, or
  // kNone.
  uint32_t BlockerOf(uint32_t i, Stage stage) const;
  // Returns true if the corner `other` prevents the ear at i.
  bool IsInEar(uint32_t other, uint32_t i, Stage stage) const;
  void Clip(uint32_t i);
  // Adds the corner to the queue. An earlier place of it does not count.
  void Enqueue(uint32_t i);
  void EnqueueBlockedBy(uint32_t i);
  // Clips the corners of the queue that are ears.
  void ClipQueued();
  // Clips the first ear by the condition. Returns false if there is none.
  bool ClipFirst(Stage stage);

  const std::span<const Vec3> points_;
  const PolygonPlane plane_;
  std::vector<Corner> corners_;
  // The corners that are not convex. If an ear contains any corner, it contains
  // one of these.
  std::optional<PointGrid> grid_;
  std::vector<TriangleIndices> ears_;
  uint32_t at_ = 0;  // a corner that is not clipped
  size_t left_ = points_.size();
  std::vector<Blocked> blocked_;
  // Corners that may be ears, first in, first out.
  std::vector<uint32_t> queue_;
  size_t head_ = 0;
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

uint32_t EarClipper::BlockerOf(uint32_t i, Stage stage) const {
  const Corner& corner = corners_[i];
  return grid_->FindIn(
      {points_[corner.previous], points_[i], points_[corner.next]},
      [&](uint32_t other) { return IsInEar(other, i, stage); });
}

bool EarClipper::IsEar(uint32_t i, Stage stage) const {
  if (stage == kWithoutArea) return corners_[i].side == 0;
  return corners_[i].side > 0 && BlockerOf(i, stage) == kNone;
}

void EarClipper::Enqueue(uint32_t i) {
  corners_[i].place = queue_.size();
  queue_.push_back(i);
}

void EarClipper::EnqueueBlockedBy(uint32_t i) {
  uint32_t at = std::exchange(corners_[i].first_blocked, kNone);
  for (; at != kNone; at = blocked_[at].next) {
    if (!corners_[blocked_[at].corner].is_clipped) {
      Enqueue(blocked_[at].corner);
    }
  }
}

void EarClipper::Clip(uint32_t i) {
  Corner& corner = corners_[i];
  ears_.push_back({corner.previous, i, corner.next});
  --left_;
  corner.is_clipped = true;
  corners_[corner.previous].next = corner.next;
  corners_[corner.next].previous = corner.previous;
  at_ = corner.next;
  EnqueueBlockedBy(i);
  for (const uint32_t at : {corner.previous, corner.next}) {
    corners_[at].side = SideAt(at);
    if (corners_[at].side > 0) EnqueueBlockedBy(at);
    Enqueue(at);
  }
}

void EarClipper::ClipQueued() {
  for (; head_ < queue_.size() && left_ > 3; ++head_) {
    const uint32_t i = queue_[head_];
    Corner& corner = corners_[i];
    if (corner.is_clipped || corner.place != head_ || corner.side <= 0) {
      continue;
    }
    const uint32_t blocker = BlockerOf(i, kNothingInside);
    if (blocker == kNone) {
      // Its neighbours go to the end of the queue: clipping ears all around
      // makes fewer slivers than clipping at one corner.
      Clip(i);
    } else {
      const auto place = static_cast<uint32_t>(blocked_.size());
      blocked_.push_back(
          {i, std::exchange(corners_[blocker].first_blocked, place)});
    }
  }
  queue_.clear();
  head_ = 0;
}

bool EarClipper::ClipFirst(Stage stage) {
  uint32_t i = at_;
  for (size_t tried = 0; tried < left_; ++tried, i = corners_[i].next) {
    if (!IsEar(i, stage)) continue;
    Clip(i);
    return true;
  }
  return false;
}

std::vector<TriangleIndices> EarClipper::Clip() {
  for (uint32_t i = 0; i < points_.size(); ++i) Enqueue(i);
  ClipQueued();
  // Ears that no queue has found: those that coincident corners prevented, and
  // those by other conditions.
  while (left_ > 3) {
    if (!ClipFirst(kNothingInside) && !ClipFirst(kNothingStrictlyInside) &&
        !ClipFirst(kWithoutArea)) {
      return std::move(ears_);
    }
    ClipQueued();
  }
  const Corner& corner = corners_[at_];
  if (corner.side >= 0) ears_.push_back({corner.previous, at_, corner.next});
  return std::move(ears_);
}

}  // namespace

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
