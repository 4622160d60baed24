// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/self_within.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

bool AnySelfWithin(const Tree& tree, double distance, SharedCorners shared) {
  return WithinSearch(distance, RunOptions()).Any(SelfScope(tree, shared));
}

size_t CountSelfWithin(const Tree& tree, double distance,
                       SharedCorners shared) {
  return WithinSearch(distance, RunOptions()).Count(SelfScope(tree, shared));
}

std::vector<PairDistance> AllSelfWithin(const Tree& tree, double distance,
                                        SharedCorners shared) {
  return WithinSearch(distance, RunOptions()).All(SelfScope(tree, shared));
}

void VisitSelfWithin(const Tree& tree, double distance, SharedCorners shared,
                     PairDistanceVisitor visitor) {
  WithinSearch(distance, RunOptions()).Visit(SelfScope(tree, shared), visitor);
}

absl::StatusOr<bool> AnySelfWithin(const Tree& tree, double distance,
                                   SharedCorners shared,
                                   const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    return search.Any(SelfScope(tree, shared));
  });
}

absl::StatusOr<size_t> CountSelfWithin(const Tree& tree, double distance,
                                       SharedCorners shared,
                                       const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    return search.Count(SelfScope(tree, shared));
  });
}

absl::StatusOr<std::vector<PairDistance>> AllSelfWithin(
    const Tree& tree, double distance, SharedCorners shared,
    const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    return search.All(SelfScope(tree, shared));
  });
}

absl::Status VisitSelfWithin(const Tree& tree, double distance,
                             SharedCorners shared, PairDistanceVisitor visitor,
                             const RunOptions& options) {
  return RunWithin(distance, options, [&](const WithinSearch& search) {
    search.Visit(SelfScope(tree, shared), visitor);
  });
}

}  // namespace orbox
