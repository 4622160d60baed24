// SPDX-License-Identifier: Apache-2.0

// Cost of a query: volume tests by kind and depth, accepted subtrees that
// contributed nothing to the result, and the arithmetic that decided the
// triangle tests.
//
//   TraversalStatistics statistics;
//   auto ids = AllOverlaps(tree, ball, {.statistics = &statistics});
//   if (!ids.ok()) return ids.status();
//   double wasted = statistics.Total().subtree_false_positives;
//
// operator<< writes the statistics as text. A query adds its counts to the
// given object. Each loop is compiled with and without counters, so statistics
// cost nothing if they are not requested.
#ifndef ORBOX_BVH_TRAVERSE_STATISTICS_H_
#define ORBOX_BVH_TRAVERSE_STATISTICS_H_

#include <array>
#include <cstdint>
#include <iosfwd>

#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Counts for one kind of volume at one depth.
struct ORBOX_EXPORT VolumeStatistics {
  uint64_t nodes_visited = 0;  // nodes whose volumes are of this kind
  uint64_t volume_tests = 0;   // children's volumes tested
  uint64_t accepted = 0;       // ... that the test accepted

  // Volumes that the test in use accepted and the exact test of the same volume
  // rejects (Larsson et al. 2007, row "Error" of tables 1 and 2).
  uint64_t test_false_positives = 0;

  // Accepted subtrees that contributed nothing to the result.
  uint64_t subtree_false_positives = 0;

  uint64_t rejected() const { return volume_tests - accepted; }

  VolumeStatistics& operator+=(const VolumeStatistics& other);
  friend bool operator==(const VolumeStatistics&,
                         const VolumeStatistics&) = default;
};

// Counts for pairs of volumes: all volumes on side a have one kind, and all on
// side b have one kind. The two kinds may be equal.
struct ORBOX_EXPORT PairStatistics {
  uint64_t tests = 0;
  uint64_t accepted = 0;  // ... that the test accepted

  // Counted as in VolumeStatistics.
  uint64_t test_false_positives = 0;

  uint64_t rejected() const { return tests - accepted; }

  PairStatistics& operator+=(const PairStatistics& other);
  friend bool operator==(const PairStatistics&,
                         const PairStatistics&) = default;
};

struct ORBOX_EXPORT TraversalStatistics {
  // Both trees are descended, so their depths add up.
  static constexpr int kDepths = 2 * kMaxTreeDepth + 2;

  // [depth][kind]; the root's children are tested at depth 0.
  std::array<std::array<VolumeStatistics, kVolumeKinds>, kDepths> volumes{};

  // For queries of two trees, or of one against itself: [kind on side a][kind
  // on side b]. Counts the tests above again, as tests of a volume of one side
  // against a volume of the other. The box of a whole mesh counts as an AABB.
  std::array<std::array<PairStatistics, kVolumeKinds>, kVolumeKinds> pairs{};

  uint64_t leaf_box_tests = 0;  // volume tests above whose child is a leaf
  uint64_t leaves_visited = 0;  // leaves, or pairs of leaves
  uint64_t triangle_tests = 0;  // triangles, or pairs, tested at leaves

  // Triangle tests by the arithmetic that decided them: a row of floats with an
  // error bound, doubles or pairs of doubles with an error bound, exact sums of
  // doubles, or integers. They add up to triangle_tests.
  uint64_t settled_by_float = 0;
  uint64_t settled_by_double = 0;
  uint64_t settled_by_expansion = 0;
  uint64_t settled_by_exact = 0;

  VolumeStatistics Total() const;
  VolumeStatistics TotalOfKind(VolumeKind kind) const;
  VolumeStatistics TotalOfDepth(int depth) const;
  PairStatistics TotalOfPairs() const;

  TraversalStatistics& operator+=(const TraversalStatistics& other);
  friend bool operator==(const TraversalStatistics&,
                         const TraversalStatistics&) = default;
};

// Writes a line for each kind of volume that was tested, then a line for the
// leaves and one for the triangles.
ORBOX_EXPORT std::ostream& operator<<(std::ostream& out,
                                      const TraversalStatistics& statistics);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_STATISTICS_H_
