// SPDX-License-Identifier: Apache-2.0

// The result of `orbox hausdorff`, and its schema.
//
//   Schema<HausdorffAnswer> schema = HausdorffSchema(Ways::kBoth, {}, false);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_HAUSDORFF_ANSWER_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_HAUSDORFF_ANSWER_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/large/chunked_hausdorff.h"
#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

// The result of one way.
struct WayAnswer {
  GlobalHausdorffResult distance;
  std::optional<DeviationSummary> summary;
  bool by_area = true;  // vertices of the summary have areas as weights
};

struct HausdorffAnswer {
  absl::Status status;
  // One of them is unset if only the other way is wanted.
  std::optional<WayAnswer> a_to_b;
  std::optional<WayAnswer> b_to_a;
  std::vector<TriangleDeviation> field;

  size_t size() const { return 1 + 3 * field.size(); }
  // Returns the larger one of the bounds of both ways.
  double Larger(double GlobalHausdorffResult::*bound) const {
    return std::max(a_to_b ? a_to_b->distance.*bound : 0,
                    b_to_a ? b_to_a->distance.*bound : 0);
  }
};

enum class Ways { kBoth, kFromA, kFromB };

// Returns the schema of an answer. `limits` are those of the summaries, if they
// are wanted. CSV contains only the field, if it is wanted.
Schema<HausdorffAnswer> HausdorffSchema(
    Ways ways, const std::optional<DeviationLimits>& limits, bool wants_field);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_HAUSDORFF_ANSWER_H_
