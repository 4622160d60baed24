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
#include "orbox/bvh/query/inside/internal/crossings.h"
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

double DistanceOf(const std::optional<SurfacePoint>& closest) {
  return closest ? closest->distance : std::numeric_limits<double>::quiet_NaN();
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
  ClosestWithTies Closest(const Vec3& p, double max_distance,
                          const Watch& watch) const;
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
    return CrossingsFrom(tree, p, watch).IsInside(tree.mesh(), rule);
  };
  if (is_inside()) result.distance = -result.distance;
  return result;
}

ClosestWithTies SignedDistanceField::Data::Closest(const Vec3& p,
                                                   double max_distance,
                                                   const Watch& watch) const {
  ClosestWithTies closest;
  TiesSink sink({&closest, 1});
  constexpr uint32_t kFirst = 0;
  SearchNearest(
      tree,
      {.points = {&p, 1}, .order = {&kFirst, 1}, .max_distance = max_distance},
      sink, watch);
  return closest;
}

absl::StatusOr<SignedDistanceField> SignedDistanceField::Create(
    TreeAtPose at, InsideRule rule) {
  // Building a tree over the moved vertices takes no longer than the other
  // steps.
  if (at.moved() != nullptr) {
    const absl::StatusOr<Tree> own = WorldTree(*at.moved(), {});
    if (!own.ok()) return own.status();
    return Create(*own, rule);
  }
  const Tree& tree = at.tree();
  const auto field = [&](std::optional<SurfaceSides> sides,
                         std::vector<Front> fronts) {
    return SignedDistanceField(
        std::make_shared<const Data>(Data{
            tree, std::move(sides), std::move(fronts),
            std::make_shared<mesh_internal::Remembered<BoundaryDistance>>()}),
        rule);
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

std::optional<SurfacePoint> SignedDistanceField::Find(
    const Vec3& p, double max_distance, const Watch& watch) const {
  // From far away, many triangles are tied, and the point is outside.
  if (FarSearch::MayPay(tree(), p)) {
    return FindClosest(tree(), p, max_distance, watch);
  }
  return data_->Signed(p, data_->Closest(p, max_distance, watch), rule_, watch);
}

std::optional<SurfacePoint> SignedDistanceField::ClosestPoint(
    const Vec3& p, double max_distance) const {
  Require(CheckQuery(PointWithin{p, max_distance}));
  return Find(p, max_distance, Watch());
}

absl::StatusOr<std::optional<SurfacePoint>> SignedDistanceField::ClosestPoint(
    const Vec3& p, double max_distance, const RunOptions& options) const {
  return WithRunOptions(
      options, CheckQuery(PointWithin{p, max_distance}),
      [&](const Execution& run) { return Find(p, max_distance, run); });
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
SignedDistanceField::ClosestPoint(std::span<const Vec3> points,
                                  double max_distance,
                                  const RunOptions& options) const {
  std::vector<std::optional<SurfacePoint>> results;
  if (absl::Status s = CheckDistance("max_distance", max_distance); !s.ok()) {
    return s;
  }
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree().space(), points.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const auto work = [&](const BatchRun::Task& task) {
    // Points of this task, numbered from 0.
    std::vector<Vec3> own;
    std::vector<uint32_t> own_queries;
    for (const uint32_t i : task.queries) {
      if (FarSearch::MayPay(tree(), points[i])) {
        results[i] = FindClosest(tree(), points[i], max_distance, task.watch);
      } else {
        own.push_back(points[i]);
        own_queries.push_back(i);
      }
    }
    std::vector<uint32_t> order(own.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<ClosestWithTies> closest(own.size());
    TiesSink sink(closest);
    SearchNearest(tree(),
                  {.points = own, .order = order, .max_distance = max_distance},
                  sink, task.watch);
    for (size_t i = 0; i < own.size(); ++i) {
      results[own_queries[i]] =
          data_->Signed(own[i], closest[i], rule_, task.watch);
    }
  };
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    return run.ForEachTask([&](size_t i) { return points[i]; }, work);
  });
  if (!status.ok()) return status;
  return results;
}

double SignedDistanceField::Distance(const Vec3& p, double max_distance) const {
  return DistanceOf(ClosestPoint(p, max_distance));
}

absl::StatusOr<double> SignedDistanceField::Distance(
    const Vec3& p, double max_distance, const RunOptions& options) const {
  const auto closest = ClosestPoint(p, max_distance, options);
  if (!closest.ok()) return closest.status();
  return DistanceOf(*closest);
}

absl::StatusOr<std::vector<double>> SignedDistanceField::Distance(
    std::span<const Vec3> points, double max_distance,
    const RunOptions& options) const {
  const auto closest = ClosestPoint(points, max_distance, options);
  if (!closest.ok()) return closest.status();
  return GuardMemory("for the distances; use smaller batches",
                     [&]() -> absl::StatusOr<std::vector<double>> {
                       std::vector<double> distances(points.size());
                       std::transform(closest->begin(), closest->end(),
                                      distances.begin(), DistanceOf);
                       return distances;
                     });
}

// The distance to the boundary is that to the surface in two cases: if p is
// outside, because a segment from p to a wall crosses the boundary first, and
// if the closest triangle bounds the solid.
DistanceInterval SignedDistanceField::FindToBoundary(const Vec3& p,
                                                     const Watch& watch) const {
  if (FarSearch::MayPay(tree(), p)) {
    return BoundsOfDistance(tree(), p,
                            *FindClosest(tree(), p, kNoLimit, watch));
  }
  const ClosestWithTies closest = data_->Closest(p, kNoLimit, watch);
  const SurfacePoint surface = *data_->Signed(p, closest, rule_, watch);
  const DistanceInterval to_surface = BoundsOfDistance(tree(), p, surface);
  if (surface.distance > 0 || !data_->sides || rule_ == InsideRule::kParity) {
    return to_surface;
  }
  for (const uint32_t id : closest.ties()) {
    const Front front = data_->fronts[id];
    if (front == Front::kUnknown || !IsBoundary(front, rule_)) {
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
  const DistanceInterval inward = boundary.From(p, watch);
  return {-inward.upper, std::min(-inward.lower, to_surface.upper)};
}

DistanceInterval SignedDistanceField::DistanceToBoundary(const Vec3& p) const {
  Require(CheckQuery(p));
  return FindToBoundary(p, Watch());
}

absl::StatusOr<DistanceInterval> SignedDistanceField::DistanceToBoundary(
    const Vec3& p, const RunOptions& options) const {
  return WithRunOptions(options, CheckQuery(p), [&](const Execution& run) {
    return FindToBoundary(p, run);
  });
}

absl::StatusOr<std::vector<DistanceInterval>>
SignedDistanceField::DistanceToBoundary(std::span<const Vec3> points,
                                        const RunOptions& options) const {
  return RunEachOf<DistanceInterval>(
      tree(), points, PositionsOf(points), options,
      [this](TreeAtPose, const Vec3& p, const Execution& run) {
        return FindToBoundary(p, run);
      });
}

bool SignedDistanceField::IsInside(const Vec3& p) const {
  return orbox::IsInside(tree(), p, rule_);
}

absl::StatusOr<bool> SignedDistanceField::IsInside(
    const Vec3& p, const RunOptions& options) const {
  return orbox::IsInside(tree(), p, rule_, options);
}

absl::StatusOr<std::vector<uint8_t>> SignedDistanceField::IsInside(
    std::span<const Vec3> points, const RunOptions& options) const {
  return orbox::IsInside(tree(), points, rule_, options);
}

const Tree& SignedDistanceField::tree() const { return data_->tree; }

}  // namespace orbox
