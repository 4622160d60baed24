#include "orbox/bvh/query/batch.h"

#include <algorithm>
#include <cmath>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/interleaved_nearest.h"
#include "orbox/bvh/query/k_nearest.h"
#include "orbox/bvh/query/range.h"

namespace orbox {
namespace {

// Upper bounds of distances to the surface, by a point of it that was found
// before.
class BoundBySurfacePoint {
 public:
  explicit BoundBySurfacePoint(const Tree& tree)
      : space_(tree.space()), slack_(SlackOf(tree.mesh().bounds())) {}

  void Set(const SurfacePoint& found) {
    point_ = found.point;
    is_set_ = true;
  }

  // Never NaN for a finite p.
  double Of(const Vec3& p) const {
    if (!is_set_) return std::numeric_limits<double>::infinity();
    // In tree units, where squares do not underflow that matter beside the
    // slack. A few roundings, less than 2^-50 of it in all.
    const double distance = Norm((p - point_) * space_.scale) * space_.unscale;
    return distance * (1 + 0x1p-49) + slack_;
  }

 private:
  // Closest points are on their triangles to within 2^-48 of the largest
  // coordinate (overlap/triangles/triangle_distance.h) in each coordinate.
  static double SlackOf(const Aabb& bounds) {
    return MaxCoordinate(Max(Abs(bounds.lo), Abs(bounds.hi))) * 0x1p-46;
  }

  const TreeSpace& space_;
  const double slack_;
  Vec3 point_;
  bool is_set_ = false;
};

Vec3 PlaceOf(const Sphere& ball) { return ball.center; }
Vec3 PlaceOf(const Aabb& box) { return box.Center(); }
Vec3 PlaceOf(const Obb& box) { return box.center; }
// These are large, and have none: they are taken as they come.
Vec3 PlaceOf(const HalfSpaces& /*set*/) { return {}; }

// Rays that set out together part by their directions: where they are after
// half the size of the model.
class PlacesOfRays {
 public:
  PlacesOfRays(const Tree& tree, std::span<const Ray> rays)
      : rays_(rays),
        reach_(MaxCoordinate(tree.mesh().bounds().HalfExtents())) {}

  Vec3 operator()(size_t i) const {
    const Ray& ray = rays_[i];
    const double length = MaxCoordinate(Abs(ray.direction));
    return length > 0 ? ray.origin + ray.direction * (reach_ / length)
                      : ray.origin;
  }

 private:
  const std::span<const Ray> rays_;
  const double reach_;
};

// `ask(query, max_distance, statistics)`.
template <typename Ask>
absl::StatusOr<std::vector<std::optional<SurfacePoint>>> AskClosestPoints(
    const Tree& tree, std::span<const Vec3> points, const BatchOptions& options,
    double max_distance, TraversalStatistics* statistics, Ask ask) {
  std::vector<std::optional<SurfacePoint>> results;
  BatchRun run(tree.space(), points.size(), options, statistics);
  const auto work = [&](const BatchRun::Piece& piece) {
    BoundBySurfacePoint last(tree);
    for (const uint32_t i : piece.queries) {
      const double bound = std::min(max_distance, last.Of(points[i]));
      results[i] = ask(points[i], bound, piece.statistics);
      if (results[i].has_value()) last.Set(*results[i]);
    }
  };
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    return run.ForEachPiece([&](size_t i) { return points[i]; }, work);
  });
  if (!status.ok()) return status;
  return results;
}

// One result a query; `ask(query, statistics)`.
template <typename Result, typename PlaceOf, typename Ask>
absl::StatusOr<std::vector<Result>> AskEach(const Tree& tree, size_t count,
                                            const BatchOptions& options,
                                            TraversalStatistics* statistics,
                                            PlaceOf place_of, Ask ask) {
  std::vector<Result> results;
  BatchRun run(tree.space(), count, options, statistics);
  const auto work = [&](const BatchRun::Piece& piece) {
    for (const uint32_t i : piece.queries) {
      results[i] = ask(i, piece.statistics);
    }
  };
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(count);
    return run.ForEachPiece(place_of, work);
  });
  if (!status.ok()) return status;
  return results;
}

template <typename Shape>
absl::StatusOr<Lists<uint32_t>> CollectShapes(const Tree& tree,
                                              std::span<const Shape> shapes,
                                              const BatchOptions& options,
                                              TraversalStatistics* statistics) {
  BatchRun run(tree.space(), shapes.size(), options, statistics);
  return run.CollectLists<uint32_t>(
      [&](size_t i) { return PlaceOf(shapes[i]); },
      [&](uint32_t i, std::vector<uint32_t>* ids, TraversalStatistics* s) {
        AppendInRange(tree, shapes[i], ids, IdOrder::kAscending, s);
      });
}

constexpr char kWhat[] = "for the answers to a batch; ask in smaller batches";

}  // namespace

absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoints(
    const Tree& tree, std::span<const Vec3> points, const BatchOptions& options,
    double max_distance, TraversalStatistics* statistics) {
  if (statistics == nullptr) {
    std::vector<std::optional<SurfacePoint>> results;
    BatchRun run(tree.space(), points.size(), options, nullptr);
    const absl::Status status = BatchRun::GuardMemory([&] {
      results.resize(points.size());
      return run.ForEachPiece([&](size_t i) { return points[i]; },
                              [&](const BatchRun::Piece& piece) {
                                ClosestPointsInterleaved(tree, points,
                                                         piece.queries,
                                                         max_distance, results);
                              });
    });
    if (!status.ok()) return status;
    return results;
  }
  return AskClosestPoints(
      tree, points, options, max_distance, statistics,
      [&](const Vec3& p, double bound, TraversalStatistics* s) {
        return ClosestPoint(tree, p, bound, s);
      });
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoints(
    const SignedDistanceField& field, std::span<const Vec3> points,
    const BatchOptions& options, double max_distance,
    TraversalStatistics* statistics) {
  return AskClosestPoints(
      field.tree(), points, options, max_distance, statistics,
      [&](const Vec3& p, double bound, TraversalStatistics* s) {
        return field.ClosestPoint(p, bound, s);
      });
}

absl::StatusOr<std::vector<double>> WindingNumbers(
    const WindingNumberField& field, std::span<const Vec3> points,
    const BatchOptions& options, double max_error,
    TraversalStatistics* statistics) {
  return AskEach<double>(
      field.tree(), points.size(), options, statistics,
      [&](size_t i) { return points[i]; },
      [&](uint32_t i, TraversalStatistics* s) {
        return field.At(points[i], max_error, s);
      });
}

absl::StatusOr<std::vector<std::optional<RayHit>>> ClosestHits(
    const Tree& tree, std::span<const Ray> rays, const BatchOptions& options,
    double max_t, TraversalStatistics* statistics) {
  return GuardMemory(kWhat, [&] {
    return AskEach<std::optional<RayHit>>(
        tree, rays.size(), options, statistics, PlacesOfRays(tree, rays),
        [&](uint32_t i, TraversalStatistics* s) {
          return ClosestHit(tree, rays[i], max_t, s);
        });
  });
}

absl::StatusOr<Lists<RayHit>> AllHits(const Tree& tree,
                                      std::span<const Ray> rays,
                                      const BatchOptions& options, double max_t,
                                      TraversalStatistics* statistics) {
  return GuardMemory(kWhat, [&] {
    const PlacesOfRays places(tree, rays);
    BatchRun run(tree.space(), rays.size(), options, statistics);
    return run.CollectLists<RayHit>(
        places,
        [&](uint32_t i, std::vector<RayHit>* found, TraversalStatistics* s) {
          const std::vector<RayHit> hits = AllHits(tree, rays[i], max_t, s);
          found->insert(found->end(), hits.begin(), hits.end());
        });
  });
}

absl::StatusOr<Lists<SurfacePoint>> NearestTriangles(
    const Tree& tree, std::span<const Vec3> points, size_t k,
    const BatchOptions& options, double max_distance,
    TraversalStatistics* statistics) {
  BatchRun run(tree.space(), points.size(), options, statistics);
  return run.CollectLists<SurfacePoint>(
      [&](size_t i) { return points[i]; },
      [&](uint32_t i, std::vector<SurfacePoint>* found,
          TraversalStatistics* s) {
        const std::vector<SurfacePoint> nearest =
            KNearest(tree, points[i], k, max_distance, s);
        found->insert(found->end(), nearest.begin(), nearest.end());
      });
}

absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const Sphere> balls,
    const BatchOptions& options, TraversalStatistics* statistics) {
  return CollectShapes(tree, balls, options, statistics);
}
absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const Aabb> boxes, const BatchOptions& options,
    TraversalStatistics* statistics) {
  return CollectShapes(tree, boxes, options, statistics);
}
absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const Obb> boxes, const BatchOptions& options,
    TraversalStatistics* statistics) {
  return CollectShapes(tree, boxes, options, statistics);
}
absl::StatusOr<Lists<uint32_t>> CollectInRanges(
    const Tree& tree, std::span<const HalfSpaces> sets,
    const BatchOptions& options, TraversalStatistics* statistics) {
  return CollectShapes(tree, sets, options, statistics);
}

}  // namespace orbox
