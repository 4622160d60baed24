// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/signed_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/internal/boundary_distance.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/query/inside/internal/walls.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"

namespace orbox {
namespace {

// Collects the closest triangle and all triangles at the same rounded distance.
// The exactly closest triangle is among them.
class ClosestWithTies {
 public:
  void Offer(const SurfacePoint& near) {
    if (count_ != 0 && near.distance > best_.distance) return;
    if (count_ == 0 || near.distance < best_.distance) {
      count_ = 0;
      best_ = near;
    }
    if (count_ < kMostTies) ties_[count_] = near.triangle;
    // Keep the lowest id first, for any order of visits.
    if (near.triangle < best_.triangle) {
      best_ = near;
      if (count_ < kMostTies) std::swap(ties_[0], ties_[count_]);
    }
    ++count_;
  }

  bool is_found() const { return count_ > 0; }
  const SurfacePoint& best() const { return best_; }
  // Returns the ties; empty if there are more than kMostTies.
  std::span<const uint32_t> ties() const {
    return {ties_.data(), count_ <= kMostTies ? count_ : 0};
  }

 private:
  // Enough for the triangles at almost any vertex.
  static constexpr size_t kMostTies = 32;

  SurfacePoint best_;
  size_t count_ = 0;
  std::array<uint32_t, kMostTies> ties_;
};

class TiesSink final : public NearestSink {
 public:
  explicit TiesSink(std::span<ClosestWithTies> closest) : closest_(closest) {}

  double Offer(uint32_t query, const SurfacePoint& near) override {
    closest_[query].Offer(near);
    return closest_[query].best().distance;
  }

 private:
  const std::span<ClosestWithTies> closest_;
};

// Returns the common front of the triangles, or kUnknown if they differ.
Front CommonFront(std::span<const Front> fronts,
                  std::span<const uint32_t> triangles) {
  if (triangles.empty()) return Front::kUnknown;
  const Front front = fronts[triangles.front()];
  for (const uint32_t id : triangles) {
    if (fronts[id] != front) return Front::kUnknown;
  }
  return front;
}

// Closest point for a point outside the mesh's bounds. From far away, many
// triangles are tied.
std::optional<SurfacePoint> ClosestOutside(const Tree& tree, const Vec3& p,
                                           const QueryOptions& options) {
  return ClosestPoint(tree, p, options);
}

}  // namespace

struct SignedDistanceField::Data {
  Tree tree;
  std::optional<SurfaceSides> sides;  // absent if faces do not agree
  std::vector<Front> fronts;          // all unknown if faces do not agree
  // Created at the first request.
  std::shared_ptr<const mesh_internal::Remembered<BoundaryDistance>> boundary;

  // Requires a point for which the search for far points (far_nearest.h) does
  // not pay.
  ClosestWithTies Closest(const Vec3& p, const Execution& run) const;
  // Adds the sign to the result for p.
  std::optional<SurfacePoint> Signed(const Vec3& p,
                                     const ClosestWithTies& closest,
                                     InsideRule rule, const Watch& watch) const;
};

std::optional<SurfacePoint> SignedDistanceField::Data::Signed(
    const Vec3& p, const ClosestWithTies& closest, InsideRule rule,
    const Watch& watch) const {
  if (!closest.is_found()) return std::nullopt;
  SurfacePoint result = closest.best();
  if (result.distance == 0) return result;
  const auto is_inside = [&] {
    const Front front = CommonFront(fronts, closest.ties());
    if (front != Front::kUnknown) {
      if (!IsBoundary(front, rule)) return true;
      // Denormal distances have few significant bits, so ties may be relatively
      // far apart.
      const Side side = std::isnormal(result.distance)
                            ? sides->SideOf(p, closest.ties())
                            : Side::kUnknown;
      if (side != Side::kUnknown) {
        return (side == Side::kFront) == IsInsideInFront(front, rule);
      }
    }
    QueryOptions alone = watch.Alone();
    alone.inside = rule;
    return orbox::IsInside(tree, p, alone);
  };
  if (is_inside()) result.distance = -result.distance;
  return result;
}

ClosestWithTies SignedDistanceField::Data::Closest(const Vec3& p,
                                                   const Execution& run) const {
  ClosestWithTies closest;
  TiesSink sink({&closest, 1});
  constexpr uint32_t kFirst = 0;
  SearchNearest(tree,
                {.points = {&p, 1},
                 .order = {&kFirst, 1},
                 .max_distance = run.max_distance()},
                sink, run);
  return closest;
}

absl::StatusOr<SignedDistanceField> SignedDistanceField::Create(TreeAtPose at) {
  // Building a tree over the moved vertices takes no longer than the other
  // steps.
  if (at.moved() != nullptr) {
    const absl::StatusOr<Tree> own = WorldTree(*at.moved(), {});
    if (!own.ok()) return own.status();
    return Create(*own);
  }
  const Tree& tree = at.tree();
  const auto field = [&](std::optional<SurfaceSides> sides,
                         std::vector<Front> fronts) {
    return SignedDistanceField(std::make_shared<const Data>(
        Data{tree, std::move(sides), std::move(fronts),
             std::make_shared<mesh_internal::Remembered<BoundaryDistance>>()}));
  };
  const auto create = [&]() -> absl::StatusOr<SignedDistanceField> {
    const Mesh& mesh = tree.mesh();
    if (IsClosed(mesh) && !DoFacesAgree(mesh)) {
      return field(std::nullopt,
                   std::vector<Front>(mesh.triangle_count(), Front::kUnknown));
    }
    absl::StatusOr<SurfaceSides> sides = SurfaceSides::Create(mesh);
    if (!sides.ok()) return sides.status();
    std::vector<Front> fronts = FrontsOf(tree, *sides);
    return field(*std::move(sides), std::move(fronts));
  };
  return GuardMemory("for the edges and vertices of the mesh; split it",
                     create);
}

std::optional<SurfacePoint> SignedDistanceField::ClosestPoint(
    const Vec3& p, const QueryOptions& options) const {
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(p));
  if (FarSearch::MayPay(tree(), p)) return ClosestOutside(tree(), p, options);
  return data_->Signed(p, data_->Closest(p, run), options.inside, run);
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
SignedDistanceField::ClosestPoint(std::span<const Vec3> points,
                                  const QueryOptions& options) const {
  std::vector<std::optional<SurfacePoint>> results;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree().space(), points.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const auto work = [&](const BatchRun::Task& task) {
    // Points of this task, numbered from 0.
    std::vector<Vec3> own;
    std::vector<uint32_t> own_queries;
    for (const uint32_t i : task.queries) {
      if (FarSearch::MayPay(tree(), points[i])) {
        results[i] = ClosestOutside(tree(), points[i],
                                    task.watch.Alone(options.max_distance));
      } else {
        own.push_back(points[i]);
        own_queries.push_back(i);
      }
    }
    std::vector<uint32_t> order(own.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<ClosestWithTies> closest(own.size());
    TiesSink sink(closest);
    SearchNearest(
        tree(),
        {.points = own, .order = order, .max_distance = options.max_distance},
        sink, task.watch);
    for (size_t i = 0; i < own.size(); ++i) {
      results[own_queries[i]] =
          data_->Signed(own[i], closest[i], options.inside, task.watch);
    }
  };
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    return run.ForEachTask([&](size_t i) { return points[i]; }, work);
  });
  if (!status.ok()) return status;
  return results;
}

double SignedDistanceField::Distance(const Vec3& p,
                                     const QueryOptions& options) const {
  const std::optional<SurfacePoint> closest = ClosestPoint(p, options);
  return closest.has_value() ? closest->distance
                             : std::numeric_limits<double>::quiet_NaN();
}

absl::StatusOr<std::vector<double>> SignedDistanceField::Distance(
    std::span<const Vec3> points, const QueryOptions& options) const {
  const auto closest = ClosestPoint(points, options);
  if (!closest.ok()) return closest.status();
  return GuardMemory(
      "for the distances; use smaller batches",
      [&]() -> absl::StatusOr<std::vector<double>> {
        std::vector<double> distances;
        distances.reserve(points.size());
        for (const std::optional<SurfacePoint>& c : *closest) {
          distances.push_back(c ? c->distance
                                : std::numeric_limits<double>::quiet_NaN());
        }
        return distances;
      });
}

// The distance to the boundary is that to the surface in two cases: if p is
// outside, because a segment from p to a wall crosses the boundary first, and
// if the closest triangle bounds the solid.
DistanceInterval SignedDistanceField::DistanceToBoundary(
    const Vec3& p, const QueryOptions& options) const {
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(p));
  QueryOptions alone = run.Alone();
  if (FarSearch::MayPay(tree(), p)) {
    return BoundsOfDistance(tree(), p, *ClosestOutside(tree(), p, alone));
  }
  const ClosestWithTies closest = data_->Closest(p, Execution(alone));
  const SurfacePoint surface = *data_->Signed(p, closest, options.inside, run);
  const DistanceInterval to_surface = BoundsOfDistance(tree(), p, surface);
  if (surface.distance > 0 || !data_->sides ||
      options.inside == InsideRule::kParity) {
    return to_surface;
  }
  for (const uint32_t id : closest.ties()) {
    const Front front = data_->fronts[id];
    if (front == Front::kUnknown || !IsBoundary(front, options.inside)) {
      continue;
    }
    // A triangle with the smallest distance, or one that rounds to it.
    const double upper =
        orbox::BoundsOfDistance(p, tree().mesh().triangle(id)).upper;
    return {std::min(to_surface.lower, -upper), to_surface.upper};
  }
  const BoundaryDistance& boundary = data_->boundary->Or(
      [&] { return BoundaryDistance(tree(), data_->fronts); });
  if (boundary.is_surface()) return to_surface;
  const DistanceInterval inward = boundary.From(p, run);
  return {-inward.upper, std::min(-inward.lower, to_surface.upper)};
}

absl::StatusOr<std::vector<DistanceInterval>>
SignedDistanceField::DistanceToBoundary(std::span<const Vec3> points,
                                        const QueryOptions& options) const {
  std::vector<DistanceInterval> results;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree().space(), points.size(), Execution(options));
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    return run.ForEachTask([&](size_t i) { return points[i]; },
                           [&](const BatchRun::Task& task) {
                             QueryOptions alone = task.watch.Alone();
                             alone.inside = options.inside;
                             for (const uint32_t i : task.queries) {
                               results[i] =
                                   DistanceToBoundary(points[i], alone);
                             }
                           });
  });
  if (!status.ok()) return status;
  return results;
}

bool SignedDistanceField::IsInside(const Vec3& p,
                                   const QueryOptions& options) const {
  return orbox::IsInside(tree(), p, options);
}

absl::StatusOr<std::vector<uint8_t>> SignedDistanceField::IsInside(
    std::span<const Vec3> points, const QueryOptions& options) const {
  return orbox::IsInside(tree(), points, options);
}

const Tree& SignedDistanceField::tree() const { return data_->tree; }

}  // namespace orbox
