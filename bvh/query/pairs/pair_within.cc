// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_within.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

bool AnyWithin(const PosedTree& a, const PosedTree& b, double distance) {
  return WithinSearch(distance, RunOptions()).Any({a, b});
}

size_t CountWithin(const PosedTree& a, const PosedTree& b, double distance) {
  return WithinSearch(distance, RunOptions()).Count({a, b});
}

std::vector<PairDistance> AllWithin(const PosedTree& a, const PosedTree& b,
                                    double distance) {
  return WithinSearch(distance, RunOptions()).All({a, b});
}

void VisitWithin(const PosedTree& a, const PosedTree& b, double distance,
                 PairDistanceVisitor visitor) {
  WithinSearch(distance, RunOptions()).Visit({a, b}, visitor);
}

absl::StatusOr<bool> AnyWithin(const PosedTree& a, const PosedTree& b,
                               double distance, const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    return search.Any({a, b});
  });
}

absl::StatusOr<size_t> CountWithin(const PosedTree& a, const PosedTree& b,
                                   double distance, const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    return search.Count({a, b});
  });
}

absl::StatusOr<std::vector<PairDistance>> AllWithin(const PosedTree& a,
                                                    const PosedTree& b,
                                                    double distance,
                                                    const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    return search.All({a, b});
  });
}

absl::Status VisitWithin(const PosedTree& a, const PosedTree& b,
                         double distance, PairDistanceVisitor visitor,
                         const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    search.Visit({a, b}, visitor);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyWithin(const Tree& a,
                                               std::span<const Pose> poses,
                                               const PosedTree& b,
                                               double distance,
                                               const RunOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<uint8_t>([&](const PosedTree& posed, const Execution& run) {
        return WithinSearch(distance, run).Any({posed, b});
      });
}

absl::StatusOr<std::vector<size_t>> CountWithin(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                double distance,
                                                const RunOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<size_t>([&](const PosedTree& posed, const Execution& run) {
        return WithinSearch(distance, run).Count({posed, b});
      });
}

absl::StatusOr<Lists<PairDistance>> AllWithin(const Tree& a,
                                              std::span<const Pose> poses,
                                              const PosedTree& b,
                                              double distance,
                                              const RunOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .CollectEach<PairDistance>(
          [&](const PosedTree& posed, const Execution& run) {
            return WithinSearch(distance, run).All({posed, b});
          });
}

}  // namespace orbox
