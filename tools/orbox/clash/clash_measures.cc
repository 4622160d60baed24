// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_measures.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/penetration.h"
#include "tools/base/parallel.h"

namespace orbox::cli {
namespace {

// Calls `measure` for each clash, with its bodies in its worst frame.
absl::Status MeasureEach(
    std::string_view what, std::span<report::ListedClash* const> clashes,
    const ClashInput& scene, const Settings& settings,
    ProgressDisplay& progress,
    absl::FunctionRef<void(const PosedTree& a, const PosedTree& b,
                           report::ListedClash& clash)>
        measure) {
  std::vector<absl::Status> failures(clashes.size());
  progress.Begin(what, clashes.size());
  tools::ParallelFor(clashes.size(), settings.threads, [&](size_t i, size_t) {
    report::ListedClash& clash = *clashes[i];
    const absl::StatusOr<PosedTree> a =
        scene.frames->BodyAt(clash.pair.a, clash.frame);
    const absl::StatusOr<PosedTree> b =
        scene.frames->BodyAt(clash.pair.b, clash.frame);
    failures[i] = a.ok() ? b.status() : a.status();
    if (!failures[i].ok()) return;
    measure(*a, *b, clash);
    progress.Advance(1);
  });
  progress.End();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return absl::OkStatus();
}

// Keeps only the first clashes whose measurement is within the budget.
report::ClashList::Measured KeepWithinBudget(
    const ClashInput& scene, std::vector<report::ListedClash*>& clashes) {
  std::vector<size_t> triangles;
  for (const report::ListedClash* clash : clashes) {
    triangles.push_back(scene.trees[clash->pair.a].mesh().triangle_count() +
                        scene.trees[clash->pair.b].mesh().triangle_count());
  }
  const size_t all = clashes.size();
  clashes.resize(CountWithinBudget(triangles, kMeasureBudget));
  return {.measured = clashes.size(), .of = all, .budget = kMeasureBudget};
}

}  // namespace

absl::Status FindClusters(const ClashInput& scene, const Settings& settings,
                          ProgressDisplay& progress, report::ClashList& list) {
  std::vector<report::ListedClash*> clashes;
  for (size_t i = 0; i < list.ToLookAt(); ++i) {
    clashes.push_back(&list.clashes[i]);
  }
  return MeasureEach(
      "places", clashes, scene, settings, progress,
      [&](const PosedTree& a, const PosedTree& b, report::ListedClash& clash) {
        clash.clusters = AllClustersWithin(
            a, b,
            scene.frames->ParametersOf(clash.pair.a, clash.pair.b).reach());
      });
}

size_t CountWithinBudget(std::span<const size_t> triangles, size_t budget) {
  size_t count = 0;
  size_t sum = 0;
  for (; count < triangles.size(); ++count) {
    sum += triangles[count];
    if (count > 0 && sum > budget) break;
  }
  return count;
}

absl::Status FindThicknesses(const ClashInput& scene, const Settings& settings,
                             ProgressDisplay& progress,
                             report::ClashList& list) {
  std::vector<report::ListedClash*> shared;
  std::vector<report::ListedClash*> clashes;
  for (report::ListedClash& clash : list.clashes) {
    const Clash& found = clash.pair.clash;
    if (!IsClash(found.kind) || found.kind == ClashKind::kCrossing) continue;
    shared.push_back(&clash);
    const MeasureBounds& known = found.thickness;
    if (known.upper <= known.lower * (1 + report::ClashList::kThicknessError)) {
      continue;
    }
    clashes.push_back(&clash);
  }
  const size_t known = shared.size() - clashes.size();
  list.thicknesses = KeepWithinBudget(scene, clashes);
  list.thicknesses->measured += known;
  list.thicknesses->of += known;
  const absl::Status status = MeasureEach(
      "thickness", clashes, scene, settings, progress,
      [&](const PosedTree& a, const PosedTree& b, report::ListedClash& listed) {
        ClashOptions options =
            scene.frames->ParametersOf(listed.pair.a, listed.pair.b).Options();
        options.thickness = true;
        options.error.relative = report::ClashList::kThicknessError;
        const Clash found = ClashOf(a, b, options);
        Clash& clash = listed.pair.clash;
        if (found.thickness.lower > clash.thickness.lower) {
          clash.thickness.lower = found.thickness.lower;
          clash.center = found.center;
        }
        clash.thickness.upper =
            std::min(clash.thickness.upper, found.thickness.upper);
      });
  list.Sort();
  return status;
}

size_t DropBelow(double thickness, double volume, report::ClashList& list) {
  const size_t dropped =
      std::erase_if(list.clashes, [&](const report::ListedClash& listed) {
        const Clash& clash = listed.pair.clash;
        if (!IsClash(clash.kind) || clash.kind == ClashKind::kCrossing) {
          return false;
        }
        return clash.thickness.upper < thickness ||
               (clash.volume.has_value() && clash.volume->upper < volume);
      });
  list.kinds = {};
  for (const report::ListedClash& clash : list.clashes) {
    list.kinds.Add(clash.pair.clash.kind);
  }
  return dropped;
}

absl::Status FindDepths(const ClashInput& scene, const Settings& settings,
                        ProgressDisplay& progress, report::ClashList& list) {
  std::vector<report::ListedClash*> clashes;
  for (report::ListedClash& clash : list.clashes) {
    if (IsClash(clash.pair.clash.kind)) clashes.push_back(&clash);
  }
  list.depths = KeepWithinBudget(scene, clashes);
  return MeasureEach(
      "depths", clashes, scene, settings, progress,
      [&](const PosedTree& a, const PosedTree& b, report::ListedClash& clash) {
        ClashOptions options =
            scene.frames->ParametersOf(clash.pair.a, clash.pair.b).Options();
        options.depth = true;
        clash.pair.clash.depth = ClashOf(a, b, options).depth;
      });
}

}  // namespace orbox::cli
