// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_writers.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/explain/explanation.h"
#include "tools/orbox/output/statistics_output.h"
#include "tools/orbox/output/text_table.h"

namespace orbox::cli {
namespace {

// Writes a row for each column of the schema.
template <typename T>
void Write(std::string_view part, std::string_view item,
           const Schema<T>& schema, const T& value, Output& output) {
  schema.WriteMeasures(Cat(part, ",", item, ","), value, output);
}

void WriteCost(const CostTable& table, Output& output) {
  const Schema<CostRow> row_schema = CostRowSchema();
  const Schema<VolumeStatistics> counts = CountsSchema();
  for (const CostRow& row : table.rows) {
    const std::string item = Cat("depth ", row.depth, " ", NameOf(row.kind));
    Write("cost", item, counts, row.counts, output);
    Write("cost", item, row_schema, row, output);
  }
  using Share = std::optional<double>;
  Schema<Share> share;
  share.Add({std::nullopt, "time_share"},
            [](const Share& s) { return s.has_value() ? Value(*s) : Value(); });
  Write("cost", "leaves", share, table.leaves_share, output);
  Write("cost", "beyond float", share, table.beyond_float_share, output);
  Write("cost", "rest", share, table.rest_share, output);
  Write("cost", "untold", share, Share(table.together), output);
}

void WriteTree(size_t operand, const Tree& tree, Output& output) {
  const ShapedTree shaped(tree);
  const std::string part = Cat("tree ", operand);
  Write(part, "all", ShapedTreeSchema(), shaped, output);
  const Schema<TreeLevel> level = LevelSchema();
  for (size_t i = 0; i < shaped.shape.levels.size(); ++i) {
    Write(part, Cat("level ", i), level, shaped.shape.levels[i], output);
  }
}

void WriteRecommendation(const Measurements& measured, Output& output) {
  const Advice& advice = measured.advice;
  const auto choice = [&](std::string_view item, size_t which, double gain) {
    Write("recommendation", item, ChoiceSchema(),
          TreeChoice{measured.variants[which].variant, gain}, output);
  };
  choice("once", advice.once, advice.once_gain);
  choice("often", advice.often, advice.often_gain);
  Schema<Advice> pays;
  pays.Add({std::nullopt, "pays_from"},
           [](const Advice& a) { return a.pays_from; });
  Write("recommendation", "often", pays, advice, output);
}

}  // namespace

void WriteExplanationCsv(const Explanation& e, Output& output) {
  const Measurements& measured = e.measured;
  const TraversalStatistics& statistics = measured.variants[0].statistics;
  output.Write(Cat(kExplanationHeader, "\n"));
  WriteCost(CostTableOf(statistics, measured.costs), output);
  const Schema<KindPair> pair_schema = KindPairSchema();
  for (const KindPair& pair : PairsOfKinds(statistics)) {
    Write("pairs", Cat(pair.a, " ", pair.b), pair_schema, pair, output);
  }
  Write("leaves", "all", StatisticsSchema(), statistics, output);
  for (size_t i = 0; i < measured.trees.size(); ++i) {
    WriteTree(i, measured.trees[i], output);
  }
  const Schema<VariantCost> variant_schema = VariantCostSchema();
  for (const VariantCost& cost : measured.variants) {
    Write("variant", ItemOf(cost.variant), variant_schema, cost, output);
  }
  WriteRecommendation(measured, output);
}

namespace {

// Returns a duration with three digits and a unit: "12.3 ms".
std::string ShortDuration(double seconds) {
  constexpr std::pair<double, std::string_view> kUnits[] = {
      {1, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}};
  for (const auto& [unit, name] : kUnits) {
    if (seconds < unit && unit > 1e-9) continue;
    const double value = seconds / unit;
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    const double scale = std::pow(10, decimals);
    return Cat(FormatReal(std::round(value * scale) / scale), name);
  }
  return "0 s";
}

std::string Percent(const std::optional<double>& share) {
  if (!share.has_value()) return "?";
  return Cat(FormatReal(std::round(1000 * *share) / 10), " %");
}

std::string TwoDecimals(double value) {
  return FormatReal(std::round(100 * value) / 100);
}

std::string CostText(const Explanation& e) {
  const VariantCost& at_hand = e.measured.variants[0];
  const CostTable costs = CostTableOf(at_hand.statistics, e.measured.costs);
  TextTable table({"depth", "kind", "nodes", "tests", "accepted",
                   "false (test)", "false (tree)", "time"},
                  2);
  for (const CostRow& row : costs.rows) {
    table.Add(
        {Cat(row.depth), std::string(NameOf(row.kind)),
         Grouped(row.counts.nodes_visited), Grouped(row.counts.volume_tests),
         Grouped(row.counts.accepted), Grouped(row.counts.test_false_positives),
         Grouped(row.counts.subtree_false_positives), Percent(row.share)});
  }
  const TraversalStatistics& s = at_hand.statistics;
  table.Add({"leaves", "", Grouped(s.leaves_visited), Grouped(s.triangle_tests),
             "", "", "", Percent(costs.leaves_share)});
  table.Add({"beyond float", "", "",
             Grouped(s.settled_by_double + s.settled_by_expansion +
                     s.settled_by_exact),
             "", "", "", Percent(costs.beyond_float_share)});
  table.Add({"rest", "", "", "", "", "", "", Percent(costs.rest_share)});
  return Cat("cost by depth and kind of volume\n", table.Text());
}

// Returns a sentence about the computation of the time fractions.
std::string StepText(const Explanation& e) {
  const bool of_pairs = IsOfPairs(e.measured.variants[0].statistics);
  const Steps seconds = e.measured.costs.seconds;
  const std::array<std::string, kStepKinds> names = {
      of_pairs ? "test of a sphere" : "node of spheres",
      of_pairs ? "of an AABB" : "of AABBs",
      of_pairs ? "of an OBB" : "of OBBs",
      of_pairs ? "pair of triangles" : "leaf",
      "triangle beyond float",
      "the rest"};
  const Steps counted = StepsOf(e.measured.variants[0].statistics);
  std::string steps;
  std::string undistinguished;
  for (int k = 0; k < kStepKinds; ++k) {
    if (counted[k] == 0) continue;
    const bool is_distinguished = e.measured.costs.distinguished[k];
    std::string& list = is_distinguished ? steps : undistinguished;
    list += Cat(list.empty() ? "" : ", ", names[k]);
    if (is_distinguished) list += Cat(" ", ShortDuration(seconds[k]));
  }
  const CostTable costs =
      CostTableOf(e.measured.variants[0].statistics, e.measured.costs);
  if (!undistinguished.empty()) {
    steps += Cat(steps.empty() ? "" : "; ",
                 "the times do not tell these apart, which take ",
                 Percent(costs.together), " together: ", undistinguished);
  }
  return Cat("  ",
             Wrapped(Cat("time is steps times what one takes, fitted to the "
                         "times of ",
                         e.measured.fitted_to, " trees, which it meets within ",
                         Percent(e.measured.costs.error), ": ", steps),
                     2),
             "\n");
}

std::string PairsText(const TraversalStatistics& statistics) {
  if (!IsOfPairs(statistics)) return "";
  TextTable table({"of A", "of B", "tests", "accepted", "false (test)"}, 2);
  for (int a = 0; a < kVolumeKinds; ++a) {
    for (int b = 0; b < kVolumeKinds; ++b) {
      const PairStatistics& counts = statistics.pairs[a][b];
      if (counts.tests == 0) continue;
      table.Add({std::string(NameOf(static_cast<VolumeKind>(a))),
                 std::string(NameOf(static_cast<VolumeKind>(b))),
                 Grouped(counts.tests), Grouped(counts.accepted),
                 Grouped(counts.test_false_positives)});
    }
  }
  return Cat("\npairs of kinds\n", table.Text());
}

std::string ArithmeticText(const TraversalStatistics& s) {
  const auto share = [&](uint64_t part) {
    return s.triangle_tests == 0
               ? std::string("-")
               : Percent(static_cast<double>(part) /
                         static_cast<double>(s.triangle_tests));
  };
  TextTable table({"", "float", "double", "expansion", "exact"});
  table.Add({"triangles", Grouped(s.settled_by_float),
             Grouped(s.settled_by_double), Grouped(s.settled_by_expansion),
             Grouped(s.settled_by_exact)});
  table.Add({"", share(s.settled_by_float), share(s.settled_by_double),
             share(s.settled_by_expansion), share(s.settled_by_exact)});
  return Cat("\narithmetic that decided\n", table.Text());
}

std::string TreeText(const std::string& path, const Tree& tree) {
  return Cat("\ntree of ", OnOneLine(path), ": ",
             Grouped(tree.node_count() - Tree::kRoot), " nodes, ",
             Grouped(tree.leaf_count()), " leaves, ", tree.depth(), " deep, ",
             Grouped(tree.size_bytes()), " bytes\n", TreeShapeTable(tree));
}

std::string VariantsText(const Explanation& e) {
  const std::vector<VariantCost>& variants = e.measured.variants;
  TextTable table({"volumes", "quality", "storage", "bytes", "build", "query",
                   "beside", "nodes", "leaves", "triangles", "answers"},
                  3);
  const double at_hand = Median(variants[0].timing.query);
  for (const VariantCost& v : variants) {
    const double build = Median(v.timing.build);
    const double query = Median(v.timing.query);
    table.Add({std::string(NameOf(v.variant.volumes)),
               std::string(NameOf(v.variant.quality)),
               std::string(NameOf(v.variant.storage)), Grouped(v.bytes),
               build == 0 ? "-" : ShortDuration(build), ShortDuration(query),
               TwoDecimals(query / at_hand),
               Grouped(v.statistics.Total().nodes_visited),
               Grouped(v.statistics.leaves_visited),
               Grouped(v.statistics.triangle_tests),
               v.same_answers ? "same" : "DIFFERENT"});
  }
  return Cat(
      "\nthe same query with other trees (the first is the one at hand; ",
      Counted(e.threads, "thread"), ")\n", table.Text());
}

}  // namespace

void WriteExplanationText(const Explanation& e, Output& output) {
  output.Write(
      Cat("orbox ", OnOneLine(e.query), "\n\n", CostText(e), StepText(e)));
  const TraversalStatistics& statistics = e.measured.variants[0].statistics;
  output.Write(PairsText(statistics));
  output.Write(ArithmeticText(statistics));
  for (size_t i = 0; i < e.operands.size(); ++i) {
    if (i > 0 && e.operands[i] == e.operands[0]) continue;
    output.Write(TreeText(e.operands[i], e.measured.trees[i]));
  }
  output.Write(VariantsText(e));
  output.Write(Cat("\nrecommendation: ", RecommendationOf(e), "\n"));
}

}  // namespace orbox::cli
