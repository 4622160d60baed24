// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/inside.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/inside/internal/inside_cells.h"
#include "orbox/bvh/query/inside/internal/placed_points.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

bool DecideInside(TreeAtPose tree, const Vec3& p, InsideRule rule,
                  const Watch& watch) {
  return CrossingsFrom(tree, p, watch).IsInside(tree.tree().mesh(), rule);
}

std::optional<int> FindWinding(TreeAtPose tree, const Vec3& p,
                               const Watch& watch) {
  const mesh_internal::BoundaryShadow& boundary =
      mesh_internal::BoundaryOf(tree.tree().mesh(), Workers(1, PollOf(watch)));
  if (!boundary.do_faces_agree()) return std::nullopt;
  const Crossings crossings = CrossingsFrom(tree, p, watch);
  if (crossings.is_on_surface) return std::nullopt;
  return crossings.winding;
}

}  // namespace

bool IsInside(TreeAtPose tree, const Vec3& p, InsideRule rule) {
  Require(CheckQuery(p));
  return DecideInside(tree, p, rule, Watch());
}

absl::StatusOr<bool> IsInside(TreeAtPose tree, const Vec3& p, InsideRule rule,
                              const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(p), [&](const Execution& run) {
    return DecideInside(tree, p, rule, run);
  });
}

std::optional<int> WindingNumber(TreeAtPose tree, const Vec3& p) {
  Require(CheckQuery(p));
  return FindWinding(tree, p, Watch());
}

absl::StatusOr<std::optional<int>> WindingNumber(TreeAtPose tree, const Vec3& p,
                                                 const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(p), [&](const Execution& run) {
    return FindWinding(tree, p, run);
  });
}

absl::StatusOr<std::vector<std::optional<int>>> WindingNumber(
    TreeAtPose tree, std::span<const Vec3> points, const RunOptions& options) {
  return RunEachOf<std::optional<int>>(
      tree, points, PositionsOf(points), options,
      [](TreeAtPose posed, const Vec3& p, const Execution& run) {
        return FindWinding(posed, p, run);
      });
}

absl::StatusOr<std::vector<uint8_t>> IsInside(TreeAtPose at,
                                              std::span<const Vec3> points,
                                              InsideRule rule,
                                              const RunOptions& options) {
  if (at.moved() != nullptr) {
    return RunEachOf<uint8_t>(
        at, points, PositionsOf(points), options,
        [rule](TreeAtPose posed, const Vec3& p, const Execution& run) {
          return DecideInside(posed, p, rule, run);
        });
  }
  const Tree& tree = at.tree();
  // Finding the boundary of a mesh takes a fraction of the time of its points,
  // except if the points are few. A mesh with many boundary edges has no sides,
  // so each point is decided by a ray along x.
  constexpr size_t kTrianglesPerPoint = 4;
  constexpr size_t kTrianglesPerEdge = 8;
  const Mesh& mesh = tree.mesh();
  const size_t count = mesh.triangle_count();
  std::vector<uint8_t> results;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  const bool are_few = points.size() < count / kTrianglesPerPoint;
  // Large tasks, because points reuse the results of their neighbours and none
  // takes long.
  const size_t least_task = are_few ? 1 : 64;
  BatchRun run(tree.space(), points.size(), Execution(options), least_task);
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    const Workers polled(1, PollOf(Execution(options)));
    const mesh_internal::BoundaryShadow* const boundary =
        are_few ? nullptr : &mesh_internal::BoundaryOf(mesh, polled);
    const bool are_sides = boundary != nullptr &&
                           boundary->edge_count() <= count / kTrianglesPerEdge;
    if (!are_sides) {
      return run.ForEachTask(
          PositionsOf(points), [&](const BatchRun::Task& task) {
            for (const uint32_t i : task.queries) {
              results[i] = DecideInside(tree, points[i], rule, task.watch);
            }
          });
    }
    std::optional<PlacedPoints> placed;
    return run.ForEachTaskInOrder(
        [&](const Workers& workers) { placed.emplace(tree, points, workers); },
        [&](const BatchRun::Task& task) {
          const size_t within = placed->points().size();
          AnswerByCells({tree, *boundary, points, *placed, rule},
                        std::min(task.begin, within),
                        std::min(task.end, within), task.watch, results);
        });
  });
  if (!status.ok()) return status;
  return results;
}

}  // namespace orbox
