// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_depths.h"

#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/penetration.h"
#include "tools/base/parallel.h"

namespace orbox::cli {

size_t CountWithinBudget(std::span<const size_t> triangles, size_t budget) {
  size_t count = 0;
  size_t sum = 0;
  for (; count < triangles.size(); ++count) {
    sum += triangles[count];
    if (count > 0 && sum > budget) break;
  }
  return count;
}

absl::Status FindDepths(const ClashInput& scene, const Settings& settings,
                        ProgressDisplay& progress, report::ClashList& list) {
  std::vector<report::ListedClash*> clashes;
  std::vector<size_t> triangles;
  for (report::ListedClash& clash : list.clashes) {
    if (!IsClash(clash.pair.clash.kind)) continue;
    clashes.push_back(&clash);
    triangles.push_back(scene.trees[clash.pair.a].mesh().triangle_count() +
                        scene.trees[clash.pair.b].mesh().triangle_count());
  }
  const size_t count = CountWithinBudget(triangles, kDepthBudget);
  list.depths = {
      .measured = count, .of = clashes.size(), .budget = kDepthBudget};
  std::vector<absl::Status> failures(count);
  progress.Begin("depths", count);
  tools::ParallelFor(count, settings.threads, [&](size_t i, size_t) {
    report::ListedClash& clash = *clashes[i];
    const absl::StatusOr<PosedTree> a =
        scene.frames->BodyAt(clash.pair.a, clash.frame);
    const absl::StatusOr<PosedTree> b =
        scene.frames->BodyAt(clash.pair.b, clash.frame);
    failures[i] = a.ok() ? b.status() : a.status();
    if (!failures[i].ok()) return;
    ClashOptions options = scene.parameters.Options();
    options.depth = true;
    clash.pair.clash.depth = ClashOf(*a, *b, options).depth;
    progress.Advance(1);
  });
  progress.End();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return absl::OkStatus();
}

}  // namespace orbox::cli
