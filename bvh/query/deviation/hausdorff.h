// SPDX-License-Identifier: Apache-2.0

// Largest distance of the points of a mesh from another mesh: the Hausdorff
// distance, one-sided and symmetric, and the distances of each triangle.
//
//   absl::StatusOr<HausdorffResult> h =
//       HausdorffDistance(scan, model, {.tolerance = 0.01}, {.threads = 4});
//   if (h.ok() && h->upper < 0.1) ...          // nowhere more than 0.1 away
//
// The one-sided distance from A to B is the largest distance that a point of
// A's surface has from B. It is enclosed: lower <= h <= upper, where h is the
// exact value, correctly rounded, for the posed vertices. The two bounds are as
// close as the tolerance requires, unless max_parts is reached first. The
// witness is at `lower`.
//
// Branch and bound over A's triangles. Two upper bounds of a part are computed:
// from the distance of a corner, and from the distances of all corners to one
// triangle of B (Tang, Lee, Kim, "Interactive Hausdorff distance computation
// for general polygonal models", 2009; Kang, Kyung, Yoon, Kim, "Fast and robust
// Hausdorff distance computation from triangle mesh to quad mesh in near-zero
// cases", 2018). If a part may contain the farthest point, the search cuts away
// all points that are near enough to one triangle of B: the one closest to the
// part's middle. The rest is divided and examined again. Costs one
// closest-point query, exact except for rounding, for each vertex of A and each
// part, and the build of a tree for B if B is moved.
//
// Errors are those of query_options.h. The bytes of the result do not depend on
// the number of threads. Thread-safe.
#ifndef ORBOX_BVH_QUERY_DEVIATION_HAUSDORFF_H_
#define ORBOX_BVH_QUERY_DEVIATION_HAUSDORFF_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct HausdorffLimits {
  // Upper bound of upper - lower: the larger of the two tolerances. Requires
  // that neither is negative. If both are 0, the search ends only if the bounds
  // are equal, or if parts are too small to be divided, or at max_parts. The
  // bounds become equal if the farthest point is a corner. Default: a
  // thousandth of the diagonal of B's box.
  std::optional<double> tolerance = {};
  double relative_tolerance = 0;  // times `lower`

  // Limit of the number of parts of triangles that are examined, approximate.
  // Each part takes about 250 bytes and a microsecond. At the limit, the search
  // stops and returns the bounds found so far.
  size_t max_parts = size_t{1} << 20;
};

// `Id` is the type of triangles' ids.
template <typename Id>
struct BasicHausdorffResult {
  double lower = 0;
  double upper = 0;

  // A point of A that is at least `lower` away from B, and the closest point of
  // B.
  Id triangle_a = 0;
  Vec3 on_a;
  Id triangle_b = 0;
  Vec3 on_b;
};
using HausdorffResult = BasicHausdorffResult<uint32_t>;

// Returns the distance from A to B. Returns kInvalidArgument also for a
// tolerance that is negative or NaN. Other errors are those of query_options.h
// and of Build (build.h).
ORBOX_EXPORT absl::StatusOr<HausdorffResult> HausdorffDistance(
    const PosedTree& a, const PosedTree& b, const HausdorffLimits& limits = {},
    const RunOptions& options = {});

// The distances both ways. The symmetric distance is the larger of the two.
template <typename Id>
struct BasicSymmetricHausdorffResult {
  BasicHausdorffResult<Id> a_to_b;  // the witness's triangle_a is of A
  BasicHausdorffResult<Id> b_to_a;  // the witness's triangle_a is of B

  double lower() const {
    return a_to_b.lower > b_to_a.lower ? a_to_b.lower : b_to_a.lower;
  }
  double upper() const {
    return a_to_b.upper > b_to_a.upper ? a_to_b.upper : b_to_a.upper;
  }
};
using SymmetricHausdorffResult = BasicSymmetricHausdorffResult<uint32_t>;
ORBOX_EXPORT absl::StatusOr<SymmetricHausdorffResult>
SymmetricHausdorffDistance(const PosedTree& a, const PosedTree& b,
                           const HausdorffLimits& limits = {},
                           const RunOptions& options = {});

// The smallest and the largest distance of a triangle of A from B.
struct TriangleDeviation {
  double nearest = 0;         // the exact distance, correctly rounded
  double farthest_lower = 0;  // the one-sided Hausdorff distance, enclosed
  double farthest_upper = 0;
};

// Returns the deviation of each triangle of A, in order. max_parts is a limit
// for each triangle.
ORBOX_EXPORT absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedTree& a, const PosedTree& b, const HausdorffLimits& limits = {},
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_HAUSDORFF_H_
