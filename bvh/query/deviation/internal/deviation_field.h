// SPDX-License-Identifier: Apache-2.0

// Smallest and largest distance of each of some triangles from a target of any
// kind. Implements DeviationField (hausdorff.h). Private.
//
//   std::vector<TriangleDeviation> field(source.size());
//   absl::Status s = FindDeviations(source, goal, options, field);
//
// A Source has
//   size_t size()
//   Triangle TriangleAt(i)
//   SampledCorners CornersOf(i)    its corners, measured
//   absl::Status Measure(i, workers, statistics, work)
//                               calls `work` with the target of the i-th's
//                               search
//   absl::StatusOr<double> DistanceOf(tree, at_most, watch)
//                               how far a tree of one triangle is, which is at
//                               most so far
// Many threads use it at a time.
#ifndef ORBOX_BVH_QUERY_DEVIATION_INTERNAL_DEVIATION_FIELD_H_
#define ORBOX_BVH_QUERY_DEVIATION_INTERNAL_DEVIATION_FIELD_H_

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

using DeviationWork = absl::FunctionRef<absl::Status(FarthestTarget&)>;

// Approximate share of the work that is the measurement of the corners.
inline constexpr double kCornersOfDeviations = 0.2;

template <typename Source>
class DeviationSearch {
 public:
  DeviationSearch(const Source& source, const FarthestGoal& goal,
                  const Watch& watch)
      : source_(source),
        goal_(goal),
        watch_(watch),
        run_{.workers = &alone_,
             .progress = nullptr,
             .cancelled = watch.cancelled} {}

  absl::Status Find(size_t i, TriangleDeviation* found) const {
    const SampledCorners corners = source_.CornersOf(i);
    absl::Status status = source_.Measure(
        i, alone_, watch_, [&](FarthestTarget& target) -> absl::Status {
          return FindFarthest(target, corners, found);
        });
    if (!status.ok()) return status;
    const absl::StatusOr<double> nearest =
        Nearest(i, std::min({corners[0].distance, corners[1].distance,
                             corners[2].distance}));
    if (nearest.ok()) found->nearest = *nearest;
    return nearest.status();
  }

 private:
  absl::Status FindFarthest(FarthestTarget& target,
                            const SampledCorners& corners,
                            TriangleDeviation* found) const {
    FarthestSearch search(target, goal_);
    for (const DistanceSample& corner : corners) search.Witness(0, corner);
    std::vector<double> upper;
    absl::Status status = search.Bound(
        1, [&](size_t) { return corners; }, alone_, &upper);
    if (!status.ok()) return status;
    search.Add(0, upper[0], corners);
    status = search.Run(run_);
    if (!status.ok()) return status;
    const FarthestPoint farthest = search.result();
    found->farthest_lower = farthest.lower;
    found->farthest_upper = farthest.upper;
    return absl::OkStatus();
  }

  absl::StatusOr<double> Nearest(size_t i, double at_most) const {
    if (at_most == 0) return 0.0;
    const Triangle t = source_.TriangleAt(i);
    const Mesh mesh =
        mesh_internal::MeshAccess::Of(std::vector<Vec3>{t.a, t.b, t.c},
                                      std::vector<TriangleIndices>{{0, 1, 2}});
    BuildOptions options;
    options.threads = 1;
    const absl::StatusOr<Tree> tree = Build(mesh, options);
    if (!tree.ok()) return tree.status();
    return source_.DistanceOf(*tree, at_most, watch_);
  }

  const Source& source_;
  const FarthestGoal& goal_;
  const Watch watch_;
  const Workers alone_{1};
  const FarthestRun run_;
};

// Sets field[i] to the deviation of the i-th triangle. Requires valid options.
// max_parts limits the search of each triangle
// separately.
template <typename Source>
absl::Status FindDeviations(const Source& source, const FarthestGoal& goal,
                            const RunOptions& options,
                            std::span<TriangleDeviation> field) {
  std::mutex mutex;  // of the failure
  absl::Status failure;
  // A triangle usually takes some microseconds, and a large one far longer.
  constexpr size_t kMostInTask = 32;
  TaskRunner(Execution(options), source.size())
      .For(source.size(), TaskRunner::GrainOf(source.size(), 1, kMostInTask),
           [&](size_t begin, size_t end, const Watch& watch) {
             const DeviationSearch<Source> search(source, goal, watch);
             for (size_t i = begin; i < end; ++i) {
               absl::Status status = search.Find(i, &field[i]);
               if (status.ok()) continue;
               const std::lock_guard lock(mutex);
               failure = status;
               return;
             }
           });
  return failure;
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_INTERNAL_DEVIATION_FIELD_H_
