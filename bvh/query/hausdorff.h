// SPDX-License-Identifier: Apache-2.0

// How far does a mesh stray from another one, at most? The Hausdorff distance,
// one-sided and symmetric, and the distances triangle by triangle.
//
//   absl::StatusOr<HausdorffResult> h =
//       HausdorffDistance(scan, model, {.tolerance = 0.01, .threads = 4});
//   if (h.ok() && h->upper < 0.1) ...          // nowhere more than 0.1 away
//
// The one-sided distance from A to B is the largest distance that a point of
// A's surface has from B. It is enclosed: lower <= h <= upper, where h is the
// exact value, correctly rounded, for the posed vertices; the two are as close
// as the tolerance asks, unless max_parts comes first. At `lower` there is a
// witness. Branch and bound over A's triangles: what a corner's distance says
// of its neighbourhood, and what one triangle of B is from all corners, bound a
// part from above (Tang, Lee, Kim, "Interactive Hausdorff distance computation
// for general polygonal models", 2009; Kang, Kyung, Yoon, Kim, "Fast and robust
// Hausdorff distance computation from triangle mesh to quad mesh in near-zero
// cases", 2018). Where a part may hold the farthest point, what is near enough
// to the triangle closest to its middle is cut away, and the rest is looked at
// again, in parts. Cost: a closest point, known but for rounding, for each
// vertex of A and each part; a tree for B where it is moved.
//
// Options and errors are those of query_options.h; a max_distance has no effect
// as long as it is valid. The bytes do not depend on the number of threads.
// Thread-safe.
#ifndef ORBOX_BVH_QUERY_HAUSDORFF_H_
#define ORBOX_BVH_QUERY_HAUSDORFF_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct HausdorffOptions {
  // upper - lower is to be at most the larger of the two. Not negative; both 0
  // asks for the last bit, which is found where corners are farthest. Absent: a
  // thousandth of the diagonal of B's box.
  std::optional<double> tolerance;
  double relative_tolerance = 0;  // of `lower`

  // So many parts of triangles are looked at, give or take; each takes about
  // 250 bytes and a microsecond. Beyond it, bounds are as they are.
  size_t max_parts = size_t{1} << 20;

  // As QueryOptions has them (bvh/traverse/query_options.h).
  double max_distance = std::numeric_limits<double>::infinity();
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

struct HausdorffResult {
  double lower = 0;
  double upper = 0;

  // A point of A that is at least `lower` away from B, and the point of B that
  // is closest to it.
  uint32_t triangle_a = 0;
  Vec3 on_a;
  uint32_t triangle_b = 0;
  Vec3 on_b;
};

// From A to B. kInvalidArgument also for a tolerance that is negative or NaN;
// otherwise as Build (build.h).
ORBOX_EXPORT absl::StatusOr<HausdorffResult> HausdorffDistance(
    const PosedTree& a, const PosedTree& b,
    const HausdorffOptions& options = {});

// Both ways; the symmetric distance is the larger of the two.
struct SymmetricHausdorffResult {
  HausdorffResult a_to_b;  // the witness's triangle_a is of A
  HausdorffResult b_to_a;  // the witness's triangle_a is of B

  double lower() const {
    return a_to_b.lower > b_to_a.lower ? a_to_b.lower : b_to_a.lower;
  }
  double upper() const {
    return a_to_b.upper > b_to_a.upper ? a_to_b.upper : b_to_a.upper;
  }
};
ORBOX_EXPORT absl::StatusOr<SymmetricHausdorffResult>
SymmetricHausdorffDistance(const PosedTree& a, const PosedTree& b,
                           const HausdorffOptions& options = {});

// How near and how far a triangle of A comes to and from B.
struct TriangleDeviation {
  double nearest = 0;         // the exact distance, correctly rounded
  double farthest_lower = 0;  // the one-sided Hausdorff distance, enclosed
  double farthest_upper = 0;
};

// The deviation of each triangle of A, in order; max_parts counts for each
// anew.
ORBOX_EXPORT absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedTree& a, const PosedTree& b,
    const HausdorffOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_HAUSDORFF_H_
