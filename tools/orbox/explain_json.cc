// The JSON of `orbox explain`.

#include <string_view>

#include "tools/orbox/explain_writers.h"
#include "tools/orbox/json_writer.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/statistics_output.h"

namespace orbox::cli {
namespace {

void WriteName(JsonWriter& json, std::string_view key, std::string_view name) {
  json.Key(key);
  json.String(name);
}

void WriteVariantFields(JsonWriter& json, const Variant& variant) {
  WriteName(json, "volumes", NameOf(variant.volumes));
  WriteName(json, "quality", NameOf(variant.quality));
  WriteName(json, "storage", NameOf(variant.storage));
}

void WriteTree(JsonWriter& json, const std::string& path, const Tree& tree) {
  json.BeginObject();
  WriteName(json, "file", path);
  json.Field("nodes", tree.node_count() - Tree::kRoot);
  json.Field("leaves", tree.leaf_count());
  json.Field("depth", tree.depth());
  json.Field("bytes", tree.size_bytes());
  WriteTreeShape(json, tree);
  json.EndObject();
}

void WriteCost(JsonWriter& json, const CostTable& table) {
  json.BeginArray();
  for (const CostRow& row : table.rows) {
    json.BeginObject();
    json.Field("depth", row.depth);
    WriteName(json, "kind", NameOf(row.kind));
    WriteCounts(json, row.counts);
    json.Field("time_share", row.share);
    json.EndObject();
  }
  json.EndArray();
}

// In seconds.
void WriteSteps(JsonWriter& json, const Measurements& measured) {
  const Steps& seconds = measured.costs.seconds;
  json.BeginObject();
  for (int kind = 0; kind < kVolumeKinds; ++kind) {
    json.Field(NameOf(static_cast<VolumeKind>(kind)), seconds[kind]);
  }
  json.Field("leaf", seconds[kLeafStep]);
  json.Field("beyond_float", seconds[kBeyondFloatStep]);
  json.Field("rest", seconds[kRestStep]);
  json.Field("fitted_to", measured.fitted_to);
  json.Field("error", measured.costs.error);
  json.EndObject();
}

void WriteVariant(JsonWriter& json, const VariantCost& cost) {
  json.BeginObject();
  WriteVariantFields(json, cost.variant);
  json.Field("bytes", cost.bytes);
  json.Field("build_seconds", Median(cost.timing.build));
  json.Field("query_seconds", Median(cost.timing.query));
  json.Field("same_answers", cost.same_answers);
  json.Field("nodes_visited", cost.statistics.Total().nodes_visited);
  json.Field("volume_tests", cost.statistics.Total().volume_tests);
  json.Field("leaves_visited", cost.statistics.leaves_visited);
  json.Field("triangle_tests", cost.statistics.triangle_tests);
  json.EndObject();
}

// The recommended tree, or null for none.
void WriteChoice(JsonWriter& json, const Variant& variant, bool keep,
                 double gain) {
  if (keep) {
    json.Null();
    return;
  }
  json.BeginObject();
  WriteVariantFields(json, variant);
  json.Field("gain", gain);
  json.EndObject();
}

void WriteRecommendation(JsonWriter& json, const Explanation& e) {
  const Advice& advice = e.measured.advice;
  const std::vector<VariantCost>& variants = e.measured.variants;
  json.BeginObject();
  WriteName(json, "text", RecommendationOf(e));
  json.Key("once");
  WriteChoice(json, variants[advice.once].variant, advice.once == 0,
              advice.once_gain);
  json.Key("often");
  WriteChoice(json, variants[advice.often].variant, advice.often == 0,
              advice.often_gain);
  json.Field("pays_from", advice.pays_from);
  json.Field("rounds", e.measured.rounds);
  json.EndObject();
}

}  // namespace

void WriteExplanationJson(const Explanation& e, Output& output) {
  const Measurements& measured = e.measured;
  const TraversalStatistics& statistics = measured.variants[0].statistics;
  const CostTable costs = CostTableOf(statistics, measured.costs);
  JsonWriter json(output);
  json.BeginObject();
  json.Field("schema_version", 1);
  WriteName(json, "query", e.query);
  json.Field("threads", e.threads);
  json.Key("statistics");
  WriteStatistics(json, statistics);
  json.Key("cost");
  WriteCost(json, costs);
  json.Field("leaves_time_share", costs.leaves_share);
  json.Field("beyond_float_time_share", costs.beyond_float_share);
  json.Field("rest_time_share", costs.rest_share);
  json.Key("step_seconds");
  WriteSteps(json, measured);
  json.Key("trees");
  json.BeginArray();
  for (size_t i = 0; i < e.operands.size(); ++i) {
    WriteTree(json, e.operands[i], measured.trees[i]);
  }
  json.EndArray();
  json.Key("variants");
  json.BeginArray();
  for (const VariantCost& cost : measured.variants) WriteVariant(json, cost);
  json.EndArray();
  json.Key("recommendation");
  WriteRecommendation(json, e);
  json.EndObject();
  output.Write("\n");
}

}  // namespace orbox::cli
