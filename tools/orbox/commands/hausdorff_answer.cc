// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/hausdorff_answer.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "tools/orbox/base/text.h"
#include "tools/orbox/output/pair_schema.h"

namespace orbox::cli {
namespace {

// Adds the summary of a way. In CSV, `columns` and "_" come before the names.
void AddSummary(std::string_view name, std::string_view columns,
                std::optional<WayAnswer> HausdorffAnswer::*way,
                const DeviationLimits& limits,
                Schema<HausdorffAnswer>& schema) {
  using Summary = DeviationSummary;
  const auto add = [&](std::string_view field, std::string_view type,
                       auto get) {
    const std::string column =
        columns.empty() ? std::string() : Cat(columns, "_", field);
    schema.Add({Cat(name, ".summary.", field), column, "", type},
               [way, get](const HausdorffAnswer& a) {
                 return get(*(a.*way)->summary);
               });
  };
  // Without points, the numbers have no meaning.
  const auto add_number = [&add](std::string_view field,
                                 double Summary::*number) {
    add(field, "measure", [number](const Summary& s) -> Value {
      if (s.points == 0) return {};
      return s.*number;
    });
  };
  add("points", "count", [](const Summary& s) -> Value { return s.points; });
  add("beyond", "count", [](const Summary& s) -> Value { return s.beyond; });
  add_number("smallest", &Summary::smallest);
  add_number("largest", &Summary::largest);
  add_number("mean", &Summary::mean);
  add_number("root_mean_square", &Summary::root_mean_square);
  add_number("standard_deviation", &Summary::standard_deviation);
  add_number("median", &Summary::median);
  add_number("percentile_90", &Summary::percentile_90);
  add_number("percentile_95", &Summary::percentile_95);
  add_number("percentile_99", &Summary::percentile_99);
  if (!limits.within.has_value()) return;
  add("share_within", "measure", [](const Summary& s) -> Value {
    if (!s.share_within.has_value()) return {};
    return *s.share_within;
  });
}

// Adds one direction: `from` and `to` are "a" and "b", or "b" and "a".
void AddWay(std::string_view name, std::string_view from, std::string_view to,
            std::optional<WayAnswer> HausdorffAnswer::*way,
            Schema<HausdorffAnswer>& schema) {
  using Answer = HausdorffAnswer;
  const auto of = [way](const Answer& a) -> const GlobalHausdorffResult& {
    return (a.*way)->distance;
  };
  schema
      .Add({.json = Cat(name, ".lower"), .type = "length"},
           [of](const Answer& a) { return of(a).lower; })
      .Add({.json = Cat(name, ".upper"), .type = "length"},
           [of](const Answer& a) { return of(a).upper; });
  AddWitness(
      Cat(name, ".witness.", from), {},
      [of](const Answer& a) { return of(a).triangle_a; },
      [of](const Answer& a) { return of(a).on_a; }, schema);
  AddWitness(
      Cat(name, ".witness.", to), {},
      [of](const Answer& a) { return of(a).triangle_b; },
      [of](const Answer& a) { return of(a).on_b; }, schema);
}

Phrase SummaryText(const WayAnswer& way, const DeviationLimits& limits) {
  const DeviationSummary& s = *way.summary;
  const Phrase beyond =
      s.beyond == 0 ? Say("")
                    : Say("    left out    ", Grouped(s.beyond), " beyond ",
                          Length{limits.max_distance}, "\n");
  if (s.points == 0) return Say(beyond, "    no vertices to measure\n");
  return Say(beyond, "    vertices    ", Grouped(s.points),
             way.by_area ? ", weighted by area, from " : ", from ",
             Length{s.smallest}, " to ", Length{s.largest},
             "\n    mean        ", Length{s.mean}, ", root of mean square ",
             Length{s.root_mean_square}, ", standard deviation ",
             Length{s.standard_deviation}, "\n    50 % within ",
             Length{s.median}, ", 90 % ", Length{s.percentile_90}, ", 95 % ",
             Length{s.percentile_95}, ", 99 % ", Length{s.percentile_99}, "\n",
             s.share_within.has_value()
                 ? Say("    within ", Length{*limits.within}, "  ",
                       100 * *s.share_within, " %\n")
                 : Say(""));
}

Phrase WayAsText(const std::optional<WayAnswer>& way, std::string_view from,
                 std::string_view to,
                 const std::optional<DeviationLimits>& limits) {
  if (!way.has_value()) return Say("");
  const GlobalHausdorffResult& h = way->distance;
  return Say("  ", from, " to ", to, "  ", Length{h.lower}, " to ",
             Length{h.upper}, ", at ", h.on_a, " in triangle ", h.triangle_a,
             " of ", from, ", nearest ", h.on_b, " in triangle ", h.triangle_b,
             " of ", to, "\n",
             way->summary.has_value() ? SummaryText(*way, *limits) : Say(""));
}

Phrase HausdorffText(const HausdorffAnswer& answer,
                     const std::optional<DeviationLimits>& limits) {
  const std::string_view one_way =
      !answer.b_to_a.has_value()   ? ", measured from A,"
      : !answer.a_to_b.has_value() ? ", measured from B,"
                                   : "";
  return Say("are", one_way, " at most ",
             Length{answer.Larger(&GlobalHausdorffResult::upper)},
             " apart, and at least ",
             Length{answer.Larger(&GlobalHausdorffResult::lower)},
             " somewhere\n", WayAsText(answer.a_to_b, "A", "B", limits),
             WayAsText(answer.b_to_a, "B", "A", limits));
}

Schema<TriangleDeviation> DeviationSchema() {
  Schema<TriangleDeviation> schema;
  schema
      .Add({"nearest", "nearest", "", "length"},
           [](const TriangleDeviation& d) { return d.nearest; })
      .Add({"farthest_lower", "farthest_lower", "", "length"},
           [](const TriangleDeviation& d) { return d.farthest_lower; })
      .Add({"farthest_upper", "farthest_upper", "", "length"},
           [](const TriangleDeviation& d) { return d.farthest_upper; });
  return schema;
}

}  // namespace

Schema<HausdorffAnswer> HausdorffSchema(
    Ways ways, const std::optional<DeviationLimits>& limits, bool wants_field) {
  const auto column = [wants_field](std::string_view name) {
    return wants_field ? std::string_view() : name;
  };
  Schema<HausdorffAnswer> schema;
  schema
      .Add({"lower", column("lower"), "", "length"},
           [](const HausdorffAnswer& a) {
             return a.Larger(&GlobalHausdorffResult::lower);
           })
      .Add({"upper", column("upper"), "", "length"},
           [](const HausdorffAnswer& a) {
             return a.Larger(&GlobalHausdorffResult::upper);
           });
  const auto add_way = [&](std::string_view name, std::string_view from,
                           std::string_view to, std::string_view bounds,
                           std::optional<WayAnswer> HausdorffAnswer::*way) {
    AddWay(name, from, to, way, schema);
    schema.Add({std::nullopt, column(bounds)}, [way](const HausdorffAnswer& a) {
      const GlobalHausdorffResult& h = (a.*way)->distance;
      return std::array{h.lower, h.upper};
    });
    if (limits.has_value()) {
      AddSummary(name, column(name), way, *limits, schema);
    }
  };
  if (ways != Ways::kFromB) {
    add_way("a_to_b", "a", "b", "a_to_b_lower,a_to_b_upper",
            &HausdorffAnswer::a_to_b);
  }
  if (ways != Ways::kFromA) {
    add_way("b_to_a", "b", "a", "b_to_a_lower,b_to_a_upper",
            &HausdorffAnswer::b_to_a);
  }
  schema.AddText([limits = limits](const HausdorffAnswer& a) {
    return HausdorffText(a, limits);
  });
  if (!wants_field) return schema;
  return schema.AddList(
      {.json = "field", .rows = true, .csv_number = "triangle"},
      DeviationSchema(),
      [](const HausdorffAnswer& a) { return std::span(a.field); });
}

}  // namespace orbox::cli
