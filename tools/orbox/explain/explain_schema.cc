// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_schema.h"

#include <cstddef>
#include <span>
#include <vector>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/statistics_output.h"

namespace orbox::cli {
namespace {

Value ValueOf(const std::optional<double>& share) {
  return share.has_value() ? Value(*share) : Value();
}

// Adds the options that a tree is built with.
template <typename T, typename Get>
void AddVariant(Get get, Schema<T>& schema) {
  schema
      .Add({"volumes"},
           [get](const T& v) { return std::string(NameOf(get(v).volumes)); })
      .Add({"quality"},
           [get](const T& v) { return std::string(NameOf(get(v).quality)); })
      .Add({"storage"},
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
      .Add({"kind"},
           [](const CostRow& row) { return std::string(NameOf(row.kind)); })
      .AddFields(CountsSchema(), [](const CostRow& row) { return row.counts; })
      .Add({"time_share", "time_share"},
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
      .Add({"leaves_time_share"},
           [](const Parts& e) { return ValueOf(CostsOf(e).leaves_share); })
      .Add(
          {"beyond_float_time_share"},
          [](const Parts& e) { return ValueOf(CostsOf(e).beyond_float_share); })
      .Add({"rest_time_share"},
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
