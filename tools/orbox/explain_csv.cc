// The CSV of `orbox explain`.

#include <string>
#include <string_view>

#include "tools/orbox/explain_writers.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/statistics_output.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

// Rows that share their first two cells.
class Rows {
 public:
  Rows(Output& output, std::string_view part, std::string_view item)
      : output_(output), begin_(Cat(part, ",", item, ",")) {}

  template <typename Value>
  Rows& Add(std::string_view measure, const Value& value) {
    output_.Write(Cat(begin_, measure, ",", value, "\n"));
    return *this;
  }

 private:
  Output& output_;
  const std::string begin_;
};

void WriteCost(const CostTable& table, Output& output) {
  for (const CostRow& row : table.rows) {
    Rows(output, "cost", Cat("depth ", row.depth, " ", NameOf(row.kind)))
        .Add("nodes_visited", row.counts.nodes_visited)
        .Add("volume_tests", row.counts.volume_tests)
        .Add("accepted", row.counts.accepted)
        .Add("test_false_positives", row.counts.test_false_positives)
        .Add("subtree_false_positives", row.counts.subtree_false_positives)
        .Add("time_share", row.share);
  }
  Rows(output, "cost", "leaves").Add("time_share", table.leaves_share);
  Rows(output, "cost", "beyond float")
      .Add("time_share", table.beyond_float_share);
  Rows(output, "cost", "rest").Add("time_share", table.rest_share);
}

void WritePairs(const TraversalStatistics& statistics, Output& output) {
  for (int a = 0; a < kVolumeKinds; ++a) {
    for (int b = 0; b < kVolumeKinds; ++b) {
      const PairStatistics& counts = statistics.pairs[a][b];
      if (counts.tests == 0) continue;
      Rows(output, "pairs",
           Cat(NameOf(static_cast<VolumeKind>(a)), " ",
               NameOf(static_cast<VolumeKind>(b))))
          .Add("tests", counts.tests)
          .Add("accepted", counts.accepted)
          .Add("test_false_positives", counts.test_false_positives);
    }
  }
}

void WriteTree(size_t operand, const Tree& tree, Output& output) {
  const TreeShape shape = ShapeOf(tree);
  const std::string part = Cat("tree ", operand);
  Rows(output, part, "all")
      .Add("nodes", tree.node_count() - Tree::kRoot)
      .Add("leaves", tree.leaf_count())
      .Add("depth", tree.depth())
      .Add("bytes", tree.size_bytes())
      .Add("expected_nodes", shape.expected_nodes)
      .Add("expected_leaves", shape.expected_leaves);
  for (size_t i = 0; i < shape.levels.size(); ++i) {
    Rows rows(output, part, Cat("level ", i));
    for (int kind = 0; kind < kVolumeKinds; ++kind) {
      rows.Add(NameOf(static_cast<VolumeKind>(kind)),
               shape.levels[i].nodes[kind]);
    }
    rows.Add("leaves", shape.levels[i].leaves);
  }
}

std::string ItemOf(const Variant& variant) {
  return Cat(NameOf(variant.volumes), " ", NameOf(variant.quality), " ",
             NameOf(variant.storage));
}

void WriteVariant(const VariantCost& cost, Output& output) {
  Rows(output, "variant", ItemOf(cost.variant))
      .Add("bytes", cost.bytes)
      .Add("build_seconds", Median(cost.timing.build))
      .Add("query_seconds", Median(cost.timing.query))
      .Add("same_answers", cost.same_answers ? "true" : "false")
      .Add("nodes_visited", cost.statistics.Total().nodes_visited)
      .Add("leaves_visited", cost.statistics.leaves_visited)
      .Add("triangle_tests", cost.statistics.triangle_tests);
}

}  // namespace

void WriteExplanationCsv(const Explanation& e, Output& output) {
  const Measurements& measured = e.measured;
  const TraversalStatistics& statistics = measured.variants[0].statistics;
  output.Write("part,item,measure,value\n");
  WriteCost(CostTableOf(statistics, measured.costs), output);
  WritePairs(statistics, output);
  Rows(output, "leaves", "all")
      .Add("leaves_visited", statistics.leaves_visited)
      .Add("triangle_tests", statistics.triangle_tests)
      .Add("settled_by_float", statistics.settled_by_float)
      .Add("settled_by_double", statistics.settled_by_double)
      .Add("settled_by_expansion", statistics.settled_by_expansion)
      .Add("settled_by_exact", statistics.settled_by_exact);
  for (size_t i = 0; i < measured.trees.size(); ++i) {
    WriteTree(i, measured.trees[i], output);
  }
  for (const VariantCost& cost : measured.variants) WriteVariant(cost, output);
  const Advice& advice = measured.advice;
  Rows(output, "recommendation", "once")
      .Add("variant", ItemOf(measured.variants[advice.once].variant))
      .Add("gain", advice.once_gain);
  Rows(output, "recommendation", "often")
      .Add("variant", ItemOf(measured.variants[advice.often].variant))
      .Add("gain", advice.often_gain)
      .Add("pays_from", advice.pays_from);
}

}  // namespace orbox::cli
