// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_within.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"

namespace orbox {

bool AnyWithin(const PosedTree& a, const PosedTree& b, double distance,
               const QueryOptions& options) {
  return WithinSearch(distance, options).Any({a, b});
}

size_t CountWithin(const PosedTree& a, const PosedTree& b, double distance,
                   const QueryOptions& options) {
  return WithinSearch(distance, options).Count({a, b});
}

std::vector<PairDistance> AllWithin(const PosedTree& a, const PosedTree& b,
                                    double distance,
                                    const QueryOptions& options) {
  return WithinSearch(distance, options).All({a, b});
}

void VisitWithin(const PosedTree& a, const PosedTree& b, double distance,
                 PairDistanceVisitor visitor, const QueryOptions& options) {
  WithinSearch(distance, options).Visit({a, b}, visitor);
}

absl::StatusOr<std::vector<uint8_t>> AnyWithin(const Tree& a,
                                               std::span<const Pose> poses,
                                               const PosedTree& b,
                                               double distance,
                                               const QueryOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<uint8_t>([](const auto&... args) { return AnyWithin(args...); },
                        distance);
}

absl::StatusOr<std::vector<size_t>> CountWithin(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                double distance,
                                                const QueryOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<size_t>([](const auto&... args) { return CountWithin(args...); },
                       distance);
}

absl::StatusOr<Lists<PairDistance>> AllWithin(const Tree& a,
                                              std::span<const Pose> poses,
                                              const PosedTree& b,
                                              double distance,
                                              const QueryOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .CollectEach<PairDistance>(
          [](const auto&... args) { return AllWithin(args...); }, distance);
}

}  // namespace orbox
