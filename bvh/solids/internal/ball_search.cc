// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/ball_search.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

struct BallSearch::Nearest {
  static constexpr uint32_t kNone = 0xffffffff;

  double distance = kInfinity;
  uint32_t place = kNone;
  bool is_inside = true;

  double depth() const { return is_inside ? distance : -distance; }
};

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

BallSearch::BallSearch(Part first, Part second, const Aabb& box)
    : parts_{std::move(first), std::move(second)}, box_(box) {
  for (Part& part : parts_) {
    error_ = std::max(error_, part.solid->error());
  }
}

BallSearch BallSearch::Shared(const Solid& a, const Solid& b) {
  return {Part{.solid = &a}, Part{.solid = &b},
          Intersection(a.bounds(), b.bounds())};
}

BallSearch BallSearch::FirstOutsideSecond(const Solid& a, const Solid& b) {
  return {Part{.solid = &a}, Part{.solid = &b, .is_outside = true}, a.bounds()};
}

BallSearch BallSearch::OnSheetInside(const Solid& sheet, const Solid& solid) {
  return {Part{.solid = &sheet, .is_sheet = true}, Part{.solid = &solid},
          solid.bounds()};
}

BallSearch BallSearch::OnSheetOutside(const Solid& sheet, const Solid& solid) {
  constexpr Vec3 kFar{kInfinity, kInfinity, kInfinity};
  return {Part{.solid = &sheet, .is_sheet = true},
          Part{.solid = &solid, .is_outside = true},
          {-kFar, kFar}};
}

uint32_t BallSearch::PlaceOf(Part* part, uint32_t id) {
  if (part->places.empty()) part->places.resize(part->solid->triangle_count());
  uint32_t& place = part->places[id];
  if (place == 0) {
    part->triangles.emplace_back(part->solid->triangle(id));
    error_ = std::max(error_, part->triangles.back().error);
    place = static_cast<uint32_t>(part->triangles.size());
  }
  return place - 1;
}

void BallSearch::FindRegion(const Aabb& box) {
  // Up to this number, a list is searched as fast as a tree.
  constexpr size_t kFew = 256;
  for (Part& part : parts_) {
    part.region_ids.clear();
    part.region_places.clear();
    part.solid->AppendNear(box, &part.region_ids);
    if (part.region_ids.size() > kFew) continue;
    for (const uint32_t id : part.region_ids) {
      part.region_places.push_back(PlaceOf(&part, id));
    }
  }
}

void BallSearch::FindNear(const Aabb& box, size_t i,
                          std::vector<uint32_t>* places) {
  places->clear();
  const Part& part = parts_[i];
  if (part.region_places.size() == part.region_ids.size()) {
    for (const uint32_t place : part.region_places) {
      if (Overlap(part.triangles[place].box, box)) places->push_back(place);
    }
    return;
  }
  parts_[i].solid->AppendNear(box, places);
  for (uint32_t& id : *places) id = PlaceOf(&parts_[i], id);
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
    const BoundaryTriangle& t = parts_[i].triangles[place];
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
bool AreParted(const BoundaryTriangle& t, const BallPatch& patch,
               const Vec3& shift, double margin) {
  const std::span<const Vec3> points = patch.points();
  const Aabb box{patch.box().lo + shift, patch.box().hi + shift};
  if (!Overlap(GrownBy(box, margin), t.box)) return true;
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
  const std::vector<BoundaryTriangle>& triangles = parts_[i].triangles;
  return std::all_of(
      cell.near[i].begin(), cell.near[i].end(), [&](uint32_t place) {
        return AreParted(triangles[place], cell.patch, shift, 4 * error_);
      });
}

bool BallSearch::IsNone(const Goal& goal, Cell* cell, size_t i) {
  const BallPatch& patch = cell->patch;
  const Vec3& c = patch.center();
  const double slack = 2 * error_;
  Near(goal, cell, i);
  Nearest& nearest = cell->nearest[i] = NearestTo(c, i, cell->near[i]);
  if (nearest.distance + patch.reach() + slack < goal.dropped) return true;
  if (nearest.distance < goal.dropped) {
    const BoundaryTriangle& t = parts_[i].triangles[nearest.place];
    if (std::all_of(patch.points().begin(), patch.points().end(),
                    [&](const Vec3& p) {
                      return t.DistanceFrom(p) + slack < goal.dropped;
                    })) {
      return true;
    }
  }
  nearest.is_inside = Contains(i, c);
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
  const BoundaryTriangle& t = parts_[i].triangles[nearest.place];
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
    if (parts_[i].is_sheet) continue;
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
    if (!parts_[i].is_sheet && !is_deeper_tried[i] &&
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
    if (parts_[i].is_sheet) continue;
    for (const uint32_t place : cell->near[i]) {
      const BoundaryTriangle& t = parts_[i].triangles[place];
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
      if (!cell->patch.Cut(away, Dot(away, t.corners.a) + depth, 0x1p-10, &near,
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
    if (parts_[i].is_sheet || nearest.place == Nearest::kNone) continue;
    const BoundaryTriangle& t = parts_[i].triangles[nearest.place];
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

namespace {

// Returns the middle of the segment in which two triangles cross, or a point
// near both.
Vec3 MiddleOfBoth(const BoundaryTriangle& s, const BoundaryTriangle& t) {
  std::array<Vec3, 2> ends;
  size_t count = 0;
  for (size_t k = 0; k < 3; ++k) {
    const double h = Dot(s.normal, t.corners[k] - s.corners.a);
    const double g = Dot(s.normal, t.corners[(k + 1) % 3] - s.corners.a);
    if ((h > 0) == (g > 0)) continue;
    ends[count++ % 2] = t.corners[k] + t.sides[k] * (h / (h - g));
  }
  if (count == 2) {
    double begin = 0;
    double end = 1;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 in = Cross(s.normal, s.sides[k]);
      const double at = Dot(in, ends[0] - s.corners[k]);
      const double slope = Dot(in, ends[1] - ends[0]);
      if (slope > 0) begin = std::max(begin, -at / slope);
      if (slope < 0) end = std::min(end, -at / slope);
    }
    if (begin <= end)
      return ends[0] + (ends[1] - ends[0]) * ((begin + end) / 2);
  }
  const Triangle& c = t.corners;
  return t.ClosestTo(s.ClosestTo((c.a + c.b + c.c) * (1.0 / 3)));
}

}  // namespace

BallSearch::Goal BallSearch::GoalOf(double radius, double band) const {
  const double room = Excluded(radius, band) - radius;
  return {radius, radius + room / 2, radius + room * 0.75};
}

std::optional<Sphere> BallSearch::Guess(double radius, double band,
                                        const Execution& run) {
  const Goal goal = GoalOf(radius, band);
  if (parts_[0].is_sheet) return std::nullopt;
  constexpr double kLeastShare = 0.125;
  Sphere largest{};
  const double depth = (goal.accepted + goal.touching) / 2 + 8 * error_;
  const auto is_ball = [&](const Vec3& p) {
    if (SquaredDistance(p, box_) > 0) return false;
    double least = goal.touching;
    std::vector<uint32_t> places;
    for (size_t i = 0; i < 2; ++i) {
      places.clear();
      parts_[i].solid->AppendNear(GrownBy({p, p}, goal.touching), &places);
      for (uint32_t& id : places) id = PlaceOf(&parts_[i], id);
      least = std::min(least, NearestTo(p, i, places).distance);
    }
    const double r = least - 2 * error_;
    if (!(r > goal.accepted * kLeastShare && r > largest.radius)) {
      return false;
    }
    if (!Contains(0, p) || !Contains(1, p)) return false;
    largest = {p, r};
    return r > goal.accepted;
  };
  // If balls are outside of the other solid, faces far from it come first.
  const bool is_outside = parts_[1].is_outside;
  constexpr size_t kSample = 16;
  constexpr size_t kFaces = 4;
  for (size_t i = 0; i < (is_outside ? 1 : 2); ++i) {
    const Solid& solid = *parts_[i].solid;
    const Aabb& other = parts_[1 - i].solid->bounds();
    std::array<std::pair<double, uint32_t>, kSample> order;
    size_t count = 0;
    const size_t step = solid.triangle_count() / kSample + 1;
    for (size_t id = step / 2; id < solid.triangle_count(); id += step) {
      const Triangle t = solid.triangle(static_cast<uint32_t>(id));
      const double far = SquaredDistance((t.a + t.b + t.c) * (1.0 / 3), other);
      if (far > 0 && !is_outside) continue;
      order[count++] = {-far, static_cast<uint32_t>(id)};
    }
    std::sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count));
    for (size_t k = 0; k < std::min(count, kFaces); ++k) {
      const Triangle t = solid.triangle(order[k].second);
      const Vec3 by = NormalOf(t) * depth;
      const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
      if (solid.facing() >= 0 && is_ball(middle - by)) return largest;
      if (solid.facing() <= 0 && is_ball(middle + by)) return largest;
    }
  }
  if (is_outside) return std::nullopt;
  // Spends no more time than a guess may save.
  const size_t triangle_count =
      parts_[0].solid->triangle_count() + parts_[1].solid->triangle_count();
  size_t visited = 0;
  size_t tried = 0;
  VisitOverlaps(
      parts_[0].solid->boundary(), parts_[1].solid->boundary(),
      [&](const TrianglePair& pair) {
        const size_t kMostVisited = 32 + triangle_count / 64;
        const size_t kMostTried = 4 + triangle_count / 512;
        const BoundaryTriangle s(parts_[0].solid->triangle(pair.a));
        const BoundaryTriangle t(parts_[1].solid->triangle(pair.b));
        const Vec3 m =
            s.normal * static_cast<double>(parts_[0].solid->facing());
        const Vec3 n =
            t.normal * static_cast<double>(parts_[1].solid->facing());
        const double room = 1 + Dot(m, n);
        constexpr double kLeastRoom = 0.1;
        if (m != Vec3{} && n != Vec3{} && room > kLeastRoom) {
          const Vec3 p = MiddleOfBoth(s, t);
          if (is_ball(p - (m + n) * (depth / room))) return Visit::kStop;
          ++tried;
        }
        return ++visited < kMostVisited && tried < kMostTried ? Visit::kContinue
                                                              : Visit::kStop;
      },
      run.Alone());
  // A ball that is a little too small may be near a larger one.
  if (largest.radius > 0 && !(largest.radius > goal.accepted)) {
    largest = Improved(largest);
  }
  if (!(largest.radius > goal.accepted)) return std::nullopt;
  return largest;
}

BallFound BallSearch::Find(double radius, double band, const Execution& run,
                           size_t most_patches) {
  const Goal goal = GoalOf(radius, band);
  const Aabb centers = GrownBy(box_, 2 * error_ - goal.dropped);
  if (IsEmpty(centers)) return {};
  for (size_t i = 0; i < 2; ++i) {
    const Part& part = parts_[i];
    if (!part.is_sheet && part.solid->IsOnOneSide(centers) &&
        !Contains(i, centers.Center())) {
      return {};
    }
  }
  std::vector<Cell> queue;
  size_t judged = 0;
  Sphere ball;
  BallFound result;
  // Returns false to end the search.
  const auto take = [&](Cell cell) {
    if (cell.patch.is_empty()) return true;
    run.CheckCancelled();
    // Each cell of the queue has two parts to judge.
    if (++judged + 2 * queue.size() > most_patches) {
      result.is_certain = false;
      return false;
    }
    Verdict verdict = Judge(goal, &cell, &ball);
    while (verdict == Verdict::kUndecided && Peel(goal, &cell)) {
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
          if (Overlap(parts_[i].triangles[place].box, reach)) {
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
