// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_clusters.h"

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pair_clusters.h"
#include "tools/base/parallel.h"

namespace orbox::cli {

absl::Status FindClusters(const ClashInput& scene, const Settings& settings,
                          ProgressDisplay& progress, report::ClashList& list) {
  const size_t count = list.ToLookAt();
  std::vector<absl::Status> failures(count);
  progress.Begin("places", count);
  tools::ParallelFor(count, settings.threads, [&](size_t i, size_t) {
    report::ListedClash& clash = list.clashes[i];
    const absl::StatusOr<PosedTree> a =
        scene.frames->BodyAt(clash.pair.a, clash.frame);
    const absl::StatusOr<PosedTree> b =
        scene.frames->BodyAt(clash.pair.b, clash.frame);
    failures[i] = a.ok() ? b.status() : a.status();
    if (!failures[i].ok()) return;
    clash.clusters = AllClustersWithin(*a, *b, scene.parameters.reach());
    progress.Advance(1);
  });
  progress.End();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return absl::OkStatus();
}

}  // namespace orbox::cli
