// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/ball_search.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

struct BallSearch::Cell {
  BallPatch patch;
  size_t owner = 0;  // of the triangle
  // For each solid, the triangles that may matter to the cell, found on first
  // use.
  std::array<std::vector<uint32_t>, 2> near;
  std::array<bool, 2> has_near = {false, false};
  std::array<Nearest, 2> nearest;
  double upper = kInfinity;  // of balls with a centre in the patch
  size_t number = 0;
  int level = 0;

  static bool IsAfter(const Cell& x, const Cell& y) {
    return x.upper != y.upper ? x.upper < y.upper : x.number > y.number;
  }
};

BallSearch::BallSearch(BallSide first, BallSide second, const Aabb& box)
    : sides_{std::move(first), std::move(second)}, box_(box) {
  for (BallSide& side : sides_) {
    error_ = std::max(error_, side.solid->error());
  }
}

BallSearch BallSearch::Shared(const Solid& a, const Solid& b) {
  return {BallSide{.solid = &a}, BallSide{.solid = &b},
          Intersection(a.bounds(), b.bounds())};
}

BallSearch BallSearch::Inside(const Solid& solid) {
  return {BallSide{.solid = &solid},
          BallSide{.solid = &solid, .is_sheet = true}, solid.bounds()};
}

BallSearch BallSearch::FirstOutsideSecond(const Solid& a, const Solid& b) {
  return {BallSide{.solid = &a}, BallSide{.solid = &b, .is_outside = true},
          a.bounds()};
}

BallSearch BallSearch::OnSheetInside(const Solid& sheet, const Solid& solid) {
  return {BallSide{.solid = &sheet, .is_sheet = true},
          BallSide{.solid = &solid}, solid.bounds()};
}

BallSearch BallSearch::OnSheetOutside(const Solid& sheet, const Solid& solid) {
  constexpr Vec3 kFar{kInfinity, kInfinity, kInfinity};
  return {BallSide{.solid = &sheet, .is_sheet = true},
          BallSide{.solid = &solid, .is_outside = true},
          {-kFar, kFar}};
}

std::array<double, 2> BallSearch::SignsOf(size_t i) const {
  const double sign = -sides_[i].solid->facing();
  if (sign == 0) return {-1, 1};
  return {sides_[i].is_outside ? -sign : sign, 0};
}

uint32_t BallSearch::PlaceOf(BallSide* side, uint32_t id) {
  constexpr uint32_t kBlock = 256;
  if (side->places.empty()) {
    side->places.resize(side->solid->triangle_count() / kBlock + 1);
  }
  std::vector<uint32_t>& block = side->places[id / kBlock];
  if (block.empty()) block.resize(kBlock);
  uint32_t& place = block[id % kBlock];
  if (place == 0) {
    side->triangles.emplace_back(side->solid->triangle(id));
    error_ = std::max(error_, side->triangles.back().error);
    place = static_cast<uint32_t>(side->triangles.size());
  }
  return place - 1;
}

void BallSearch::FindRegion(const Aabb& box) {
  // Up to this number, a list is searched as fast as a tree.
  constexpr size_t kFew = 256;
  for (BallSide& side : sides_) {
    side.region_ids.clear();
    side.region_places.clear();
    side.solid->AppendNear(box, &side.region_ids);
    if (side.region_ids.size() > kFew) continue;
    for (const uint32_t id : side.region_ids) {
      side.region_places.push_back(PlaceOf(&side, id));
    }
  }
}

void BallSearch::FindNear(const Aabb& box, size_t i,
                          std::vector<uint32_t>* places) {
  places->clear();
  const BallSide& side = sides_[i];
  if (side.region_places.size() == side.region_ids.size()) {
    for (const uint32_t place : side.region_places) {
      if (Overlaps(side.triangles[place].box, box)) places->push_back(place);
    }
    return;
  }
  FindNearInTree(box, i, places);
}

void BallSearch::FindNearInTree(const Aabb& box, size_t i,
                                std::vector<uint32_t>* places) {
  places->clear();
  sides_[i].solid->AppendNear(box, places);
  for (uint32_t& id : *places) id = PlaceOf(&sides_[i], id);
}

const std::vector<uint32_t>& BallSearch::Near(const Goal& goal, Cell* cell,
                                              size_t i) {
  if (!cell->has_near[i]) {
    cell->has_near[i] = true;
    FindNear(GrownBy(cell->patch.box(), goal.touching + 8 * error_), i,
             &cell->near[i]);
  }
  return cell->near[i];
}

BallSearch::Nearest BallSearch::NearestTo(
    const Vec3& p, size_t i, const std::vector<uint32_t>& places) const {
  Nearest nearest;
  for (const uint32_t place : places) {
    const BoundaryTriangle& t = sides_[i].triangles[place];
    if (SquaredDistance(p, t.box) >= nearest.distance * nearest.distance) {
      continue;
    }
    const double d = t.DistanceFrom(p);
    if (d < nearest.distance) {
      nearest.distance = d;
      nearest.place = place;
    }
  }
  return nearest;
}

namespace {

// Tests whether a plane is certainly between a triangle and the patch, moved by
// `shift`, with more than `margin` to spare. Tries some planes, not all.
bool AreSeparated(const BoundaryTriangle& t, const BallPatch& patch,
                  const Vec3& shift, double margin) {
  const std::span<const Vec3> points = patch.points();
  const Aabb box{patch.box().lo + shift, patch.box().hi + shift};
  if (!Overlaps(GrownBy(box, margin), t.box)) return true;
  // Tests whether the points are beyond the plane through p with the normal n,
  // of length `length`.
  const auto is_beyond = [&](const Vec3& n, const Vec3& p, double length) {
    const double at = Dot(n, p - shift) + margin * length;
    return std::all_of(points.begin(), points.end(),
                       [&](const Vec3& x) { return Dot(n, x) > at; });
  };
  if (t.normal != Vec3{}) {
    if (is_beyond(t.normal, t.corners.a, 1)) return true;
    if (is_beyond(-t.normal, t.corners.a, 1)) return true;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 n = Cross(t.sides[k], t.normal);
      if (is_beyond(n, t.corners[k], MaxCoordinate(Abs(n)) * 2)) return true;
    }
  }
  if (!patch.is_face()) return false;
  const auto is_triangle_beyond = [&](const Vec3& n, const Vec3& p,
                                      double length) {
    const double at = Dot(n, p + shift) + margin * length;
    return Dot(n, t.corners.a) > at && Dot(n, t.corners.b) > at &&
           Dot(n, t.corners.c) > at;
  };
  const Vec3& n = patch.normal();
  if (is_triangle_beyond(n, points[0], 1)) return true;
  if (is_triangle_beyond(-n, points[0], 1)) return true;
  for (size_t i = 0, last = points.size() - 1; i < points.size(); last = i++) {
    Vec3 out = Cross(points[i] - points[last], n);
    if (Dot(out, patch.center() - points[i]) > 0) out = -out;
    const double length = MaxCoordinate(Abs(out)) * 2;
    if (is_triangle_beyond(out, points[i], length)) return true;
  }
  return false;
}

}  // namespace

bool BallSearch::IsClearOf(const Cell& cell, size_t i,
                           const Vec3& shift) const {
  const std::vector<BoundaryTriangle>& triangles = sides_[i].triangles;
  return std::all_of(
      cell.near[i].begin(), cell.near[i].end(), [&](uint32_t place) {
        return AreSeparated(triangles[place], cell.patch, shift, 4 * error_);
      });
}

bool BallSearch::IsNone(const Goal& goal, Cell* cell, size_t i) {
  const BallPatch& patch = cell->patch;
  const Vec3& c = patch.center();
  const double slack = 2 * error_;
  // No list of triangles is needed if the centre is outside.
  const bool is_small = patch.reach() + slack < goal.dropped;
  const bool is_inside_known = !cell->has_near[i] && is_small;
  if (is_inside_known && !Contains(i, c)) return true;
  Near(goal, cell, i);
  Nearest& nearest = cell->nearest[i] = NearestTo(c, i, cell->near[i]);
  if (nearest.distance + patch.reach() + slack < goal.dropped) return true;
  if (nearest.distance < goal.dropped) {
    const BoundaryTriangle& t = sides_[i].triangles[nearest.place];
    if (std::all_of(patch.points().begin(), patch.points().end(),
                    [&](const Vec3& p) {
                      return t.DistanceFrom(p) + slack < goal.dropped;
                    })) {
      return true;
    }
  }
  nearest.is_inside = is_inside_known || Contains(i, c);
  if (nearest.is_inside) return false;
  return patch.reach() - nearest.distance + slack < goal.dropped ||
         IsClearOf(*cell, i, {});
}

bool BallSearch::IsNoneDeeper(const Goal& goal, const Cell& cell,
                              size_t i) const {
  const Vec3& c = cell.patch.center();
  const Nearest& nearest = cell.nearest[i];
  if (nearest.place == Nearest::kNone) return false;
  const double by = goal.dropped * (1 - 0x1p-13) - 4 * error_;
  const BoundaryTriangle& t = sides_[i].triangles[nearest.place];
  Vec3 out = DirectionOf(t.ClosestTo(c) - c);
  if (!nearest.is_inside) out = -out;
  const double along = Dot(t.normal, out);
  const auto is_outside_at = [&](const Vec3& direction) {
    const Vec3 shift = direction * by;
    return IsClearOf(cell, i, shift) && !Contains(i, c + shift);
  };
  if (along != 0 && is_outside_at(along > 0 ? t.normal : -t.normal)) {
    return true;
  }
  return std::abs(along) < 1 - 0x1p-20 && is_outside_at(out);
}

BallSearch::Verdict BallSearch::Judge(const Goal& goal, Cell* cell,
                                      Sphere* ball) {
  const BallPatch& patch = cell->patch;
  if (patch.is_wide()) return Verdict::kUndecided;
  const Vec3& c = patch.center();
  const double slack = 2 * error_;
  double least = kInfinity;
  bool is_inside = true;
  // The solid of the triangle comes last because it rarely decides.
  const std::array<size_t, 2> order = {1 - cell->owner, cell->owner};
  std::array<bool, 2> is_deeper_tried = {false, false};
  for (const size_t i : order) {
    if (sides_[i].is_sheet) continue;
    if (IsNone(goal, cell, i)) return Verdict::kNone;
    const Nearest& nearest = cell->nearest[i];
    least = std::min(least, nearest.distance);
    is_inside = is_inside && nearest.is_inside;
    if (is_inside && least - slack > goal.accepted) continue;
    is_deeper_tried[i] = true;
    if (IsNoneDeeper(goal, *cell, i)) return Verdict::kNone;
  }
  cell->upper = least + patch.reach();
  if (is_inside && least - slack > goal.accepted) {
    *ball = {c, std::min(least, goal.touching) - slack};
    return Verdict::kBall;
  }
  for (const size_t i : order) {
    if (!sides_[i].is_sheet && !is_deeper_tried[i] &&
        IsNoneDeeper(goal, *cell, i)) {
      return Verdict::kNone;
    }
  }
  return Verdict::kUndecided;
}

// Cuts off the parts of a face near a single triangle, along the plane at which
// that triangle would drop them. Returns true if less is left.
bool BallSearch::Peel(const Goal& goal, Cell* cell) const {
  if (!cell->patch.is_face()) return false;
  const double depth = goal.dropped * (1 - 0x1p-12) - 8 * error_;
  bool is_less = false;
  for (size_t i = 0; i < 2; ++i) {
    if (sides_[i].is_sheet) continue;
    for (const uint32_t place : cell->near[i]) {
      const BoundaryTriangle& t = sides_[i].triangles[place];
      const double height = Dot(t.normal, cell->patch.center() - t.corners.a);
      if (t.normal == Vec3{} ||
          std::abs(height) - cell->patch.reach() >= depth) {
        continue;
      }
      const Vec3 away = height > 0 ? t.normal : -t.normal;
      const auto is_near = [&](const Vec3& p) {
        return t.DistanceFrom(p) + 2 * error_ < goal.dropped;
      };
      // The corner that is cut off first.
      const Vec3* lowest = nullptr;
      double lo = kInfinity;
      double hi = -kInfinity;
      for (const Vec3& p : cell->patch.points()) {
        const double h = Dot(away, p - t.corners.a);
        hi = std::max(hi, h);
        if (h >= lo) continue;
        lo = h;
        lowest = &p;
      }
      if (!(lo < depth && depth < hi) || !is_near(*lowest)) continue;
      BallPatch near;
      BallPatch rest;
      if (!cell->patch.Cut(away, Dot(away, t.corners.a) + depth, 0x1p-40, &near,
                           &rest)) {
        continue;
      }
      if (!std::all_of(near.points().begin(), near.points().end(), is_near)) {
        continue;
      }
      cell->patch = rest;
      is_less = true;
    }
  }
  return is_less;
}

void BallSearch::Split(const Goal& goal, const Cell& cell,
                       std::array<BallPatch, 2>* parts) const {
  const double depth = goal.dropped * (1 - 0x1p-12) - 8 * error_;
  std::array<size_t, 2> order = {0, 1};
  if (cell.nearest[1].depth() < cell.nearest[0].depth()) order = {1, 0};
  for (const size_t i : order) {
    const Nearest& nearest = cell.nearest[i];
    if (sides_[i].is_sheet || nearest.place == Nearest::kNone) continue;
    const BoundaryTriangle& t = sides_[i].triangles[nearest.place];
    const double height = Dot(t.normal, cell.patch.center() - t.corners.a);
    const Vec3 inward =
        (height > 0) == nearest.is_inside ? t.normal : -t.normal;
    const double at = Dot(inward, t.corners.a) + depth;
    if (cell.patch.Cut(inward, at, 0x1p-5, &(*parts)[0], &(*parts)[1])) return;
    // If the whole patch is within reach of the plane, a part of it is beyond a
    // side of the triangle.
    if (Dot(inward, cell.patch.center()) > at) continue;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 across = Cross(t.sides[k], t.normal);
      if (cell.patch.Cut(across, Dot(across, t.corners[k]), 0x1p-5,
                         &(*parts)[0], &(*parts)[1])) {
        return;
      }
    }
  }
  std::tie((*parts)[0], (*parts)[1]) = cell.patch.Halves(cell.level % 2 == 0);
}

double BallSearch::Excluded(double radius, double band) const {
  return std::max(radius * (1 + band), radius + 64 * error_);
}

BallSearch::Goal BallSearch::GoalOf(double radius, double band) const {
  const double room = Excluded(radius, band) - radius;
  return {radius, radius + room / 2, radius + room * 0.75};
}

BallFound BallSearch::Find(double radius, double band, const Execution& run,
                           size_t most_patches) {
  // A cut may be as small as rounding, so that a patch could be cut for ever.
  constexpr int kMostPeels = 8;
  const Goal goal = GoalOf(radius, band);
  const Aabb centers = GrownBy(box_, 2 * error_ - goal.dropped);
  if (IsEmpty(centers)) return {};
  for (size_t i = 0; i < 2; ++i) {
    const BallSide& side = sides_[i];
    if (!side.is_sheet && side.solid->IsOnOneSide(centers) &&
        !Contains(i, centers.Center())) {
      return {};
    }
  }
  std::vector<Cell> queue;
  size_t judged = 0;
  Sphere ball;
  BallFound result;
  Pulse pulse(run);
  // Returns false to end the search.
  const auto take = [&](Cell cell) {
    if (cell.patch.is_empty()) return true;
    pulse.Check();
    // Each cell of the queue has two parts to judge.
    if (++judged + 2 * queue.size() > most_patches) {
      result.is_certain = false;
      return false;
    }
    Verdict verdict = Judge(goal, &cell, &ball);
    for (int i = 0;
         i < kMostPeels && verdict == Verdict::kUndecided && Peel(goal, &cell);
         ++i) {
      verdict = Judge(goal, &cell, &ball);
    }
    switch (verdict) {
      case Verdict::kNone:
        return true;
      case Verdict::kBall:
        result.ball = ball;
        return false;
      case Verdict::kUndecided:
        cell.number = judged;
        queue.push_back(std::move(cell));
        std::push_heap(queue.begin(), queue.end(), Cell::IsAfter);
        return true;
    }
    return true;
  };
  const auto take_root = [&](BallPatch patch, size_t owner) {
    patch.ClipTo(centers);
    if (patch.is_empty()) return true;
    Cell cell{.patch = patch, .owner = owner};
    return take(std::move(cell));
  };
  bool is_over = !ForEachRoot(goal, centers, take_root);
  while (!is_over && !queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), Cell::IsAfter);
    Cell cell = std::move(queue.back());
    queue.pop_back();
    std::array<BallPatch, 2> halves;
    Split(goal, cell, &halves);
    for (size_t k = 0; k < 2 && !is_over; ++k) {
      if (halves[k].is_empty()) continue;
      Cell half{.patch = halves[k], .owner = cell.owner};
      half.level = cell.level + 1;
      const Aabb reach = GrownBy(half.patch.box(), goal.touching + 8 * error_);
      for (size_t i = 0; i < 2; ++i) {
        if (!cell.has_near[i]) continue;
        half.has_near[i] = true;
        half.near[i].reserve(cell.near[i].size());
        for (const uint32_t place : cell.near[i]) {
          if (Overlaps(sides_[i].triangles[place].box, reach)) {
            half.near[i].push_back(place);
          }
        }
      }
      is_over = !take(std::move(half));
    }
  }
  return result;
}

}  // namespace orbox
