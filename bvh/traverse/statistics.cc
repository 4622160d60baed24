// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/statistics.h"

#include <ostream>

namespace orbox {

VolumeStatistics& VolumeStatistics::operator+=(const VolumeStatistics& other) {
  nodes_visited += other.nodes_visited;
  volume_tests += other.volume_tests;
  accepted += other.accepted;
  test_false_positives += other.test_false_positives;
  subtree_false_positives += other.subtree_false_positives;
  return *this;
}

PairStatistics& PairStatistics::operator+=(const PairStatistics& other) {
  tests += other.tests;
  accepted += other.accepted;
  test_false_positives += other.test_false_positives;
  return *this;
}

VolumeStatistics TraversalStatistics::Total() const {
  VolumeStatistics total;
  for (const auto& kinds : volumes) {
    for (const VolumeStatistics& v : kinds) total += v;
  }
  return total;
}

VolumeStatistics TraversalStatistics::TotalOfKind(VolumeKind kind) const {
  VolumeStatistics total;
  for (const auto& kinds : volumes) total += kinds[static_cast<size_t>(kind)];
  return total;
}

VolumeStatistics TraversalStatistics::TotalOfDepth(int depth) const {
  VolumeStatistics total;
  for (const VolumeStatistics& v : volumes[depth]) total += v;
  return total;
}

PairStatistics TraversalStatistics::TotalOfPairs() const {
  PairStatistics total;
  for (const auto& kinds : pairs) {
    for (const PairStatistics& p : kinds) total += p;
  }
  return total;
}

TraversalStatistics& TraversalStatistics::operator+=(
    const TraversalStatistics& other) {
  for (int d = 0; d < kDepths; ++d) {
    for (int k = 0; k < kVolumeKinds; ++k) volumes[d][k] += other.volumes[d][k];
  }
  for (int a = 0; a < kVolumeKinds; ++a) {
    for (int b = 0; b < kVolumeKinds; ++b) pairs[a][b] += other.pairs[a][b];
  }
  leaf_box_tests += other.leaf_box_tests;
  leaves_visited += other.leaves_visited;
  triangle_tests += other.triangle_tests;
  settled_by_float += other.settled_by_float;
  settled_by_double += other.settled_by_double;
  settled_by_expansion += other.settled_by_expansion;
  settled_by_exact += other.settled_by_exact;
  return *this;
}

std::ostream& operator<<(std::ostream& out,
                         const TraversalStatistics& statistics) {
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    const VolumeStatistics v =
        statistics.TotalOfKind(static_cast<VolumeKind>(kind));
    if (v.nodes_visited == 0 && v.volume_tests == 0) continue;
    out << NameOf(static_cast<VolumeKind>(kind))
        << ": nodes visited: " << v.nodes_visited
        << ", volume tests: " << v.volume_tests << ", accepted: " << v.accepted
        << ", without result: " << v.subtree_false_positives << '\n';
  }
  return out << "leaves visited: " << statistics.leaves_visited << '\n'
             << "triangle tests: " << statistics.triangle_tests << " (float "
             << statistics.settled_by_float << ", double "
             << statistics.settled_by_double << ", expansion "
             << statistics.settled_by_expansion << ", exact "
             << statistics.settled_by_exact << ")\n";
}

}  // namespace orbox
