// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_schema.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orbox/bvh/solids/penetration.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_sentences.h"
#include "tools/orbox/output/pair_schema.h"

namespace orbox::cli {
namespace {

using report::ClashGroup;
using report::ClosestApproach;
using report::KindCounts;
using report::KindNameOf;
using report::ListedClash;
using report::NumberedPair;
using report::ResolvedClash;

// Returns the two bounds, or nothing if there are none.
Value BoundsValue(const std::optional<MeasureBounds>& bounds) {
  if (!bounds.has_value()) return std::monostate();
  return std::array<double, 2>{bounds->lower, bounds->upper};
}
template <typename T>
Value ValueOf(const std::optional<T>& value) {
  if (!value.has_value()) return std::monostate();
  return *value;
}

std::optional<MeasureBounds> ThicknessOf(const Clash& clash) {
  if (!IsClash(clash.kind)) return std::nullopt;
  return clash.thickness;
}

std::optional<MeasureBounds> VolumeOf(const Clash& clash) {
  if (!IsClash(clash.kind)) return std::nullopt;
  return clash.volume;
}

std::optional<double> SurfaceDistanceOf(const Clash& clash) {
  if (!clash.gap.has_value()) return std::nullopt;
  return clash.gap->distance;
}

// Returns the name of the body that is inside the other one, if there is one.
std::optional<std::string> InnerOf(const Clash& clash) {
  if (clash.kind == ClashKind::kFirstInside) return "a";
  if (clash.kind == ClashKind::kSecondInside) return "b";
  return std::nullopt;
}

Schema<Witness> WitnessSchema() {
  Schema<Witness> schema;
  AddWitness(
      "a", {}, [](const Witness& w) { return w.triangles.a; },
      [](const Witness& w) { return w.on_a; }, schema);
  AddWitness(
      "b", {}, [](const Witness& w) { return w.triangles.b; },
      [](const Witness& w) { return w.on_b; }, schema);
  return schema;
}

// Adds the fields of a pair in JSON. `pair_of` maps a T to its BodyClash.
template <typename T, typename PairOf>
void AddPair(const ClashInput& scene, PairOf pair_of, Schema<T>& schema) {
  const auto add = [&schema, pair_of](std::string name, auto get) {
    schema.Add({std::move(name)},
               [pair_of, get](const T& t) -> Value { return get(pair_of(t)); });
  };
  add("a", [](const BodyClash& p) { return p.a; });
  add("b", [](const BodyClash& p) { return p.b; });
  add("a_name",
      [&scene](const BodyClash& p) { return scene.bodies[p.a].name; });
  add("b_name",
      [&scene](const BodyClash& p) { return scene.bodies[p.b].name; });
  add("kind",
      [](const BodyClash& p) { return std::string(KindNameOf(p.clash.kind)); });
  add("inner", [](const BodyClash& p) { return ValueOf(InnerOf(p.clash)); });
  add("thickness",
      [](const BodyClash& p) { return BoundsValue(ThicknessOf(p.clash)); });
  add("undecided", [](const BodyClash& p) { return p.clash.is_undecided; });
  add("volume",
      [](const BodyClash& p) { return BoundsValue(VolumeOf(p.clash)); });
  add("distance",
      [](const BodyClash& p) { return ValueOf(SurfaceDistanceOf(p.clash)); });
  add("place", [](const BodyClash& p) { return ValueOf(PlaceOf(p.clash)); });
  schema.AddObject("witness", WitnessSchema(),
                   [pair_of](const T& t) { return pair_of(t).clash.gap; });
}

// Adds a column for a number, or for a coordinate of a point.
template <typename Get>
void AddColumn(std::string_view name, Get get, Schema<ListedClash>& schema) {
  schema.Add({std::nullopt, name}, [get](const ListedClash& clash) {
    return ValueOf(get(clash.pair.clash));
  });
}
template <typename Get>
void AddColumns(const std::array<std::string_view, 3>& names, Get get,
                Schema<ListedClash>& schema) {
  for (size_t i = 0; i < 3; ++i) {
    AddColumn(
        names[i],
        [get, i](const Clash& clash) -> std::optional<double> {
          const std::optional<Vec3> point = get(clash);
          if (!point.has_value()) return std::nullopt;
          return (*point)[i];
        },
        schema);
  }
}

// Returns a text as a cell. A spreadsheet would run a text such as "=1+1" as a
// formula (CSV injection, OWASP); with ' before it, it is a text.
std::string CellText(const std::string& text, const ClashInput& scene) {
  const bool runs =
      !text.empty() &&
      std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  return scene.for_excel && runs ? "'" + text : text;
}

// Returns the name of a column as it is in the header.
std::string ColumnName(const BodyColumn& column) {
  std::string name;
  AppendCell(name, Cat(column.is_of_b ? "b." : "a.", column.key));
  return name;
}

// Adds the columns of properties and of the rule.
void AddOwnColumns(const ClashInput& scene, Schema<ListedClash>& schema) {
  for (const BodyColumn& column : scene.columns) {
    schema.Add({std::nullopt, ColumnName(column)},
               [&scene, &column](const ListedClash& c) -> Value {
                 const std::optional<std::string> value = PropertyOf(
                     scene.bodies[column.is_of_b ? c.pair.b : c.pair.a],
                     column.key);
                 if (!value.has_value()) return std::monostate();
                 return CellText(*value, scene);
               });
  }
  if (scene.rules.empty()) return;
  const auto add = [&](std::string_view name, std::string ClashRule::*text) {
    const auto get = [&scene, text](const ListedClash& c, bool is_cell) {
      const auto rule = scene.frames->RuleOf(c.pair.a, c.pair.b);
      if (!rule.has_value()) return Value(std::monostate());
      const std::string& found = scene.rules[*rule].*text;
      return Value(is_cell ? CellText(found, scene) : found);
    };
    schema.Add({std::string(name)},
               [get](const ListedClash& c) { return get(c, false); });
    schema.Add({std::nullopt, name},
               [get](const ListedClash& c) { return get(c, true); });
  };
  add("rule", &ClashRule::name);
  add("severity", &ClashRule::severity);
}

// Adds the CSV columns. Each measure is a certain lower bound: a region is at
// least as thick as its column.
void AddCsv(const ClashInput& scene, Schema<ListedClash>& schema) {
  const auto end = [](std::optional<MeasureBounds> (*of)(const Clash&),
                      double MeasureBounds::*side) {
    return [of, side](const Clash& clash) -> std::optional<double> {
      const std::optional<MeasureBounds> bounds = of(clash);
      if (!bounds.has_value()) return std::nullopt;
      return (*bounds).*side;
    };
  };
  schema
      .Add({std::nullopt, "a"},
           [&scene](const ListedClash& c) {
             return CellText(scene.bodies[c.pair.a].name, scene);
           })
      .Add({std::nullopt, "b"},
           [&scene](const ListedClash& c) {
             return CellText(scene.bodies[c.pair.b].name, scene);
           })
      .Add({std::nullopt, "kind"}, [](const ListedClash& c) {
        return std::string(KindNameOf(c.pair.clash.kind));
      });
  AddColumn("thickness", end(ThicknessOf, &MeasureBounds::lower), schema);
  AddColumn("volume", end(VolumeOf, &MeasureBounds::lower), schema);
  AddColumn("distance", SurfaceDistanceOf, schema);
  AddColumns(
      {"ax", "ay", "az"},
      [](const Clash& c) {
        return c.gap ? std::optional(c.gap->on_a) : std::nullopt;
      },
      schema);
  AddColumns(
      {"bx", "by", "bz"},
      [](const Clash& c) {
        return c.gap ? std::optional(c.gap->on_b) : std::nullopt;
      },
      schema);
  AddColumns({"x", "y", "z"}, PlaceOf, schema);
  AddColumn("thickness_upper", end(ThicknessOf, &MeasureBounds::upper), schema);
  AddColumn("volume_upper", end(VolumeOf, &MeasureBounds::upper), schema);
  AddColumn("inner", InnerOf, schema);
}

// Returns the severity of a clash by its rule, as "high: ", or nothing.
std::string SeverityOf(const ListedClash& clash, const ClashInput& scene) {
  if (scene.rules.empty()) return "";
  const auto rule = scene.frames->RuleOf(clash.pair.a, clash.pair.b);
  if (!rule.has_value() || scene.rules[*rule].severity.empty()) return "";
  return Cat(scene.rules[*rule].severity, ": ");
}

// Adds the depth of a clash. CSV contains its bounds and the translation.
void AddClashDepth(const ClashInput& scene, Schema<ListedClash>& schema) {
  schema.AddObject("depth", DepthSchema(),
                   [](const ListedClash& c) { return c.pair.clash.depth; });
  AddDepthColumns([](const ListedClash& c) { return c.pair.clash.depth; },
                  schema);
  schema.AddText([&scene](const ListedClash& c) {
    if (!c.pair.clash.depth.has_value()) return Phrase("");
    const Penetration& p = *c.pair.clash.depth;
    return Say("    ", Length{p.depth.lower}, " to ", Length{p.depth.upper},
               " deep; free if ", scene.bodies[c.pair.a].name, " moves by ",
               p.translation, "\n");
  });
}

// Adds the clusters of a clash: a list in JSON and text. In CSV, a row has the
// columns of one cluster.
void AddClusters(Schema<ListedClash>& schema) {
  static constexpr size_t kMostShown = 5;
  const auto clusters = [](const ListedClash& c) {
    return std::span(c.clusters);
  };
  schema
      .AddText([](const ListedClash& c) {
        if (c.clusters.empty()) return std::string();
        return Cat("    in ", Counted(c.clusters.size(), "place"),
                   c.clusters.size() > kMostShown
                       ? Cat(", of which the nearest ", kMostShown, " are\n")
                       : "\n");
      })
      .AddList({.json = "places", .text_limit = kMostShown}, ClusterSchema(),
               clusters);
}

// Adds the columns of the first cluster, because a CSV row contains only one
// (RowsOf).
void AddClusterColumns(Schema<ListedClash>& schema) {
  const auto add = [&schema](std::string_view columns, auto get) {
    schema.Add({std::nullopt, columns}, [get](const ListedClash& c) -> Value {
      if (c.clusters.empty()) return std::monostate();
      return get(c.clusters.front());
    });
  };
  static constexpr std::string_view kCorners[] = {"lo_x", "lo_y", "lo_z",
                                                  "hi_x", "hi_y", "hi_z"};
  add("pairs", [](const NearCluster& p) { return uint64_t{p.pair_count}; });
  for (size_t i = 0; i < std::size(kCorners); ++i) {
    add(kCorners[i], [i](const NearCluster& p) {
      return i < 3 ? p.box.lo[i] : p.box.hi[i - 3];
    });
  }
}

Schema<KindCounts> KindCountsSchema() {
  Schema<KindCounts> schema;
  for (const ClashKind kind : KindCounts::kKinds) {
    schema.Add(
        {std::string(KindNameOf(kind))},
        [kind](const KindCounts& counts) { return uint64_t{counts.Of(kind)}; });
  }
  return schema;
}

Schema<std::string> TextSchema() {
  Schema<std::string> schema;
  return schema.Add({""}, [](const std::string& text) { return text; });
}

std::string Joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    text += Cat(text.empty() ? "" : " ", value.empty() ? "-" : value);
  }
  return text;
}

// Returns the schema of a contact that begins or ends.
Schema<NumberedPair> ChangeSchema(const ClashInput& scene,
                                  std::string_view what) {
  Schema<NumberedPair> schema;
  return schema
      .Add({""},
           [](const NumberedPair& p) {
             return std::array<uint64_t, 2>{p.a, p.b};
           })
      .AddText([&scene, what](const NumberedPair& p) {
        return Cat("  ", scene.facts.NamesOf(p.a, p.b), " ", what, "\n");
      });
}

// Returns a sentence about all pairs of the frame.
Phrase ClashSentence(const ClashFrame& reported, const ClashInput& scene) {
  KindCounts kinds;
  for (const BodyClash& pair : reported.answer.pairs)
    kinds.Add(pair.clash.kind);
  const Phrase line = Say("frame ", reported.number, ": ", kinds.Text());
  const std::optional<BodyClash>& closest = reported.answer.closest;
  if (!closest.has_value() || closest->meet()) return Say(line, "\n");
  return Say(line, "; ", ClashSentence(*closest, scene), "\n");
}

}  // namespace

Schema<size_t> SceneBodySchema(const ClashInput& scene) {
  Schema<size_t> schema;
  schema
      .Add({"name"}, [&scene](size_t body) { return scene.bodies[body].name; })
      .Add({"mesh"}, [&scene](size_t body) { return scene.bodies[body].mesh; })
      .Add({"triangles"},
           [&scene](size_t body) {
             return scene.trees[body].mesh().triangle_count();
           })
      .Add({"closed"},
           [&scene](size_t body) {
             return scene.facts.classifications[body] !=
                        report::Classification::kOpen &&
                    scene.facts.closed_holes[body] == 0;
           })
      .Add({"faces_agree"}, [&scene](size_t body) {
        return scene.facts.classifications[body] ==
               report::Classification::kSolid;
      });
  if (scene.parameters.close_holes > 0) {
    schema.Add({"closed_holes"}, [&scene](size_t body) {
      return uint64_t{scene.facts.closed_holes[body]};
    });
  }
  return schema;
}

Schema<BodyClash> BodyClashSchema(const ClashInput& scene) {
  Schema<BodyClash> schema;
  AddPair(
      scene, [](const BodyClash& p) { return p; }, schema);
  return schema.AddText([&scene](const BodyClash& p) {
    return Say(ClashSentence(p, scene), "\n", WhereOf(p));
  });
}

Schema<ListedClash> ListedClashSchema(const ClashInput& scene,
                                      const report::ClashList& list) {
  Schema<ListedClash> schema;
  schema.Add({"id"}, [](const ListedClash& c) { return c.id; });
  AddPair(
      scene, [](const ListedClash& c) { return c.pair; }, schema);
  AddCsv(scene, schema);
  schema
      .Add({"frame", "frame"},
           [&scene](const ListedClash& c) {
             return scene.facts.frames[c.frame];
           })
      .Add({"group", "group"},
           [&list](const ListedClash& c) -> Value {
             if (list.groups.empty()) return std::monostate();
             return uint64_t{c.group};
           })
      .Add({"state", "state"},
           [](const ListedClash& c) -> Value {
             const std::string_view state = NameOf(c.state);
             if (state.empty()) return std::monostate();
             return std::string(state);
           })
      .Add({std::nullopt, "id"}, [](const ListedClash& c) { return c.id; });
  if (scene.clusters) AddClusterColumns(schema);
  AddOwnColumns(scene, schema);
  schema.AddText([&scene](const ListedClash& c) {
    const std::string_view state = NameOf(c.state);
    return Say("  ", state.empty() ? "" : Cat(state, ": "),
               SeverityOf(c, scene), ClashSentence(c.pair, scene),
               scene.facts.frames.size() > 1
                   ? Cat(", in frame ", scene.facts.frames[c.frame])
                   : "",
               "\n", WhereOf(c.pair), VolumeLine(c.pair.clash));
  });
  if (scene.depths) AddClashDepth(scene, schema);
  if (scene.clusters) AddClusters(schema);
  return schema;
}

std::vector<ListedClash> RowsOf(const ListedClash& clash) {
  if (clash.clusters.empty()) return {clash};
  std::vector<ListedClash> rows;
  for (const NearCluster& cluster : clash.clusters) {
    ListedClash& row = rows.emplace_back(clash);
    row.pair.clash.gap = cluster.closest;
    row.clusters = {cluster};
  }
  return rows;
}

Schema<ClashGroup> ClashGroupSchema(const ClashInput& scene,
                                    const report::ClashList& list) {
  Schema<ClashGroup> schema;
  return schema
      .AddList({.json = "a"}, TextSchema(),
               [](const ClashGroup& g) { return std::span(g.a); })
      .AddList({.json = "b"}, TextSchema(),
               [](const ClashGroup& g) { return std::span(g.b); })
      .AddObject("kinds", KindCountsSchema(),
                 [](const ClashGroup& g) { return g.kinds; })
      .Add({"worst"},
           [&list](const ClashGroup& g) { return list.clashes[g.worst].id; })
      .AddText([&scene, &list](const ClashGroup& g) {
        return Say("  ", Joined(g.a), " | ", Joined(g.b), ": ", g.kinds.Text(),
                   "\n    the worst: ",
                   ClashSentence(list.clashes[g.worst].pair, scene), "\n");
      });
}

Schema<ResolvedClash> ResolvedClashSchema() {
  Schema<ResolvedClash> schema;
  return schema.Add({"id"}, [](const ResolvedClash& c) { return c.id; })
      .Add({"a_name"}, [](const ResolvedClash& c) { return c.a_name; })
      .Add({"b_name"}, [](const ResolvedClash& c) { return c.b_name; })
      .Add({"kind"}, [](const ResolvedClash& c) { return c.kind; })
      .AddText([](const ResolvedClash& c) {
        return Cat("  ", c.a_name, " and ", c.b_name, ", once ", c.kind, "\n");
      });
}

// Text contains only the changes.
Schema<ClashFrame> ClashFrameSchema(const ClashInput& scene) {
  Schema<ClashFrame> schema;
  return schema.Add({"frame"}, [](const ClashFrame& f) { return f.number; })
      .AddText(
          [&scene](const ClashFrame& f) { return ClashSentence(f, scene); })
      .AddList({.json = "pairs", .text_limit = 0}, BodyClashSchema(scene),
               [](const ClashFrame& f) { return std::span(f.answer.pairs); })
      .AddList({.json = "began"}, ChangeSchema(scene, "begin to meet"),
               [](const ClashFrame& f) { return std::span(f.changes.began); })
      .AddList({.json = "ended"}, ChangeSchema(scene, "no longer meet"),
               [](const ClashFrame& f) { return std::span(f.changes.ended); });
}

Schema<ClosestApproach> ClosestApproachSchema(const ClashInput& scene) {
  Schema<ClosestApproach> schema;
  return schema
      .Add({"frame"},
           [&scene](const ClosestApproach& c) {
             return scene.facts.frames[c.frame];
           })
      .Add({"a"}, [](const ClosestApproach& c) { return c.pair.a; })
      .Add({"b"}, [](const ClosestApproach& c) { return c.pair.b; })
      .Add({"distance"},
           [](const ClosestApproach& c) { return c.pair.distance(); })
      .AddText([&scene](const ClosestApproach& c) {
        return Say(scene.facts.frames.size() == 1
                       ? std::string("closest:\n  ")
                       : Cat("closest, in frame ", scene.facts.frames[c.frame],
                             ":\n  "),
                   ClashSentence(c.pair, scene), "\n", WhereOf(c.pair));
      });
}

}  // namespace orbox::cli
