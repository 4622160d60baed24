// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside.h"

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/crossings.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

bool IsInside(const Tree& tree, const Vec3& p, const QueryOptions& options) {
  const Execution run(options);
  if (!IsFinite(p) || run.finds_nothing()) return false;
  const Crossings crossings = CrossingsFrom(tree, p, run.statistics());
  return !crossings.is_on_surface && crossings.winding % 2 != 0;
}

absl::StatusOr<std::vector<uint8_t>> IsInside(const Tree& tree,
                                              std::span<const Vec3> points,
                                              const QueryOptions& options) {
  return AskEachOf<uint8_t>(
      tree, points, PlacesOf(points), options,
      [](const auto&... asked) { return IsInside(asked...); });
}

}  // namespace orbox
