// SPDX-License-Identifier: Apache-2.0

// The point of a chunked mesh that is farthest from a chunked target. It is the
// search of query/deviation/internal/farthest_search.h, step by step with equal
// numbers, by one process or by several that have some of the chunks each.
// Private.
//
//   absl::StatusOr<GlobalHausdorffResult> h =
//       FarthestOfChunks(a, target.bounds(), options, team);
//
// The corners of A are measured chunk by chunk. Triangles are decided by edges
// and distances if possible; the others are kept, some 350 bytes each.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNKED_FARTHEST_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNKED_FARTHEST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_traits.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The processes that search together. All of them call the same functions in
// the same order, and get equal statuses.
class ORBOX_EXPORT FarthestTeam {
 public:
  virtual ~FarthestTeam() = default;

  virtual size_t size() const { return 1; }
  virtual size_t number() const { return 0; }  // of this process
  // Upper bound of the bytes of undecided triangles in a process.
  virtual uint64_t memory() const;

  // Local work between the calls below, with all of its allocation.
  virtual absl::Status Together(absl::FunctionRef<absl::Status()> work) = 0;
  // Finds the triangles of the target that are closest to this process's own
  // points. (*found)[i] has a value.
  virtual absl::Status Closest(
      std::span<const DistanceQuery> own,
      std::vector<DistanceChunkTraits::Answer>* found) = 0;
  // Concatenates the bytes of all processes, in their order, on each process.
  virtual absl::Status Join(const std::vector<std::byte>& own,
                            std::vector<std::byte>* all) = 0;
};

// Requires arguments that CheckHausdorff accepts. The team adds up
// `statistics`. `bounds` are those of the target.
ORBOX_EXPORT absl::StatusOr<GlobalHausdorffResult> FarthestOfChunks(
    const PosedChunkedTree& a, const Aabb& bounds,
    const HausdorffLimits& limits, const RunOptions& options,
    FarthestTeam& team);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNKED_FARTHEST_H_
