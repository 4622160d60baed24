// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/self_within.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"

namespace orbox {

bool AnySelfWithin(const Tree& tree, double distance,
                   const SelfOptions& options) {
  return WithinSearch(distance, options).Any(SelfScope(tree, options));
}

size_t CountSelfWithin(const Tree& tree, double distance,
                       const SelfOptions& options) {
  return WithinSearch(distance, options).Count(SelfScope(tree, options));
}

std::vector<PairDistance> AllSelfWithin(const Tree& tree, double distance,
                                        const SelfOptions& options) {
  return WithinSearch(distance, options).All(SelfScope(tree, options));
}

void VisitSelfWithin(const Tree& tree, double distance,
                     PairDistanceVisitor visitor, const SelfOptions& options) {
  WithinSearch(distance, options).Visit(SelfScope(tree, options), visitor);
}

}  // namespace orbox
