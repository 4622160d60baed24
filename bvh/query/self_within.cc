// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/self_within.h"

#include "orbox/bvh/query/internal/pair_run.h"

namespace orbox {
namespace {

// A tree against itself, and the pairs that are sought.
class SelfSearch {
 public:
  SelfSearch(const Tree& tree, double distance, const SelfOptions& options)
      : run(options),
        limit(LimitOf(distance, run)),
        posed_(tree),
        self_(tree.mesh(), options.shared_corners) {}

  PairScope scope() const { return PairScope::OfSelf(posed_, self_); }
  auto find() const {
    return [limit = limit](const PairScope& part, PairSink<PairDistance>& sink,
                           TraversalStatistics* statistics) {
      return FindWithin(part, limit, sink, statistics);
    };
  }

  const Execution run;
  const double limit;

 private:
  const PosedTree posed_;
  const SelfPairs self_;
};

}  // namespace

bool AnySelfWithin(const Tree& tree, double distance,
                   const SelfOptions& options) {
  const SelfSearch search(tree, distance, options);
  const auto ask = [&](const PairScope& part, TraversalStatistics* s) {
    return IsAnyWithin(part, search.limit, s);
  };
  return AnyPair(search.scope(), search.limit, ask, search.run);
}

size_t CountSelfWithin(const Tree& tree, double distance,
                       const SelfOptions& options) {
  const SelfSearch search(tree, distance, options);
  return CountPairs<PairDistance>(search.scope(), search.limit, search.find(),
                                  search.run);
}

std::vector<PairDistance> AllSelfWithin(const Tree& tree, double distance,
                                        const SelfOptions& options) {
  const SelfSearch search(tree, distance, options);
  return AllPairs<PairDistance>(search.scope(), search.limit, search.find(),
                                search.run);
}

void VisitSelfWithin(const Tree& tree, double distance,
                     PairDistanceVisitor visitor, const SelfOptions& options) {
  const SelfSearch search(tree, distance, options);
  VisitPairs<PairDistance>(search.scope(), search.limit, search.find(), visitor,
                           search.run);
}

}  // namespace orbox
