#include "tools/orbox/statistics_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "orbox/bvh/tree/tree_shape.h"
#include "tools/orbox/text.h"
#include "tools/orbox/text_table.h"

namespace orbox::cli {
namespace {

// In the order of VolumeKind.
constexpr std::string_view kKindNames[kVolumeKinds] = {"sphere", "aabb", "obb"};

void WriteCountsObject(JsonWriter& json, const VolumeStatistics& counts) {
  json.BeginObject();
  WriteCounts(json, counts);
  json.EndObject();
}

// Calls write(name of the kind on side a, name on side b, counts) for the pairs
// of kinds that were tested.
template <typename Write>
void ForEachPairOfKinds(const TraversalStatistics& statistics, Write write) {
  for (int a = 0; a < kVolumeKinds; ++a) {
    for (int b = 0; b < kVolumeKinds; ++b) {
      const PairStatistics& counts = statistics.pairs[a][b];
      if (counts.tests > 0) write(kKindNames[a], kKindNames[b], counts);
    }
  }
}

void WritePairs(JsonWriter& json, const TraversalStatistics& statistics) {
  json.BeginArray();
  ForEachPairOfKinds(statistics, [&](std::string_view a, std::string_view b,
                                     const PairStatistics& counts) {
    json.BeginObject();
    json.Key("a");
    json.String(a);
    json.Key("b");
    json.String(b);
    json.Field("tests", counts.tests);
    json.Field("accepted", counts.accepted);
    json.Field("rejected", counts.rejected());
    json.Field("test_false_positives", counts.test_false_positives);
    json.EndObject();
  });
  json.EndArray();
}

// The number of depths with counts.
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
  // Tenths, so that a share of one in a thousand still shows.
  const auto tenths = static_cast<uint64_t>(percent * 10 + 0.5);
  return Cat(tenths / 10, ".", tenths % 10, " %");
}

// A table whose first column is left-aligned and whose others are right-
// aligned.
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

// Nothing if only one tree was queried.
void AppendPairs(std::string& out, const TraversalStatistics& statistics) {
  if (statistics.TotalOfPairs().tests == 0) return;
  AppendRow(out, "pairs",
            {"of A", "of B", "accepted", "rejected", "false (test)", "share"});
  const uint64_t all = statistics.TotalOfPairs().tests;
  ForEachPairOfKinds(statistics, [&](std::string_view a, std::string_view b,
                                     const PairStatistics& counts) {
    AppendRow(out, "",
              {std::string(a), std::string(b), Grouped(counts.accepted),
               Grouped(counts.rejected()), Grouped(counts.test_false_positives),
               Percent(counts.tests, all)});
  });
}

// The kinds of the nodes. The anchor above the root has no block that a builder
// chose.
std::array<size_t, kVolumeKinds> NodesByKind(const Tree& tree) {
  std::array<size_t, kVolumeKinds> nodes{};
  for (size_t i = Tree::kRoot; i < tree.node_count(); ++i) {
    const Node node = tree.node(i);
    ++nodes[static_cast<size_t>(node.kind)];
  }
  return nodes;
}

}  // namespace

std::string_view NameOf(VolumeKind kind) {
  return kKindNames[static_cast<size_t>(kind)];
}

void WriteCounts(JsonWriter& json, const VolumeStatistics& counts) {
  json.Field("nodes_visited", counts.nodes_visited);
  json.Field("volume_tests", counts.volume_tests);
  json.Field("accepted", counts.accepted);
  json.Field("rejected", counts.rejected());
  json.Field("test_false_positives", counts.test_false_positives);
  json.Field("subtree_false_positives", counts.subtree_false_positives);
}

void WriteStatistics(JsonWriter& json, const TraversalStatistics& statistics) {
  json.BeginObject();
  WriteCounts(json, statistics.Total());
  json.Key("by_kind");
  json.BeginObject();
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    json.Key(kKindNames[kind]);
    WriteCountsObject(json,
                      statistics.TotalOfKind(static_cast<VolumeKind>(kind)));
  }
  json.EndObject();
  json.Key("by_pair");
  WritePairs(json, statistics);
  json.Key("by_depth");
  json.BeginArray();
  for (int depth = 0; depth < DepthsUsed(statistics); ++depth) {
    WriteCountsObject(json, statistics.TotalOfDepth(depth));
  }
  json.EndArray();
  json.Field("leaf_box_tests", statistics.leaf_box_tests);
  json.Field("leaves_visited", statistics.leaves_visited);
  json.Field("triangle_tests", statistics.triangle_tests);
  json.Key("settled_by");
  json.BeginObject();
  json.Field("float", statistics.settled_by_float);
  json.Field("double", statistics.settled_by_double);
  json.Field("expansion", statistics.settled_by_expansion);
  json.Field("exact", statistics.settled_by_exact);
  json.EndObject();
  json.EndObject();
}

std::string StatisticsTable(const TraversalStatistics& statistics) {
  std::string out = "cost\n";
  AppendHeader(out, "volumes");
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    AppendCounts(out, kKindNames[kind],
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

void WriteTreeShape(JsonWriter& json, const Tree& tree) {
  const TreeShape shape = ShapeOf(tree);
  json.Field("expected_nodes", shape.expected_nodes);
  json.Field("expected_leaves", shape.expected_leaves);
  json.Key("levels");
  json.BeginArray();
  for (const TreeLevel& level : shape.levels) {
    json.BeginObject();
    for (int kind = 0; kind < kVolumeKinds; ++kind) {
      json.Field(NameOf(static_cast<VolumeKind>(kind)), level.nodes[kind]);
    }
    json.Field("leaves", level.leaves);
    json.EndObject();
  }
  json.EndArray();
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

void WriteTreeStatistics(JsonWriter& json, const Tree& tree) {
  const auto nodes = NodesByKind(tree);
  json.BeginObject();
  json.Key("tree");
  json.BeginObject();
  json.Field("depth", tree.depth());
  json.Field("nodes", tree.node_count() - Tree::kRoot);
  json.Key("nodes_by_kind");
  json.BeginObject();
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    json.Field(kKindNames[kind], nodes[kind]);
  }
  json.EndObject();
  json.Field("leaves", tree.leaf_count());
  json.Field("bytes", tree.size_bytes());
  WriteTreeShape(json, tree);
  json.EndObject();
  json.EndObject();
}

std::string TreeStatisticsTable(const Tree& tree) {
  const auto nodes = NodesByKind(tree);
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
