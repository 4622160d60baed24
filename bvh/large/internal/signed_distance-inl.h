// SPDX-License-Identifier: Apache-2.0

// LargeSignedDistanceField (signed_distance.h), for any target. A library
// defines UnpairedEdgesOf(tree, options) and InStep(tree, what, work) for its
// target, and instantiates the class. Private.
#ifndef ORBOX_BVH_LARGE_INTERNAL_SIGNED_DISTANCE_INL_H_
#define ORBOX_BVH_LARGE_INTERNAL_SIGNED_DISTANCE_INL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

using SignedPoint = std::optional<GlobalSurfacePoint>;

// Returns NaN if there is no closest point.
inline double DistanceOf(const SignedPoint& closest) {
  return closest ? closest->distance : std::numeric_limits<double>::quiet_NaN();
}

inline std::vector<double> DistancesOf(std::span<const SignedPoint> closest) {
  std::vector<double> distances;
  distances.reserve(closest.size());
  for (const SignedPoint& c : closest) distances.push_back(DistanceOf(c));
  return distances;
}

// The points that may be inside, and their distances with signs.
//
//   SignSearch signs;
//   signs.Begin(points, closest, tree.bounds());
//   ... inside = IsInside(tree, signs.queries()) ...
//   signs.Finish(inside, closest);
class SignSearch {
 public:
  // Keeps the points that are neither on the surface nor outside its box. May
  // throw std::bad_alloc.
  void Begin(std::span<const Vec3> points, std::span<const SignedPoint> closest,
             const Aabb& bounds) {
    for (size_t i = 0; i < points.size(); ++i) {
      const SignedPoint& near = closest[i];
      if (!near || near->distance == 0) continue;
      const Vec3& p = points[i];
      if (Max(p, bounds.lo) != p || Min(p, bounds.hi) != p) continue;
      queries_.push_back(p);
      which_.push_back(i);
    }
  }

  // The points for which the caller has to find out whether they are inside.
  std::span<const Vec3> queries() const { return queries_; }

  void Finish(std::span<const uint8_t> inside,
              std::span<SignedPoint> closest) const {
    for (size_t n = 0; n < which_.size(); ++n) {
      double& distance = closest[which_[n]]->distance;
      if (inside[n] != 0) distance = -distance;
    }
  }

 private:
  std::vector<Vec3> queries_;
  std::vector<size_t> which_;
};

inline constexpr char kNoMemoryForSigns[] =
    "for the distances; use smaller batches";

template <LargeTree T>
absl::StatusOr<LargeSignedDistanceField<T>> LargeSignedDistanceField<T>::Create(
    const T& tree, const Options& options) {
  const absl::StatusOr<UnpairedEdges> edges = UnpairedEdgesOf(tree, options);
  if (!edges.ok()) return edges.status();
  const absl::Status closed =
      InStep(tree, kNoMemoryForSigns, [&] { return CheckClosed(*edges); });
  if (!closed.ok()) return closed;
  return LargeSignedDistanceField(tree);
}

template <LargeTree T>
absl::StatusOr<typename LargeSignedDistanceField<T>::Points>
LargeSignedDistanceField<T>::ClosestPoint(std::span<const Vec3> points,
                                          const Options& options) const {
  absl::StatusOr<Points> closest = orbox::ClosestPoint(tree_, points, options);
  if (!closest.ok()) return closest.status();
  std::optional<Options> of_signs;
  SignSearch signs;
  const absl::Status status = InStep(tree_, kNoMemoryForSigns, [&] {
    of_signs.emplace(options);
    if (options.progress) {
      of_signs->progress = [&](double) { options.progress(1); };
    }
    signs.Begin(points, *closest, tree_.chunks().bounds());
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<uint8_t>> inside =
      orbox::IsInside(tree_, signs.queries(), *of_signs);
  if (!inside.ok()) return inside.status();
  signs.Finish(*inside, *closest);
  return closest;
}

template <LargeTree T>
absl::StatusOr<std::vector<double>> LargeSignedDistanceField<T>::Distance(
    std::span<const Vec3> points, const Options& options) const {
  const absl::StatusOr<Points> closest = ClosestPoint(points, options);
  if (!closest.ok()) return closest.status();
  std::vector<double> distances;
  const absl::Status status = InStep(tree_, kNoMemoryForSigns, [&] {
    distances = DistancesOf(*closest);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return distances;
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_SIGNED_DISTANCE_INL_H_
