// SPDX-License-Identifier: Apache-2.0

// The cost of queries and the shape of trees, as schemas and as tables for
// people.
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_STATISTICS_OUTPUT_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_STATISTICS_OUTPUT_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/bvh/tree/tree_shape.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

// Returns the number of nodes without the anchor, an implementation detail.
inline uint64_t NodesOf(const Tree& tree) {
  return tree.node_count() - Tree::kRoot;
}

// Two kinds of volumes that are tested against each other.
struct KindPair {
  std::string_view a;
  std::string_view b;
  PairStatistics counts;
};
std::vector<KindPair> PairsOfKinds(const TraversalStatistics& statistics);

struct ShapedTree {
  explicit ShapedTree(const Tree& of);  // refers to `of`

  const Tree& tree;
  TreeShape shape;
  std::array<size_t, kVolumeKinds> nodes_by_kind{};
};

Schema<VolumeStatistics> CountsSchema();
Schema<KindPair> KindPairSchema();
Schema<TreeLevel> LevelSchema();
Schema<ShapedTree> ShapedTreeSchema();

// Returns the schema
// {"nodes_visited":n,...,"by_kind":{...},"by_depth":[...],...}.
const Schema<TraversalStatistics>& StatisticsSchema();
std::string StatisticsTable(const TraversalStatistics& statistics);

// Returns the schema of the shape of a tree, for commands that do not query it:
// {"tree":{"nodes":n,...,"expected_nodes":x,...,"levels":[...]}}.
Schema<Tree> TreeStatisticsSchema();
std::string TreeStatisticsTable(const Tree& tree);

// Returns a table of the levels. The caller adds a title.
std::string TreeShapeTable(const Tree& tree);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_STATISTICS_OUTPUT_H_
