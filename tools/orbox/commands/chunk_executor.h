// SPDX-License-Identifier: Apache-2.0

// Runs the command's queries of chunked trees, either in this process or, for
// orbox-mpi, on all ranks of a job together (tools/orbox_mpi/ranks_executor.h).
//
//   absl::StatusOr<std::vector<GlobalPair>> pairs =
//       executor.Run(kAllOverlaps, a, b, options);
//
// Returns, on each rank, the result of the function of that name in bvh/large.
// A query of bvh/large for commands is a function object and a row of
// ChunkQueries.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_EXECUTOR_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_EXECUTOR_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_hausdorff.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

// Upper bound of the error of winding numbers.
inline constexpr double kWindingError = 1e-3;

// Function of a batch of points, made once for a tree.
template <typename Value, LargeTree T>
using PointFunction = std::function<absl::StatusOr<std::vector<Value>>(
    std::span<const Vec3> points, const OptionsOf<T>& options)>;

// Closest points with signed distances (LargeSignedDistanceField).
template <LargeTree T>
absl::StatusOr<PointFunction<std::optional<GlobalSurfacePoint>, T>>
SignedPointsOf(const T& tree) {
  const absl::StatusOr<LargeSignedDistanceField<T>> field =
      LargeSignedDistanceField<T>::Create(tree);
  if (!field.ok()) return field.status();
  return [field = *field](std::span<const Vec3> points,
                          const OptionsOf<T>& options) {
    return field.ClosestPoint(points, options);
  };
}

// Winding numbers (LargeWindingNumberField).
template <LargeTree T>
absl::StatusOr<PointFunction<double, T>> WindingNumbersOf(const T& tree) {
  const absl::StatusOr<LargeWindingNumberField<T>> field =
      LargeWindingNumberField<T>::Of(tree);
  if (!field.ok()) return field.status();
  return [field = *field](std::span<const Vec3> points,
                          const OptionsOf<T>& options) {
    return field.At(points, kWindingError, options);
  };
}

// Functions as objects, which accept any target.
inline constexpr auto kClosestPoint = [](const auto&... a) {
  return ClosestPoint(a...);
};
inline constexpr auto kKNearest = [](const auto&... a) {
  return KNearest(a...);
};
inline constexpr auto kSignedPoints = [](const auto&... a) {
  return SignedPointsOf(a...);
};
inline constexpr auto kWindingNumbers = [](const auto&... a) {
  return WindingNumbersOf(a...);
};
inline constexpr auto kAllOverlaps = [](const auto&... a) {
  return AllOverlaps(a...);
};
inline constexpr auto kAnyHit = [](const auto&... a) { return AnyHit(a...); };
inline constexpr auto kClosestHit = [](const auto&... a) {
  return ClosestHit(a...);
};
inline constexpr auto kAllHits = [](const auto&... a) { return AllHits(a...); };
inline constexpr auto kAllSelfOverlaps = [](const auto&... a) {
  return AllSelfOverlaps(a...);
};
inline constexpr auto kAllSelfWitnessesWithin = [](const auto&... a) {
  return AllSelfWitnessesWithin(a...);
};
inline constexpr auto kCountWithin = [](const auto&... a) {
  return CountWithin(a...);
};
inline constexpr auto kAllWitnessesWithin = [](const auto&... a) {
  return AllWitnessesWithin(a...);
};
inline constexpr auto kClosestPair = [](const auto&... a) {
  return ClosestPair(a...);
};
inline constexpr auto kSymmetricHausdorffDistance = [](const auto&... a) {
  return SymmetricHausdorffDistance(a...);
};
inline constexpr auto kDeviationField = [](const auto&... a) {
  return DeviationField(a...);
};

// A query: a function of chunked trees with its types of arguments, run by a
// `runner` that gets the function and the arguments.
template <const auto& kFunction, typename... Arguments>
class ChunkQuery {
 public:
  using Result = decltype(kFunction(std::declval<const Arguments&>()...));

  template <typename Runner>
  explicit ChunkQuery(const Runner& runner)
      : run_([runner](const Arguments&... arguments) -> Result {
          return runner(kFunction, arguments...);
        }) {}

  Result operator()(decltype(kFunction), const Arguments&... arguments) const {
    return run_(arguments...);
  }

 private:
  std::function<Result(const Arguments&...)> run_;
};

template <typename... Queries>
struct TableOfQueries : Queries... {
  template <typename Runner>
  explicit TableOfQueries(const Runner& runner) : Queries(runner)... {}

  using Queries::operator()...;
};

using ChunkQueries = TableOfQueries<
    ChunkQuery<kClosestPoint, ChunkedTree, std::span<const Vec3>, QueryOptions>,
    ChunkQuery<kKNearest, ChunkedTree, std::span<const Vec3>, size_t,
               QueryOptions>,
    ChunkQuery<kSignedPoints, ChunkedTree>,
    ChunkQuery<kWindingNumbers, ChunkedTree>,
    ChunkQuery<kAllOverlaps, ChunkedTree, Regions, QueryOptions>,
    ChunkQuery<kAnyHit, ChunkedTree, std::span<const Ray>, QueryOptions>,
    ChunkQuery<kClosestHit, ChunkedTree, std::span<const Ray>, QueryOptions>,
    ChunkQuery<kAllHits, ChunkedTree, std::span<const Ray>, QueryOptions>,
    ChunkQuery<kAllSelfOverlaps, ChunkedTree, QueryOptions>,
    ChunkQuery<kAllSelfWitnessesWithin, ChunkedTree, double, QueryOptions>,
    ChunkQuery<kAllOverlaps, PosedChunkedTree, PosedChunkedTree, QueryOptions>,
    ChunkQuery<kCountWithin, PosedChunkedTree, PosedChunkedTree, double,
               QueryOptions>,
    ChunkQuery<kAllWitnessesWithin, PosedChunkedTree, PosedChunkedTree, double,
               QueryOptions>,
    ChunkQuery<kClosestPair, PosedChunkedTree, PosedChunkedTree, QueryOptions>,
    ChunkQuery<kSymmetricHausdorffDistance, PosedChunkedTree, PosedChunkedTree,
               HausdorffOptions>,
    ChunkQuery<kDeviationField, PosedChunkedTree, PosedChunkedTree,
               HausdorffOptions>>;

class ChunkExecutor {
 public:
  // Runs queries in this process.
  ChunkExecutor()
      : queries_([](const auto& function, const auto&... arguments) {
          return function(arguments...);
        }) {}
  virtual ~ChunkExecutor() = default;

  // Returns true if no other process takes part in queries.
  virtual bool is_alone() const { return true; }
  // Returns true if this process writes the results.
  virtual bool writes_results() const { return true; }

  // Returns `own`, or the error of another process that failed before the
  // query.
  virtual absl::Status Agree(const absl::Status& own) { return own; }

  template <typename Function, typename... Arguments>
  auto Run(const Function& function, const Arguments&... arguments) const {
    return queries_(function, arguments...);
  }

 protected:
  explicit ChunkExecutor(ChunkQueries queries) : queries_(std::move(queries)) {}

 private:
  ChunkQueries queries_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_EXECUTOR_H_
