// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_output.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using report::ClashList;
using report::ClashState;

// Returns the number of pairs of each kind by their rules. The last element is
// that of pairs without a rule.
std::vector<report::KindCounts> CountsByRule(const ClashInput& scene,
                                             const ClashList& list) {
  std::vector<report::KindCounts> counts(scene.rules.size() + 1);
  for (const report::ListedClash& clash : list.clashes) {
    counts[scene.frames->RuleOf(clash.pair.a, clash.pair.b)
               .value_or(scene.rules.size())]
        .Add(clash.pair.clash.kind);
  }
  return counts;
}

std::string RulesText(const ClashInput& scene, const ClashList& list) {
  if (scene.rules.empty()) return "";
  const std::vector<report::KindCounts> counts = CountsByRule(scene, list);
  std::string text = "by rule:\n";
  for (size_t i = 0; i < scene.rules.size(); ++i) {
    const ClashRule& rule = scene.rules[i];
    text += Cat("  ", rule.name, ": ",
                rule.ignore ? "left out" : counts[i].Text(), "\n");
  }
  return Cat(text, "  no rule: ", counts.back().Text(), "\n");
}

void WriteKinds(const report::KindCounts& kinds, JsonWriter& json) {
  json.Key("kinds");
  json.BeginObject();
  for (const ClashKind kind : report::KindCounts::kKinds) {
    json.Field(report::KindNameOf(kind), kinds.Of(kind));
  }
  json.EndObject();
}

void WriteRules(const ClashInput& scene, const ClashList& list,
                JsonWriter& json) {
  if (scene.rules.empty()) return;
  const std::vector<report::KindCounts> counts = CountsByRule(scene, list);
  json.Key("rules");
  json.BeginArray();
  for (size_t i = 0; i < scene.rules.size(); ++i) {
    json.BeginObject();
    json.Key("name");
    json.String(scene.rules[i].name);
    json.Field("ignore", scene.rules[i].ignore);
    WriteKinds(counts[i], json);
    json.EndObject();
  }
  json.EndArray();
}

template <typename T>
void WriteArray(std::string_view name, const Schema<T>& schema,
                std::span<const T> items, JsonWriter& json) {
  json.Key(name);
  json.BeginArray();
  for (const T& item : items) schema.WriteJson(json, item);
  json.EndArray();
}

template <typename T>
void WriteLines(const Schema<T>& schema, std::span<const T> items,
                const TextStyle& style, Output& output) {
  for (const T& item : items.first(std::min(items.size(), kClashesShown))) {
    output.Write(schema.Text("", item, style));
  }
}

// Returns the first lines of the summary, which describe the input.
std::string SummaryText(const ClashInput& scene, const ClashList& list,
                        const TextStyle& style) {
  const size_t to_look_at = list.kinds.ToLookAt();
  std::string text =
      Cat("tolerance ", Styled(Length{scene.parameters.tolerance}, style),
          scene.parameters.exact ? ", exact" : "");
  if (scene.parameters.within.has_value()) {
    text +=
        Cat(", clearance ", Styled(Length{*scene.parameters.within}, style));
  }
  if (scene.parameters.inside == InsideRule::kParity)
    text += ", inside by parity";
  if (scene.accepted > 0) {
    text += Cat("; ", Counted(scene.accepted, "pair"), " accepted");
  }
  text += Cat("\n", Counted(to_look_at, "pair"), " to look at");
  if (to_look_at > 0) text += Cat(": ", list.kinds.TextToLookAt());
  const size_t touching = list.kinds.Of(ClashKind::kTouch);
  text += touching > 0 ? Cat("; ", Grouped(touching), " touch\n") : "\n";
  text += RulesText(scene, list);
  if (scene.moves) {
    text += "only the frames are judged, not the motion between them\n";
  }
  if (scene.below > 0) {
    text += Cat("left out: ", Counted(scene.below, "pair"),
                scene.below == 1 ? " that shares" : " that share",
                " less than --min-thickness or --min-volume\n");
  }
  const std::string not_judged = scene.facts.NotJudged();
  if (!not_judged.empty()) text += Cat("not judged: ", not_judged, "\n");
  const std::string closed = scene.facts.HolesClosed();
  if (!closed.empty()) text += Cat("closed: ", closed, "\n");
  const size_t undecided = list.Undecided();
  if (undecided > 0) {
    text += Cat("undecided: ", Counted(undecided, "pair"),
                undecided == 1 ? ", listed at its worst: its search gave up\n"
                               : ", listed at their worst: their searches gave "
                                 "up\n");
  }
  if (list.thicknesses.has_value() &&
      list.thicknesses->measured < list.thicknesses->of) {
    const ClashList::Measured& known = *list.thicknesses;
    text += Cat("thickness to 1 % of ", Grouped(known.measured), " of ",
                Counted(known.of, "pair"), ", the worst, and to 5 % of the ",
                "others, within a budget of ",
                Counted(known.budget, "triangle"), "\n");
  }
  if (list.depths.has_value()) {
    const ClashList::Measured& depths = *list.depths;
    const std::string measured =
        depths.of == 0
            ? "depth of nothing: no pair clashes or crosses"
            : Cat("depth of ",
                  depths.measured == depths.of
                      ? "all "
                      : Cat("the worst ", Grouped(depths.measured), " of "),
                  Counted(depths.of, "pair"),
                  depths.of == 1 ? " that clashes or crosses"
                                 : " that clash or cross");
    text += Cat(measured, ", within a budget of ",
                Counted(depths.budget, "triangle"), "\n");
  }
  if (list.resolved.has_value()) {
    text += Cat("since the last run: ", Grouped(list.CountOf(ClashState::kNew)),
                " new, ", Grouped(list.CountOf(ClashState::kActive)),
                " active, ", Grouped(list.resolved->size()), " resolved\n");
  }
  return text;
}

// Returns a title such as "groups by file, type:" or "the worst 20 of 146, the
// worst first:".
std::string GroupsTitle(const ClashList& list) {
  std::string keys;
  for (const std::string& key : list.grouped_by) {
    keys += Cat(keys.empty() ? "" : ", ", key);
  }
  const size_t reported = std::min(kClashesShown, list.groups.size());
  return Cat(reported < list.groups.size()
                 ? Cat("the worst ", reported, " of ",
                       Grouped(list.groups.size()), " groups")
                 : "groups",
             " by ", keys, ":\n");
}

}  // namespace

ClashWriter::ClashWriter(const ClashInput& scene, const Settings& settings,
                         Output& output)
    : scene_(scene),
      settings_(settings),
      frame_(ClashFrameSchema(scene)),
      results_(settings, "",
               Cat(scene.for_excel ? kByteOrderMark : "",
                   ListedClashSchema(scene, {}).Header()),
               output) {
  if (settings.format == Format::kText) {
    output.Write(Cat(scene.facts.title, ": ", scene.facts.Size(), "\n"));
  }
  if (settings.format != Format::kJson) return;
  JsonWriter& json = results_.json();
  json.Field("tolerance", scene.parameters.tolerance);
  json.Field("exact", scene.parameters.exact);
  if (scene.parameters.inside == InsideRule::kParity) {
    json.Key("inside");
    json.String("parity");
  }
  if (scene.parameters.close_holes > 0) {
    json.Field("close_holes", scene.parameters.close_holes);
  }
  json.Key("within");
  scene.parameters.within ? json.Value(*scene.parameters.within) : json.Null();
  const Schema<size_t> body = SceneBodySchema(scene);
  json.Key("bodies");
  json.BeginArray();
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    json.BeginObject();
    body.WriteFields(json, i);
    json.Key("properties");
    json.BeginObject();
    for (const auto& [key, value] : scene.bodies[i].properties) {
      json.Key(key);
      json.String(value);
    }
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
  if (!scene.moves) return;
  json.Key("frames");
  json.BeginArray();
}

void ClashWriter::Write(const ClashFrame& frame) {
  if (!scene_.moves || settings_.format == Format::kCsv) return;
  results_.WriteElement(frame_, frame);
}

void ClashWriter::WriteJson(const report::SceneSummary& summary,
                            const ClashList& list) {
  JsonWriter& json = results_.json();
  if (scene_.moves) json.EndArray();
  json.Key("summary");
  json.BeginObject();
  json.Field("to_look_at", list.kinds.ToLookAt());
  WriteKinds(list.kinds, json);
  json.Field("accepted", scene_.accepted);
  json.Field("below_thresholds", scene_.below);
  WriteRules(scene_, list, json);
  json.Key("not_judged");
  json.BeginObject();
  json.Field("open", scene_.facts.CountOf(report::Classification::kOpen));
  json.Field("faces_disagree",
             scene_.facts.CountOf(report::Classification::kParity));
  json.Key("left_out");
  json.BeginArray();
  for (const std::string& name : scene_.left_out) json.String(name);
  json.EndArray();
  json.EndObject();
  if (scene_.parameters.close_holes > 0) {
    json.Key("closed_holes");
    json.BeginObject();
    json.Field("bodies", scene_.facts.ClosedBodies());
    json.Field("holes", scene_.facts.ClosedHoles());
    json.EndObject();
  }
  json.Field("undecided", list.Undecided());
  const auto write_measured =
      [&json](std::string_view name,
              const std::optional<ClashList::Measured>& known) {
        if (!known.has_value()) return;
        json.Key(name);
        json.BeginObject();
        json.Field("measured", known->measured);
        json.Field("of", known->of);
        json.Field("budget", known->budget);
        json.EndObject();
      };
  write_measured("thicknesses", list.thicknesses);
  write_measured("depths", list.depths);
  if (list.resolved.has_value()) {
    json.Field("new", list.CountOf(ClashState::kNew));
    json.Field("active", list.CountOf(ClashState::kActive));
    json.Field("resolved", list.resolved->size());
  }
  json.EndObject();
  WriteArray("clashes", ListedClashSchema(scene_, list),
             std::span(list.clashes), json);
  if (!list.grouped_by.empty()) {
    json.Key("grouped_by");
    json.BeginArray();
    for (const std::string& key : list.grouped_by) json.String(key);
    json.EndArray();
    WriteArray("groups", ClashGroupSchema(scene_, list), std::span(list.groups),
               json);
  }
  if (list.resolved.has_value()) {
    WriteArray("resolved", ResolvedClashSchema(), std::span(*list.resolved),
               json);
  }
  json.Key("closest");
  const Schema<report::ClosestApproach> closest = ClosestApproachSchema(scene_);
  summary.closest().has_value() ? closest.WriteJson(json, *summary.closest())
                                : json.Null();
}

void ClashWriter::WriteText(const report::SceneSummary& summary,
                            const ClashList& list) {
  const TextStyle& style = settings_.style;
  Output& output = results_.output();
  output.Write(SummaryText(scene_, list, style));
  if (!list.groups.empty()) {
    output.Write(GroupsTitle(list));
    WriteLines(ClashGroupSchema(scene_, list), std::span(list.groups), style,
               output);
  }
  if (!list.clashes.empty()) {
    const size_t all = list.clashes.size();
    output.Write(all > kClashesShown
                     ? Cat("the worst ", kClashesShown, " of ", Grouped(all),
                           " pairs; json and csv list all:\n")
                     : "the pairs, the worst first:\n");
    WriteLines(ListedClashSchema(scene_, list), std::span(list.clashes), style,
               output);
  }
  if (list.resolved.has_value() && !list.resolved->empty()) {
    output.Write("resolved:\n");
    WriteLines(ResolvedClashSchema(), std::span(*list.resolved), style, output);
  }
  // The list contains the closest pair already, unless no pair is near.
  const std::optional<report::ClosestApproach>& closest = summary.closest();
  if (closest.has_value() && list.clashes.empty()) {
    output.Write(ClosestApproachSchema(scene_).Text("", *closest, style));
  }
}

absl::Status ClashWriter::Finish(const report::SceneSummary& summary,
                                 const ClashList& list,
                                 const TraversalStatistics& statistics) {
  switch (settings_.format) {
    case Format::kJson:
      WriteJson(summary, list);
      break;
    case Format::kText:
      WriteText(summary, list);
      break;
    case Format::kCsv: {
      const auto schema = ListedClashSchema(scene_, list);
      for (const report::ListedClash& clash : list.clashes) {
        for (const report::ListedClash& row : RowsOf(clash)) {
          results_.WriteElement(schema, row);
        }
      }
      break;
    }
  }
  return results_.Finish(statistics);
}

}  // namespace orbox::cli
