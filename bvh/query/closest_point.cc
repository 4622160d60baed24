#include "orbox/bvh/query/closest_point.h"

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// Keeps the best triangle of each query.
class ClosestSink final : public NearestSink {
 public:
  explicit ClosestSink(std::span<std::optional<SurfacePoint>> results)
      : results_(results) {}

  double Take(std::span<const NearTriangle> found) override {
    for (const NearTriangle& near : found) {
      std::optional<SurfacePoint>& best = results_[near.query];
      if (!best || IsBetter(near.surface, *best)) best = near.surface;
    }
    return results_[found.back().query]->distance;
  }

 private:
  static bool IsBetter(const SurfacePoint& x, const SurfacePoint& best) {
    return x.distance < best.distance ||
           (x.distance == best.distance && x.triangle < best.triangle);
  }

  const std::span<std::optional<SurfacePoint>> results_;
};

}  // namespace

std::optional<SurfacePoint> ClosestPoint(const Tree& tree, const Vec3& p,
                                         const QueryOptions& options) {
  const Execution run(options);
  if (run.finds_nothing()) return std::nullopt;
  std::optional<SurfacePoint> result;
  ClosestSink sink({&result, 1});
  constexpr uint32_t kFirst = 0;
  SearchNearest(tree,
                {.points = {&p, 1},
                 .order = {&kFirst, 1},
                 .max_distance = run.max_distance()},
                sink, run.statistics());
  return result;
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
    const Tree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  std::vector<std::optional<SurfacePoint>> results;
  BatchRun run(tree.space(), points.size(), Execution(options));
  const auto work = [&](const BatchRun::Piece& piece) {
    ClosestSink sink(results);
    SearchNearest(tree,
                  {.points = points,
                   .order = piece.queries,
                   .max_distance = options.max_distance},
                  sink, piece.statistics);
  };
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    return run.ForEachPiece([&](size_t i) { return points[i]; }, work);
  });
  if (!status.ok()) return status;
  return results;
}

}  // namespace orbox
