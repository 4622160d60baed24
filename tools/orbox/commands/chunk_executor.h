// SPDX-License-Identifier: Apache-2.0

// Runs the command's queries of chunked trees, either in this process or, for
// orbox-mpi, on all ranks of a job together (tools/orbox_mpi/ranks_executor.h).
//
//   absl::StatusOr<std::vector<GlobalPair>> pairs =
//       executor.Run(kAllOverlaps, a, b, options);
//
// Returns, on each rank, the result of the function of that name in bvh/large.
// A query of bvh/large for commands is a row of ORBOX_CHUNK_QUERIES.
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
#include "orbox/bvh/large/mesh_relation.h"
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

// The queries, one a row: a function with the types of its arguments. OVERLOAD
// is for a function that has a row already.
#define ORBOX_CHUNK_QUERIES(QUERY, OVERLOAD)                                   \
  QUERY(ClosestPoint, ChunkedTree, std::span<const Vec3>, QueryOptions)        \
  QUERY(KNearest, ChunkedTree, std::span<const Vec3>, size_t, QueryOptions)    \
  QUERY(SignedPointsOf, ChunkedTree)                                           \
  QUERY(WindingNumbersOf, ChunkedTree)                                         \
  QUERY(AllOverlaps, ChunkedTree, Regions, QueryOptions)                       \
  QUERY(AnyHit, ChunkedTree, std::span<const Ray>, QueryOptions)               \
  QUERY(ClosestHit, ChunkedTree, std::span<const Ray>, QueryOptions)           \
  QUERY(AllHits, ChunkedTree, std::span<const Ray>, QueryOptions)              \
  QUERY(CountSelfOverlaps, ChunkedTree, QueryOptions)                          \
  QUERY(AllSelfContacts, ChunkedTree, QueryOptions)                            \
  QUERY(CountSelfWithin, ChunkedTree, double, QueryOptions)                    \
  QUERY(AllSelfWitnessesWithin, ChunkedTree, double, QueryOptions)             \
  OVERLOAD(AllOverlaps, PosedChunkedTree, PosedChunkedTree, QueryOptions)      \
  QUERY(CountOverlaps, PosedChunkedTree, PosedChunkedTree, QueryOptions)       \
  QUERY(CountWithin, PosedChunkedTree, PosedChunkedTree, double, QueryOptions) \
  QUERY(AllWitnessesWithin, PosedChunkedTree, PosedChunkedTree, double,        \
        QueryOptions)                                                          \
  QUERY(ClosestPair, PosedChunkedTree, PosedChunkedTree, QueryOptions)         \
  QUERY(RelationOfApartMeshes, PosedChunkedTree, PosedChunkedTree,             \
        QueryOptions)                                                          \
  QUERY(SymmetricHausdorffDistance, PosedChunkedTree, PosedChunkedTree,        \
        HausdorffLimits, RunOptions)                                           \
  QUERY(DeviationField, PosedChunkedTree, PosedChunkedTree, HausdorffLimits,   \
        RunOptions)

// The functions as objects, which accept any target: kClosestPoint.
#define ORBOX_OBJECT(Function, ...)                          \
  inline constexpr auto k##Function = [](const auto&... a) { \
    return Function(a...);                                   \
  };
#define ORBOX_NONE(...)
ORBOX_CHUNK_QUERIES(ORBOX_OBJECT, ORBOX_NONE)
#undef ORBOX_OBJECT
#undef ORBOX_NONE

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

// The first of a table.
struct NoQuery {
  template <typename Runner>
  explicit NoQuery(const Runner&) {}

  void operator()(NoQuery) const {}
};

template <typename... Queries>
struct TableOfQueries : Queries... {
  template <typename Runner>
  explicit TableOfQueries(const Runner& runner) : Queries(runner)... {}

  using Queries::operator()...;
};

#define ORBOX_QUERY(Function, ...) , ChunkQuery<k##Function, __VA_ARGS__>
using ChunkQueries =
    TableOfQueries<NoQuery ORBOX_CHUNK_QUERIES(ORBOX_QUERY, ORBOX_QUERY)>;
#undef ORBOX_QUERY
#undef ORBOX_CHUNK_QUERIES

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
