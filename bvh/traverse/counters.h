// The counter policies of the traversal loops: Counters fills statistics,
// NoCounters vanishes. Each query is compiled with both.
//
// A loop tells them of events in its own order. Subtrees nest, because the
// stack is last in, first out: opening one at some depth closes all that are
// open at that depth or below, which is when it is known whether anything came
// from them. Private.
#ifndef ORBOX_BVH_TRAVERSE_COUNTERS_H_
#define ORBOX_BVH_TRAVERSE_COUNTERS_H_

#include <array>
#include <bit>
#include <cstdint>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/arithmetic_counts.h"

namespace orbox {

class NoCounters {
 public:
  static constexpr bool kCounting = false;

  // What a stack entry remembers of the test that let it through.
  struct Tag {
    Tag(int, VolumeKind) {}
  };

  void VisitNode(int, VolumeKind) {}
  void TestVolumes(int, VolumeKind, uint32_t, uint32_t, uint32_t, uint32_t) {}
  void Open(Tag) {}
  void VisitLeaf() {}
  void TestTriangles(int, int) {}
  ArithmeticCounts* arithmetic() { return nullptr; }
  void Contribute() {}
  void Finish() {}
};

class Counters {
 public:
  static constexpr bool kCounting = true;

  struct Tag {
    Tag(int d, VolumeKind k) : depth(static_cast<uint8_t>(d)), kind(k) {}
    Tag() = default;
    uint8_t depth = 0;
    VolumeKind kind = VolumeKind::kAabb;
  };

  explicit Counters(TraversalStatistics* statistics)
      : statistics_(*statistics) {}

  void VisitNode(int depth, VolumeKind kind) {
    ++At(depth, kind).nodes_visited;
  }

  // Lanes as bits: those tested, those the test accepted, those of the accepted
  // that the exact test of the same volume accepts too, and those that are
  // leaves.
  void TestVolumes(int depth, VolumeKind kind, uint32_t tested,
                   uint32_t accepted, uint32_t exact, uint32_t leaves) {
    VolumeStatistics& v = At(depth, kind);
    v.volume_tests += std::popcount(tested);
    v.accepted += std::popcount(accepted);
    v.test_false_positives += std::popcount(accepted & ~exact);
    statistics_.leaf_box_tests += std::popcount(leaves & tested);
  }

  // Enters the subtree of an accepted child.
  void Open(Tag tag) {
    CloseFrom(tag.depth);
    open_[tag.depth] = {tag.kind, false};
    end_ = tag.depth + 1;
  }

  void VisitLeaf() { ++statistics_.leaves_visited; }

  // At a leaf: how many triangles were tested, and how many the float row
  // settled by itself.
  void TestTriangles(int tested, int settled_by_float) {
    statistics_.triangle_tests += tested;
    statistics_.settled_by_float += settled_by_float;
  }

  // For the exact tests to count in.
  ArithmeticCounts* arithmetic() { return &arithmetic_; }

  // Something below the subtrees that are open belongs to the result.
  void Contribute() {
    for (int d = end_ - 1; d >= 0 && !open_[d].contributed; --d) {
      open_[d].contributed = true;
    }
  }

  void Finish() {
    CloseFrom(0);
    statistics_.settled_by_double += arithmetic_.by_double;
    statistics_.settled_by_exact += arithmetic_.by_exact;
  }

 private:
  struct OpenSubtree {
    VolumeKind kind = VolumeKind::kAabb;
    bool contributed = false;
  };

  VolumeStatistics& At(int depth, VolumeKind kind) {
    return statistics_.volumes[depth][static_cast<size_t>(kind)];
  }

  void CloseFrom(int depth) {
    for (int d = depth; d < end_; ++d) {
      if (!open_[d].contributed) {
        ++At(d, open_[d].kind).subtree_false_positives;
      }
    }
    end_ = depth < end_ ? depth : end_;
  }

  TraversalStatistics& statistics_;
  ArithmeticCounts arithmetic_;
  std::array<OpenSubtree, TraversalStatistics::kDepths> open_{};
  int end_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_COUNTERS_H_
