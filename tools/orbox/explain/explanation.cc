// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explanation.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/statistics_output.h"

namespace orbox::cli {
namespace {

std::string Percent(double share) {
  return Cat(static_cast<int64_t>(std::lround(100 * share)), " %");
}

std::string Queries(double count) {
  constexpr double kMany = 1e9;
  if (count > kMany) return "a billion queries";
  const auto whole = static_cast<uint64_t>(count);
  return Cat(Grouped(whole), whole == 1 ? " query" : " queries");
}

// Returns the recommendation for a repeated query.
std::string Often(const Explanation& explanation, const std::string& options) {
  const Advice& advice = explanation.measured.advice;
  return Cat(options, " takes ", Percent(advice.often_gain),
             " less time a query, which pays for building from ",
             Queries(advice.pays_from), " on (keep it with 'orbox build')");
}

}  // namespace

CostTable CostTableOf(const TraversalStatistics& statistics,
                      const StepCosts& costs) {
  const bool of_pairs = IsOfPairs(statistics);
  const Steps steps = StepsOf(statistics);
  double total = 0;
  for (int k = 0; k < kStepKinds; ++k) total += steps[k] * costs.seconds[k];
  CostTable table;
  const auto share = [&](int step, double count) -> std::optional<double> {
    const double part = total > 0 ? count * costs.seconds[step] / total : 0;
    if (costs.distinguished[step]) return part;
    table.together += part;
    return std::nullopt;
  };
  for (int depth = 0; depth < TraversalStatistics::kDepths; ++depth) {
    for (int k = 0; k < kVolumeKinds; ++k) {
      const VolumeStatistics& counts = statistics.volumes[depth][k];
      if (counts == VolumeStatistics{}) continue;
      const auto count = static_cast<double>(NodeStepsOf(counts, of_pairs));
      table.rows.push_back(
          {depth, static_cast<VolumeKind>(k), counts, share(k, count)});
    }
  }
  table.leaves_share = share(kLeafStep, steps[kLeafStep]);
  table.beyond_float_share = share(kBeyondFloatStep, steps[kBeyondFloatStep]);
  table.rest_share = share(kRestStep, 1);
  return table;
}

std::string OptionsOf(const Variant& from, const Variant& to) {
  std::string options;
  const auto add = [&options](std::string_view name, std::string_view value) {
    options += Cat(options.empty() ? "" : " ", name, " ", value);
  };
  if (to.volumes != from.volumes) add("--volumes", NameOf(to.volumes));
  if (to.quality != from.quality) add("--quality", NameOf(to.quality));
  if (to.storage != from.storage) add("--storage", NameOf(to.storage));
  return options;
}

std::string RecommendationOf(const Explanation& explanation) {
  const std::vector<VariantCost>& variants = explanation.measured.variants;
  const Advice& advice = explanation.measured.advice;
  const auto options = [&](size_t i) {
    return OptionsOf(variants[0].variant, variants[i].variant);
  };
  if (advice.once == 0 && advice.often == 0) {
    return Cat(
        "keep these options; no others were clearly faster, by more "
        "than ",
        Percent(kClearGain));
  }
  if (advice.once == 0) return Often(explanation, options(advice.often));
  const std::string once =
      Cat(Percent(advice.once_gain), " less time to build and ask once");
  if (advice.once == advice.often) {
    if (advice.often_gain <= kClearGain) {
      return Cat(options(advice.once), " takes ", once,
                 ", and no others are clearly faster to ask again");
    }
    return Cat(options(advice.once), " takes ", once, ", and ",
               Percent(advice.often_gain), " less a query");
  }
  const std::string early = Cat(options(advice.once), " takes ", once);
  if (advice.often == 0) {
    return Cat(early, "; from ", Queries(advice.pays_from),
               " on, keep these options");
  }
  return Cat(early, "; ", Often(explanation, options(advice.often)));
}

namespace {

Value ValueOf(const std::optional<double>& share) {
  return share.has_value() ? Value(*share) : Value();
}

// Adds the build options of a tree.
template <typename T, typename Get>
void AddVariant(Get get, Schema<T>& schema) {
  schema
      .Add({.json = "volumes", .type = "volumes"},
           [get](const T& v) { return std::string(NameOf(get(v).volumes)); })
      .Add({.json = "quality", .type = "quality"},
           [get](const T& v) { return std::string(NameOf(get(v).quality)); })
      .Add({.json = "storage", .type = "storage"},
           [get](const T& v) { return std::string(NameOf(get(v).storage)); });
}

struct NamedTree {
  std::string path;
  ShapedTree tree;
};

Schema<NamedTree> NamedTreeSchema() {
  const auto tree = [](const NamedTree& t) -> const ShapedTree& {
    return t.tree;
  };
  Schema<NamedTree> schema;
  return schema.Add({"file"}, [](const NamedTree& t) { return t.path; })
      .AddFields(ShapedTreeSchema(), tree)
      .AddList({.json = "levels"}, LevelSchema(), [](const NamedTree& t) {
        return std::span(t.tree.shape.levels);
      });
}

std::vector<NamedTree> TreesOf(const Explanation& e) {
  std::vector<NamedTree> trees;
  for (size_t i = 0; i < e.operands.size(); ++i) {
    trees.push_back({e.operands[i], ShapedTree(e.measured.trees[i])});
  }
  return trees;
}

std::optional<TreeChoice> ChoiceOf(const Explanation& e, size_t which,
                                   double gain) {
  if (which == 0) return std::nullopt;
  return TreeChoice{e.measured.variants[which].variant, gain};
}

void AddStepSeconds(Schema<Explanation>& schema) {
  const auto add = [&schema](std::string_view name, int step) {
    schema.Add({Cat("step_seconds.", name)}, [step](const Explanation& e) {
      return e.measured.costs.seconds[step];
    });
  };
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    add(NameOf(static_cast<VolumeKind>(kind)), kind);
  }
  add("leaf", kLeafStep);
  add("beyond_float", kBeyondFloatStep);
  add("rest", kRestStep);
  schema
      .Add({"step_seconds.fitted_to"},
           [](const Explanation& e) { return e.measured.fitted_to; })
      .Add({"step_seconds.error"},
           [](const Explanation& e) { return e.measured.costs.error; });
}

CostTable CostsOf(const Explanation& e) {
  return CostTableOf(e.measured.variants[0].statistics, e.measured.costs);
}

void AddRecommendation(Schema<Explanation>& schema) {
  schema.Add({"recommendation.text"}, RecommendationOf)
      .AddObject("recommendation.once", ChoiceSchema(),
                 [](const Explanation& e) {
                   const Advice& advice = e.measured.advice;
                   return ChoiceOf(e, advice.once, advice.once_gain);
                 })
      .AddObject("recommendation.often", ChoiceSchema(),
                 [](const Explanation& e) {
                   const Advice& advice = e.measured.advice;
                   return ChoiceOf(e, advice.often, advice.often_gain);
                 })
      .Add({"recommendation.pays_from"},
           [](const Explanation& e) { return e.measured.advice.pays_from; })
      .Add({"recommendation.rounds"},
           [](const Explanation& e) { return e.measured.rounds; });
}

}  // namespace

std::string ItemOf(const Variant& variant) {
  return Cat(NameOf(variant.volumes), " ", NameOf(variant.quality), " ",
             NameOf(variant.storage));
}

Schema<CostRow> CostRowSchema() {
  Schema<CostRow> schema;
  return schema
      .Add({"depth"},
           [](const CostRow& row) { return static_cast<uint64_t>(row.depth); })
      .Add({.json = "kind", .type = "kind"},
           [](const CostRow& row) { return std::string(NameOf(row.kind)); })
      .AddFields(CountsSchema(), [](const CostRow& row) { return row.counts; })
      .Add({"time_share", "time_share", "", "measure"},
           [](const CostRow& row) { return ValueOf(row.share); });
}

Schema<VariantCost> VariantCostSchema() {
  using Cost = VariantCost;
  Schema<Cost> schema;
  AddVariant([](const Cost& c) { return c.variant; }, schema);
  return schema.Add({"bytes", "bytes"}, [](const Cost& c) { return c.bytes; })
      .Add({"build_seconds", "build_seconds"},
           [](const Cost& c) { return Median(c.timing.build); })
      .Add({"query_seconds", "query_seconds"},
           [](const Cost& c) { return Median(c.timing.query); })
      .Add({"same_answers", "same_answers"},
           [](const Cost& c) { return c.same_answers; })
      .Add({"nodes_visited", "nodes_visited"},
           [](const Cost& c) { return c.statistics.Total().nodes_visited; })
      .Add({"volume_tests", "volume_tests"},
           [](const Cost& c) { return c.statistics.Total().volume_tests; })
      .Add({"leaves_visited", "leaves_visited"},
           [](const Cost& c) { return c.statistics.leaves_visited; })
      .Add({"triangle_tests", "triangle_tests"},
           [](const Cost& c) { return c.statistics.triangle_tests; });
}

Schema<TreeChoice> ChoiceSchema() {
  Schema<TreeChoice> schema;
  schema.Add({std::nullopt, "variant"},
             [](const TreeChoice& c) { return ItemOf(c.variant); });
  AddVariant([](const TreeChoice& c) { return c.variant; }, schema);
  return schema.Add({"gain", "gain"},
                    [](const TreeChoice& c) { return c.gain; });
}

Schema<Explanation> ExplanationSchema() {
  using Parts = Explanation;
  Schema<Parts> schema;
  schema.Add({"query"}, [](const Parts& e) { return e.query; })
      .Add({"threads"}, [](const Parts& e) { return e.threads; })
      .AddObject("statistics", StatisticsSchema(),
                 [](const Parts& e) -> const TraversalStatistics& {
                   return e.measured.variants[0].statistics;
                 })
      .AddList({.json = "cost"}, CostRowSchema(),
               [](const Parts& e) { return CostsOf(e).rows; })
      .Add({.json = "leaves_time_share", .type = "measure"},
           [](const Parts& e) { return ValueOf(CostsOf(e).leaves_share); })
      .Add(
          {.json = "beyond_float_time_share", .type = "measure"},
          [](const Parts& e) { return ValueOf(CostsOf(e).beyond_float_share); })
      .Add({.json = "rest_time_share", .type = "measure"},
           [](const Parts& e) { return ValueOf(CostsOf(e).rest_share); })
      .Add({"untold_time_share"},
           [](const Parts& e) { return CostsOf(e).together; });
  AddStepSeconds(schema);
  schema.AddList({.json = "trees"}, NamedTreeSchema(), TreesOf)
      .AddList({.json = "variants"}, VariantCostSchema(),
               [](const Parts& e) { return std::span(e.measured.variants); });
  AddRecommendation(schema);
  return schema;
}

}  // namespace orbox::cli
