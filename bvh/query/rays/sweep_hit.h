// SPDX-License-Identifier: Apache-2.0

// Triangles that a ball hits on its way along a segment: any, their number, the
// first, all.
//
//   const SweptSphere ball{.from = p, .to = q, .radius = 0.1};
//   std::optional<SweepHit> hit = ClosestHit(tree, ball);
//   const double t = hit ? hit->earliest : 1;  // the ball is free until t
//   bool blocked = AnyHit(tree, ball);
//   auto hits = ClosestHit(tree, balls, {.threads = 4});  // a batch
//   if (!hits.ok()) return hits.status();
//
// The centre is at from + t (to - from), t from 0 to 1. Contact of the ball
// with a triangle, on the way and at the start, is decided exactly; touching
// counts. The time of the first contact is enclosed as closely as
// overlap/triangles/swept_sphere.h says. A ball is not valid if a number is not
// finite or if its radius is negative.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 balls.
//
// For a posed tree, results are exact for its vertices, moved and rounded once.
// If its pose is not a similarity, a tree is built in place once
// (posed/posed_tree.h).
//
// Cost: near O(log n), and more if the ball is large compared with the
// triangles. Memory: the results. A batch takes 16 more bytes per ball, and
// twice the memory of lists. Thread-safe.
#ifndef ORBOX_BVH_QUERY_RAYS_SWEEP_HIT_H_
#define ORBOX_BVH_QUERY_RAYS_SWEEP_HIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// `Id` is the type of triangles' ids.
template <typename Id>
struct BasicSweepHit {
  Id triangle = 0;
  // Enclosure of the time of first contact. The ball does not touch this
  // triangle before `earliest`, and touches it at `latest` or before. In a
  // result of ClosestHit, the ball touches no triangle at all before
  // `earliest`, and the enclosure may be twice as wide.
  double earliest = 0;
  double latest = 0;
  // The point of the triangle closest to the centre at `latest`.
  Vec3 point;
};
using SweepHit = BasicSweepHit<uint32_t>;

// Returns true if the ball hits anything on its way. Stops at the first hit
// found.
ORBOX_EXPORT bool AnyHit(TreeAtPose tree, const SweptSphere& ball);
ORBOX_EXPORT absl::StatusOr<bool> AnyHit(TreeAtPose tree,
                                         const SweptSphere& ball,
                                         const RunOptions& options);

// Returns the number of triangles that the ball hits on its way.
ORBOX_EXPORT size_t CountHits(TreeAtPose tree, const SweptSphere& ball);
ORBOX_EXPORT absl::StatusOr<size_t> CountHits(TreeAtPose tree,
                                              const SweptSphere& ball,
                                              const RunOptions& options);

// Returns the first hit: a triangle that the ball has touched at `latest`. The
// ball touches nothing before `earliest`. If several triangles are first
// touched within the width of one enclosure (2^-42 S / |to - from|, with S as
// in swept_sphere.h), one of them is returned. Examples are a vertex that
// triangles share, and a ball that comes from far away. The choice depends only
// on the tree and the ball.
ORBOX_EXPORT std::optional<SweepHit> ClosestHit(TreeAtPose tree,
                                                const SweptSphere& ball);
ORBOX_EXPORT absl::StatusOr<std::optional<SweepHit>> ClosestHit(
    TreeAtPose tree, const SweptSphere& ball, const RunOptions& options);

// Returns all hits, by `latest`, then by id.
ORBOX_EXPORT std::vector<SweepHit> AllHits(TreeAtPose tree,
                                           const SweptSphere& ball);
ORBOX_EXPORT absl::StatusOr<std::vector<SweepHit>> AllHits(
    TreeAtPose tree, const SweptSphere& ball, const RunOptions& options);

// Calls `visitor` with each hit, in no particular order, until it returns
// kStop.
using SweepHitVisitor = absl::FunctionRef<Visit(const SweepHit& hit)>;
ORBOX_EXPORT void VisitHits(TreeAtPose tree, const SweptSphere& ball,
                            SweepHitVisitor visitor);
ORBOX_EXPORT absl::Status VisitHits(TreeAtPose tree, const SweptSphere& ball,
                                    SweepHitVisitor visitor,
                                    const RunOptions& options);

// Batches. AnyHit returns 1 for balls that hit anything, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountHits(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SweepHit>>> ClosestHit(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<SweepHit>> AllHits(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_SWEEP_HIT_H_
