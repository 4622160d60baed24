// SPDX-License-Identifier: Apache-2.0

// The CSV of `orbox explain`.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/explain/explain_schema.h"
#include "tools/orbox/explain/explain_writers.h"
#include "tools/orbox/output/statistics_output.h"

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
  output.Write("part,item,measure,value\n");
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

}  // namespace orbox::cli
