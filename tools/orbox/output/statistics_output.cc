// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/statistics_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "orbox/bvh/tree/tree_shape.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/text_table.h"

namespace orbox::cli {
namespace {

// Returns the name of a kind by its number.
std::string_view NameOfKind(int kind) {
  return NameOf(static_cast<VolumeKind>(kind));
}

// Returns the number of depths that have counts.
int DepthsUsed(const TraversalStatistics& statistics) {
  int depths = TraversalStatistics::kDepths;
  while (depths > 0 &&
         statistics.TotalOfDepth(depths - 1) == VolumeStatistics{}) {
    --depths;
  }
  return depths;
}

std::string Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  const double percent =
      100 * (static_cast<double>(part) / static_cast<double>(whole));
  // Rounds to tenths, so that a thousandth is visible.
  const auto tenths = static_cast<uint64_t>(percent * 10 + 0.5);
  return Cat(tenths / 10, ".", tenths % 10, " %");
}

// Widths of the columns of a table. The first column is left-aligned, the
// others right-aligned.
constexpr size_t kFirstColumn = 10;
constexpr size_t kColumn = 14;

void AppendRow(std::string& out, std::string_view name,
               std::initializer_list<std::string> cells) {
  std::string line = Cat("  ", name);
  line.resize(std::max(line.size(), 2 + kFirstColumn), ' ');
  for (const std::string& cell : cells) {
    line.append(cell.size() < kColumn ? kColumn - cell.size() : 1, ' ');
    line += cell;
  }
  out += line + "\n";
}

void AppendCounts(std::string& out, std::string_view name,
                  const VolumeStatistics& counts) {
  AppendRow(out, name,
            {Grouped(counts.nodes_visited), Grouped(counts.volume_tests),
             Grouped(counts.accepted), Grouped(counts.rejected()),
             Grouped(counts.test_false_positives),
             Grouped(counts.subtree_false_positives)});
}

void AppendHeader(std::string& out, std::string_view name) {
  AppendRow(out, name,
            {"nodes", "volume tests", "accepted", "rejected", "false (test)",
             "false (tree)"});
}

// Appends the pairs of volumes. Appends nothing if only one tree was queried.
void AppendPairs(std::string& out, const TraversalStatistics& statistics) {
  if (statistics.TotalOfPairs().tests == 0) return;
  AppendRow(out, "pairs",
            {"of A", "of B", "accepted", "rejected", "false (test)", "share"});
  const uint64_t all = statistics.TotalOfPairs().tests;
  for (const KindPair& pair : PairsOfKinds(statistics)) {
    const PairStatistics& counts = pair.counts;
    AppendRow(
        out, "",
        {std::string(pair.a), std::string(pair.b), Grouped(counts.accepted),
         Grouped(counts.rejected()), Grouped(counts.test_false_positives),
         Percent(counts.tests, all)});
  }
}

}  // namespace

ShapedTree::ShapedTree(const Tree& of) : tree(of), shape(ShapeOf(of)) {
  // Skips the anchor above the root, because builders do not choose its block.
  for (size_t i = Tree::kRoot; i < tree.node_count(); ++i) {
    const Node node = tree.node(i);
    ++nodes_by_kind[static_cast<size_t>(node.kind)];
  }
}

std::vector<KindPair> PairsOfKinds(const TraversalStatistics& statistics) {
  std::vector<KindPair> pairs;
  for (int a = 0; a < kVolumeKinds; ++a) {
    for (int b = 0; b < kVolumeKinds; ++b) {
      const PairStatistics& counts = statistics.pairs[a][b];
      if (counts.tests > 0) {
        pairs.push_back({NameOfKind(a), NameOfKind(b), counts});
      }
    }
  }
  return pairs;
}

Schema<VolumeStatistics> CountsSchema() {
  using Counts = VolumeStatistics;
  Schema<Counts> schema;
  return schema
      .Add({"nodes_visited", "nodes_visited"},
           [](const Counts& c) { return c.nodes_visited; })
      .Add({"volume_tests", "volume_tests"},
           [](const Counts& c) { return c.volume_tests; })
      .Add({"accepted", "accepted"}, [](const Counts& c) { return c.accepted; })
      .Add({"rejected"}, [](const Counts& c) { return c.rejected(); })
      .Add({"test_false_positives", "test_false_positives"},
           [](const Counts& c) { return c.test_false_positives; })
      .Add({"subtree_false_positives", "subtree_false_positives"},
           [](const Counts& c) { return c.subtree_false_positives; });
}

Schema<KindPair> KindPairSchema() {
  Schema<KindPair> schema;
  return schema.Add({"a"}, [](const KindPair& p) { return std::string(p.a); })
      .Add({"b"}, [](const KindPair& p) { return std::string(p.b); })
      .Add({"tests", "tests"}, [](const KindPair& p) { return p.counts.tests; })
      .Add({"accepted", "accepted"},
           [](const KindPair& p) { return p.counts.accepted; })
      .Add({"rejected"}, [](const KindPair& p) { return p.counts.rejected(); })
      .Add({"test_false_positives", "test_false_positives"},
           [](const KindPair& p) { return p.counts.test_false_positives; });
}

const Schema<TraversalStatistics>& StatisticsSchema() {
  using Counts = TraversalStatistics;
  static const Schema<Counts>& schema = *[] {
    auto* const made = new Schema<Counts>;
    made->AddFields(CountsSchema(), [](const Counts& s) { return s.Total(); });
    for (int kind = 0; kind < kVolumeKinds; ++kind) {
      made->AddObject(Cat("by_kind.", NameOfKind(kind)), CountsSchema(),
                      [kind](const Counts& s) {
                        return s.TotalOfKind(static_cast<VolumeKind>(kind));
                      });
    }
    made->AddList({.json = "by_pair"}, KindPairSchema(), PairsOfKinds)
        .AddList({.json = "by_depth"}, CountsSchema(),
                 [](const Counts& s) {
                   std::vector<VolumeStatistics> depths;
                   for (int depth = 0; depth < DepthsUsed(s); ++depth) {
                     depths.push_back(s.TotalOfDepth(depth));
                   }
                   return depths;
                 })
        .Add({"leaf_box_tests"},
             [](const Counts& s) { return s.leaf_box_tests; })
        .Add({"leaves_visited", "leaves_visited"},
             [](const Counts& s) { return s.leaves_visited; })
        .Add({"triangle_tests", "triangle_tests"},
             [](const Counts& s) { return s.triangle_tests; })
        .Add({"settled_by.float", "settled_by_float"},
             [](const Counts& s) { return s.settled_by_float; })
        .Add({"settled_by.double", "settled_by_double"},
             [](const Counts& s) { return s.settled_by_double; })
        .Add({"settled_by.expansion", "settled_by_expansion"},
             [](const Counts& s) { return s.settled_by_expansion; })
        .Add({"settled_by.exact", "settled_by_exact"},
             [](const Counts& s) { return s.settled_by_exact; });
    return made;
  }();
  return schema;
}

std::string StatisticsTable(const TraversalStatistics& statistics) {
  std::string out = "cost\n";
  AppendHeader(out, "volumes");
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    AppendCounts(out, NameOfKind(kind),
                 statistics.TotalOfKind(static_cast<VolumeKind>(kind)));
  }
  const VolumeStatistics total = statistics.Total();
  AppendCounts(out, "total", total);
  AppendRow(out, "",
            {"", "", Percent(total.accepted, total.volume_tests),
             Percent(total.rejected(), total.volume_tests),
             Percent(total.test_false_positives, total.volume_tests),
             Percent(total.subtree_false_positives, total.volume_tests)});
  AppendPairs(out, statistics);
  AppendHeader(out, "depth");
  for (int depth = 0; depth < DepthsUsed(statistics); ++depth) {
    AppendCounts(out, std::to_string(depth), statistics.TotalOfDepth(depth));
  }
  const uint64_t triangles = statistics.triangle_tests;
  AppendRow(out, "leaves",
            {"visited", "volume tests", "triangles", "by float", "by double",
             "by expansion", "exactly"});
  AppendRow(
      out, "",
      {Grouped(statistics.leaves_visited), Grouped(statistics.leaf_box_tests),
       Grouped(triangles), Grouped(statistics.settled_by_float),
       Grouped(statistics.settled_by_double),
       Grouped(statistics.settled_by_expansion),
       Grouped(statistics.settled_by_exact)});
  AppendRow(out, "",
            {"", "", "", Percent(statistics.settled_by_float, triangles),
             Percent(statistics.settled_by_double, triangles),
             Percent(statistics.settled_by_expansion, triangles),
             Percent(statistics.settled_by_exact, triangles)});
  return out;
}

Schema<TreeLevel> LevelSchema() {
  Schema<TreeLevel> schema;
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    schema.Add({std::string(NameOfKind(kind)), NameOfKind(kind)},
               [kind](const TreeLevel& level) { return level.nodes[kind]; });
  }
  return schema.Add({"leaves", "leaves"},
                    [](const TreeLevel& level) { return level.leaves; });
}

Schema<ShapedTree> ShapedTreeSchema() {
  Schema<ShapedTree> schema;
  return schema
      .Add({"nodes", "nodes"},
           [](const ShapedTree& t) { return NodesOf(t.tree); })
      .Add({"leaves", "leaves"},
           [](const ShapedTree& t) { return t.tree.leaf_count(); })
      .Add({"depth", "depth"},
           [](const ShapedTree& t) {
             return static_cast<uint64_t>(t.tree.depth());
           })
      .Add({"bytes", "bytes"},
           [](const ShapedTree& t) { return t.tree.size_bytes(); })
      .Add({"expected_nodes", "expected_nodes"},
           [](const ShapedTree& t) { return t.shape.expected_nodes; })
      .Add({"expected_leaves", "expected_leaves"},
           [](const ShapedTree& t) { return t.shape.expected_leaves; })
      .AddList({.json = "levels"}, LevelSchema(),
               [](const ShapedTree& t) { return std::span(t.shape.levels); });
}

std::string TreeShapeTable(const Tree& tree) {
  const TreeShape shape = ShapeOf(tree);
  TextTable table({"level", "of spheres", "of AABBs", "of OBBs", "leaves"});
  for (size_t i = 0; i < shape.levels.size(); ++i) {
    const TreeLevel& level = shape.levels[i];
    table.Add({Cat(i), Grouped(level.nodes[0]), Grouped(level.nodes[1]),
               Grouped(level.nodes[2]), Grouped(level.leaves)});
  }
  const auto two_decimals = [](double value) {
    return FormatReal(std::round(100 * value) / 100);
  };
  return Cat(table.Text(), "  expected cost (SAH): a line visits ",
             two_decimals(shape.expected_nodes), " nodes and ",
             two_decimals(shape.expected_leaves), " leaves\n");
}

Schema<Tree> TreeStatisticsSchema() {
  Schema<ShapedTree> tree = ShapedTreeSchema();
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    tree.Add({Cat("nodes_by_kind.", NameOfKind(kind))},
             [kind](const ShapedTree& t) { return t.nodes_by_kind[kind]; });
  }
  Schema<Tree> schema;
  return schema.AddObject("tree", tree,
                          [](const Tree& t) { return ShapedTree(t); });
}

std::string TreeStatisticsTable(const Tree& tree) {
  const auto nodes = ShapedTree(tree).nodes_by_kind;
  std::string out = "tree\n";
  AppendRow(out, "",
            {"depth", "nodes", "of spheres", "of AABBs", "of OBBs", "leaves",
             "bytes"});
  AppendRow(out, "",
            {Grouped(tree.depth()), Grouped(tree.node_count() - Tree::kRoot),
             Grouped(nodes[0]), Grouped(nodes[1]), Grouped(nodes[2]),
             Grouped(tree.leaf_count()), Grouped(tree.size_bytes())});
  return out + TreeShapeTable(tree);
}

}  // namespace orbox::cli
