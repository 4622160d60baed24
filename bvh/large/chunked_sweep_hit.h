// SPDX-License-Identifier: Apache-2.0

// Triangles of a chunked tree (chunked_tree.h) that a ball hits on its way
// along a segment.
//
//   const SweptSphere ball{.from = p, .to = q, .radius = 0.1};
//   absl::StatusOr<std::optional<GlobalSweepHit>> hit = ClosestHit(scan, ball);
//   if (!hit.ok()) return hit.status();
//   const double t = hit->has_value() ? (*hit)->earliest : 1;
//
// Results and options are those of query/rays/sweep_hit.h for this mesh in
// memory, with global ids. There is one exception: if a ball touches several
// triangles first, at times that the enclosures do not separate, the closest
// hit may be another one of them. It may differ so between trees of one mesh,
// too. Errors, memory and the number of loads are those of chunked_queries.h.
// Thread-safe.
#ifndef ORBOX_BVH_LARGE_CHUNKED_SWEEP_HIT_H_
#define ORBOX_BVH_LARGE_CHUNKED_SWEEP_HIT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

ORBOX_EXPORT absl::StatusOr<bool> AnyHit(const ChunkedTree& tree,
                                         const SweptSphere& ball,
                                         const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountHits(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalSweepHit>> ClosestHit(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalSweepHit>> AllHits(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options = {});
using GlobalSweepHitVisitor =
    absl::FunctionRef<Visit(const GlobalSweepHit& hit)>;
ORBOX_EXPORT absl::Status VisitHits(const ChunkedTree& tree,
                                    const SweptSphere& ball,
                                    GlobalSweepHitVisitor visitor,
                                    const QueryOptions& options = {});

// Batches.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountHits(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>>
ClosestHit(const ChunkedTree& tree, std::span<const SweptSphere> balls,
           const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_CHUNKED_SWEEP_HIT_H_
