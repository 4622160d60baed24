// SPDX-License-Identifier: Apache-2.0

// What does a ball hit that moves along a segment: anything, how much, when and
// where first, what all?
//
//   const SweptSphere ball{.from = p, .to = q, .radius = 0.1};
//   std::optional<SweepHit> hit = ClosestHit(tree, ball);
//   const double t = hit ? hit->earliest : 1;  // free as far as that
//   bool blocked = AnyHit(tree, ball);
//   auto hits = ClosestHit(tree, balls, {.threads = 4});  // a batch
//   if (!hits.ok()) return hits.status();
//
// The centre is at from + t (to - from), t from 0 to 1. Whether the ball
// touches a triangle is decided exactly, touching included, and so is whether
// it does at the start; the time of the first contact is enclosed as closely as
// overlap/triangles/swept_sphere.h says. `max_distance` limits t: a contact is
// left out where it is certainly later. A ball that is not valid is no
// question (query_options.h).
//
// A batch has the answers of its single questions, each at its own place. Its
// errors are those of query_options.h, and kInvalidArgument for more than
// 2^32 - 1 balls. `progress` is called by batches alone.
//
// Cost: near O(log n), and more where the ball is large beside the triangles.
// Memory: the results; 16 bytes a ball of a batch, and lists twice.
// Thread-safe.
#ifndef ORBOX_BVH_QUERY_SWEEP_HIT_H_
#define ORBOX_BVH_QUERY_SWEEP_HIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

struct SweepHit {
  uint32_t triangle = 0;
  // Before `earliest` the ball does not touch the triangle; from ClosestHit, it
  // touches nothing before, and the two may be as far apart again as contacts
  // are enclosed. At `latest` it has touched, or touches, this one.
  double earliest = 0;
  double latest = 0;
  // The point of the triangle closest to the centre at `latest`.
  Vec3 point;
};

// Whether the ball hits anything on its way. Stops at the first hit found.
ORBOX_EXPORT bool AnyHit(const Tree& tree, const SweptSphere& ball,
                         const QueryOptions& options = {});

// How many triangles the ball hits on its way.
ORBOX_EXPORT size_t CountHits(const Tree& tree, const SweptSphere& ball,
                              const QueryOptions& options = {});

// What the ball hits first: a triangle that it has touched at `latest`, while
// it touches nothing before `earliest`. Where several are touched as closely
// together as one contact is enclosed (2^-42 S / |to - from|, with S as in
// swept_sphere.h), as at a vertex that they share or where a ball comes from
// far away, it is one of them, which depends on the tree and the ball alone.
ORBOX_EXPORT std::optional<SweepHit> ClosestHit(
    const Tree& tree, const SweptSphere& ball,
    const QueryOptions& options = {});

// All hits, by `latest`, then by id.
ORBOX_EXPORT std::vector<SweepHit> AllHits(const Tree& tree,
                                           const SweptSphere& ball,
                                           const QueryOptions& options = {});

// Calls `visitor` with each hit, in no particular order, until it returns
// kStop.
using SweepHitVisitor = absl::FunctionRef<Visit(const SweepHit& hit)>;
ORBOX_EXPORT void VisitHits(const Tree& tree, const SweptSphere& ball,
                            SweepHitVisitor visitor,
                            const QueryOptions& options = {});

// Batches. AnyHit gives 1 where the ball hits anything, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const Tree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountHits(
    const Tree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SweepHit>>> ClosestHit(
    const Tree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<SweepHit>> AllHits(
    const Tree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SWEEP_HIT_H_
