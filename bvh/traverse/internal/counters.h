// SPDX-License-Identifier: Apache-2.0

// The counter policies of the traversal loops: StatisticsCounters fills
// statistics, NoCounters compiles to nothing. Each query is compiled with both.
// Both call the pulse of the search at each node and leaf (watch.h).
//
// A loop reports events in the order in which it visits nodes. The contribution
// of a subtree is known when its last task ends, which may be late in a
// best-first order. So each accepted volume has a ticket, which counts the
// tasks that are not finished. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_COUNTERS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_COUNTERS_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/base/arithmetic_counts.h"

namespace orbox {

class NoCounters {
 public:
  static constexpr bool kCounting = false;

  explicit NoCounters(const Watch& watch = {}) : pulse_(watch) {}

  // Refers to the test that accepted an entry of a frontier.
  struct Ticket {};

  void VisitNode(VolumeKind) { pulse_.Turn(); }
  void TestVolumes(VolumeKind, uint32_t, uint32_t, uint32_t, uint32_t) {}
  void TestPairs(VolumeKind, VolumeKind, uint32_t, uint32_t, uint32_t) {}
  Ticket Accept(VolumeKind) { return {}; }
  void Enter(Ticket) {}
  void Restart() {}
  int DepthOf(Ticket) const { return 0; }
  void VisitLeaf() { pulse_.Turn(); }
  void TestTriangles(int, int) {}
  ArithmeticCounts* arithmetic() { return nullptr; }
  // For queries of detail trees.
  const Watch& watch() const { return pulse_.watch(); }
  void CountDouble(int) {}
  void Contribute() {}

 private:
  Pulse pulse_;
};

// Adds the counts of a search to TraversalStatistics. Loops take it or
// NoCounters as their template argument `Counters`.
class StatisticsCounters {
 public:
  static constexpr bool kCounting = true;

  struct Ticket {
    uint32_t index = 0;
  };

  // `depth` is the depth of the nodes that are visited before any subtree is
  // entered.
  explicit StatisticsCounters(const Watch& watch, int depth = 0)
      : statistics_(*watch.statistics), pulse_(watch), tickets_(1) {
    tickets_[0].depth = depth;
  }

  // Counts the root of the subtree that was entered last.
  void VisitNode(VolumeKind kind) {
    pulse_.Turn();
    ++At(depth(), kind).nodes_visited;
  }

  // Counts the tests of a node's volumes. All arguments are masks of lanes.
  // `tested`: tested lanes. `accepted`: accepted by the test. `exact`: accepted
  // by the exact test of the volume; only accepted lanes matter. `leaves`:
  // lanes with leaves.
  void TestVolumes(VolumeKind kind, uint32_t tested, uint32_t accepted,
                   uint32_t exact, uint32_t leaves) {
    VolumeStatistics& v = At(depth(), kind);
    v.volume_tests += std::popcount(tested);
    v.accepted += std::popcount(accepted);
    v.test_false_positives += std::popcount(accepted & ~exact);
    statistics_.leaf_box_tests += std::popcount(leaves & tested);
  }

  // Counts the same lanes again, by pairs of kinds: volumes of kind `a` against
  // volumes of kind `b`. One of the two volumes is the same in all lanes.
  void TestPairs(VolumeKind a, VolumeKind b, uint32_t tested, uint32_t accepted,
                 uint32_t exact) {
    PairStatistics& p =
        statistics_.pairs[static_cast<size_t>(a)][static_cast<size_t>(b)];
    p.tests += std::popcount(tested);
    p.accepted += std::popcount(accepted);
    p.test_false_positives += std::popcount(accepted & ~exact);
  }

  // Returns the ticket of an accepted child, which the loop may enter later.
  Ticket Accept(VolumeKind kind) {
    uint32_t index = free_;
    if (index != 0) {
      free_ = tickets_[index].parent;
    } else {
      index = static_cast<uint32_t>(tickets_.size());
      tickets_.emplace_back();
    }
    ++tickets_[current_].open_tasks;
    tickets_[index] = {current_, 1, depth() + 1, kind, false};
    return {index};
  }

  // Leaves the current subtree and enters another.
  void Enter(Ticket ticket) {
    Leave();
    current_ = ticket.index;
  }

  // Leaves the current subtree. Nodes visited before the next Enter are at
  // depth 0.
  void Restart() {
    Leave();
    tickets_[0].depth = 0;
  }

  // Returns the depth of the subtree's root.
  int DepthOf(Ticket ticket) const { return tickets_[ticket.index].depth; }

  void VisitLeaf() {
    pulse_.Turn();
    ++statistics_.leaves_visited;
  }

  // Counts the triangles tested at a leaf, and those that floats decided.
  void TestTriangles(int tested, int settled_by_float) {
    statistics_.triangle_tests += tested;
    statistics_.settled_by_float += settled_by_float;
  }

  // The watch for queries of detail trees, which count from depth 0 again.
  const Watch& watch() const { return pulse_.watch(); }

  // The counts to pass to exact tests.
  ArithmeticCounts* arithmetic() { return &arithmetic_; }

  // Adds decisions in double that were made outside the exact tests.
  void CountDouble(int decisions) { arithmetic_.by_double += decisions; }

  // Marks the current subtree: something in it belongs to the result.
  void Contribute() {
    for (uint32_t i = current_; i != 0 && !tickets_[i].contributed;
         i = tickets_[i].parent) {
      tickets_[i].contributed = true;
    }
  }

  // Ends counting. Subtrees that a stopped query has not entered do not count
  // as false positives.
  void Finish() {
    Leave();
    statistics_.settled_by_double += arithmetic_.by_double;
    statistics_.settled_by_expansion += arithmetic_.by_expansion;
    statistics_.settled_by_exact += arithmetic_.by_exact;
  }

 private:
  // The first ticket represents the whole tree. It is also the end of lists.
  struct Subtree {
    uint32_t parent = 0;      // or the next unused ticket
    uint32_t open_tasks = 1;  // children not yet left, and the subtree itself
    int depth = 0;            // of the first node of the subtree
    VolumeKind kind = VolumeKind::kAabb;
    bool contributed = false;
  };

  int depth() const { return tickets_[current_].depth; }

  VolumeStatistics& At(int depth, VolumeKind kind) {
    return statistics_.volumes[depth][static_cast<size_t>(kind)];
  }

  void Leave() {
    uint32_t i = current_;
    while (i != 0 && --tickets_[i].open_tasks == 0) {
      const Subtree subtree = tickets_[i];
      // The volume was tested at its parent's depth.
      if (!subtree.contributed) {
        ++At(subtree.depth - 1, subtree.kind).subtree_false_positives;
      }
      tickets_[i].parent = free_;
      free_ = i;
      i = subtree.parent;
    }
    current_ = 0;
  }

  TraversalStatistics& statistics_;
  Pulse pulse_;
  ArithmeticCounts arithmetic_;
  std::vector<Subtree> tickets_;
  uint32_t current_ = 0;
  uint32_t free_ = 0;
};

// Counts exact tests of triangles that a search makes outside the loops, by the
// arithmetic that decided them. Does nothing if `statistics` is null.
inline void CountTests(uint64_t tests, const ArithmeticCounts& counts,
                       TraversalStatistics* statistics) {
  if (statistics == nullptr) return;
  statistics->triangle_tests += tests;
  // Tests that neither expansions nor integers decided were decided in double.
  statistics->settled_by_double +=
      tests - counts.by_expansion - counts.by_exact;
  statistics->settled_by_expansion += counts.by_expansion;
  statistics->settled_by_exact += counts.by_exact;
}

// Calls run(counters) with the policy that the watch requires. The first nodes
// visited are at `depth`.
template <typename Run>
void RunCounted(const Watch& watch, const Run& run, int depth = 0) {
  if (watch.statistics == nullptr) {
    NoCounters counters(watch);
    run(counters);
  } else {
    StatisticsCounters counters(watch, depth);
    run(counters);
    counters.Finish();
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_COUNTERS_H_
