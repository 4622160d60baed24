// SPDX-License-Identifier: Apache-2.0

// The queries of pairs.h, for any target: the kinds of pairs, and their order.
// A library defines RunAny, RunCount, RunAll, RunVisit and RunClosest for the
// sides of its target, and instantiates the queries. Private.
//
//   ORBOX_INSTANTIATE_PAIRS(ChunkedTree)
#ifndef ORBOX_BVH_LARGE_INTERNAL_PAIRS_INL_H_
#define ORBOX_BVH_LARGE_INTERNAL_PAIRS_INL_H_

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_pairs.h"
#include "orbox/bvh/large/internal/task_run.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/query/visit.h"

namespace orbox {

// The key by which lists are sorted.
inline const GlobalPair& OrderOf(const GlobalPair& pair) { return pair; }
inline const GlobalPair& OrderOf(const GlobalPairDistance& pair) {
  return pair.triangles;
}
inline const GlobalPair& OrderOf(const GlobalWitness& pair) {
  return pair.triangles;
}
inline const GlobalPair& OrderOf(const GlobalSelfContact& pair) {
  return pair.triangles;
}

// The pairs that are found in a task.
template <typename Found>
struct PairKind {
  double distance = 0;

  void VisitAll(const TaskRun::Task& task,
                absl::FunctionRef<Visit(const Found&)> visitor) const {
    if constexpr (std::is_same_v<Found, GlobalPair>) {
      task.pairs.VisitOverlaps(visitor, task.alone);
    } else if constexpr (std::is_same_v<Found, GlobalSelfContact>) {
      task.pairs.VisitContacts(visitor, task.alone);
    } else if constexpr (std::is_same_v<Found, GlobalPairDistance>) {
      task.pairs.VisitWithin(distance, visitor, task.alone);
    } else {
      task.pairs.VisitWitnesses(distance, visitor, task.alone);
    }
  }
  bool IsAny(const TaskRun::Task& task) const {
    if constexpr (std::is_same_v<Found, GlobalPair>) {
      return task.pairs.AnyOverlap(task.alone);
    } else {
      return task.pairs.AnyWithin(distance, task.alone);
    }
  }
};

template <typename Found, LargeTree T>
absl::StatusOr<bool> AnyPair(const PairSides<T>& sides, double distance,
                             const OptionsOf<T>& options) {
  return RunAny(PairKind<Found>{distance}, sides, options);
}
template <typename Found, LargeTree T>
absl::StatusOr<uint64_t> CountPairs(const PairSides<T>& sides, double distance,
                                    const OptionsOf<T>& options) {
  return RunCount(PairKind<Found>{distance}, sides, options);
}
template <typename Found, LargeTree T>
absl::StatusOr<std::vector<Found>> AllPairs(const PairSides<T>& sides,
                                            double distance,
                                            const OptionsOf<T>& options) {
  return RunAll(PairKind<Found>{distance}, sides, options);
}
template <typename Found, LargeTree T>
absl::Status VisitPairs(const PairSides<T>& sides, double distance,
                        absl::FunctionRef<Visit(const Found&)> visitor,
                        const OptionsOf<T>& options) {
  return RunVisit(PairKind<Found>{distance}, sides, visitor, options);
}
template <LargeTree T>
absl::StatusOr<std::optional<GlobalWitness>> ClosestOfSides(
    const PairSides<T>& sides, const OptionsOf<T>& options) {
  return RunClosest(sides, options);
}

// Instantiates the queries of target T.
#define ORBOX_INSTANTIATE_PAIRS_OF(T, Found)                                \
  template absl::StatusOr<bool> AnyPair<Found>(const PairSides<T>&, double, \
                                               const T::Options&);          \
  template absl::StatusOr<uint64_t> CountPairs<Found>(                      \
      const PairSides<T>&, double, const T::Options&);                      \
  template absl::StatusOr<std::vector<Found>> AllPairs<Found>(              \
      const PairSides<T>&, double, const T::Options&);                      \
  template absl::Status VisitPairs<Found>(                                  \
      const PairSides<T>&, double, absl::FunctionRef<Visit(const Found&)>,  \
      const T::Options&);

#define ORBOX_INSTANTIATE_PAIRS(T)                                             \
  ORBOX_INSTANTIATE_PAIRS_OF(T, GlobalPair)                                    \
  ORBOX_INSTANTIATE_PAIRS_OF(T, GlobalPairDistance)                            \
  template absl::StatusOr<std::vector<GlobalWitness>> AllPairs<GlobalWitness>( \
      const PairSides<T>&, double, const T::Options&);                         \
  template absl::StatusOr<std::vector<GlobalSelfContact>>                      \
  AllPairs<GlobalSelfContact>(const PairSides<T>&, double, const T::Options&);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_PAIRS_INL_H_
