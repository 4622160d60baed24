// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/scene_output.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tools/orbox/pair_schema.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

Schema<size_t> BodySchema(const AskedScene& scene) {
  Schema<size_t> schema;
  schema
      .Add({"name"}, [&scene](size_t body) { return scene.bodies[body].name; })
      .Add({"mesh"}, [&scene](size_t body) { return scene.bodies[body].mesh; })
      .Add({"triangles"}, [&scene](size_t body) {
        return scene.trees[body].mesh().triangle_count();
      });
  return schema;
}

Phrase TextOf(const CloseBodies& pair, const std::string& names) {
  const Witness& nearest = pair.nearest;
  if (pair.meet()) {
    return Say("  ", names, " meet\n    for example at ", nearest.on_a,
               ", in triangles ", nearest.triangles.a, " and ",
               nearest.triangles.b, "\n");
  }
  return Say("  ", names, " are ", Length{nearest.distance},
             " apart\n    between ", nearest.on_a, ", in triangle ",
             nearest.triangles.a, "\n    and     ", nearest.on_b,
             ", in triangle ", nearest.triangles.b, "\n");
}

Schema<CloseBodies> CloseBodiesSchema(const AskedScene& scene) {
  Schema<CloseBodies> schema;
  schema.Add({"a", "a"}, [](const CloseBodies& p) { return p.a; })
      .Add({"b", "b"}, [](const CloseBodies& p) { return p.b; })
      .Add({"intersects", "intersects"},
           [](const CloseBodies& p) { return p.meet(); })
      .Add({"distance", "distance"},
           [](const CloseBodies& p) { return p.nearest.distance; });
  AddWitness(
      "witness.a", {"a_triangle", "a_x,a_y,a_z"},
      [](const CloseBodies& p) { return p.nearest.triangles.a; },
      [](const CloseBodies& p) { return p.nearest.on_a; }, schema);
  AddWitness(
      "witness.b", {"b_triangle", "b_x,b_y,b_z"},
      [](const CloseBodies& p) { return p.nearest.triangles.b; },
      [](const CloseBodies& p) { return p.nearest.on_b; }, schema);
  const auto name = [&scene](size_t body) { return scene.bodies[body].name; };
  schema
      .Add({"a_name", "a_name"},
           [name](const CloseBodies& p) { return name(p.a); })
      .Add({"b_name", "b_name"},
           [name](const CloseBodies& p) { return name(p.b); });
  return schema.AddText([&scene](const CloseBodies& p) {
    return TextOf(p, scene.facts.NamesOf(p.a, p.b));
  });
}

// A contact that begins or ends.
Schema<report::NumberedPair> ChangeSchema(const AskedScene& scene,
                                          std::string_view what) {
  Schema<report::NumberedPair> schema;
  return schema
      .Add({""},
           [](const report::NumberedPair& p) {
             return std::array<uint64_t, 2>{p.a, p.b};
           })
      .AddText([&scene, what](const report::NumberedPair& p) {
        return Cat("  ", scene.facts.NamesOf(p.a, p.b), " ", what, "\n");
      });
}

size_t CountMeeting(const FrameAnswer& answer) {
  return std::count_if(answer.pairs.begin(), answer.pairs.end(),
                       [](const CloseBodies& pair) { return pair.meet(); });
}

// A line about all pairs of the frame.
Phrase SentenceOf(const SceneWriter::Frame& told, const AskedScene& scene) {
  const bool alone = scene.frames->size() == 1;
  const size_t meeting = CountMeeting(told.answer);
  Phrase line = alone ? "" : Cat("frame ", told.number, ": ");
  if (scene.facts.within.has_value()) {
    line = Say(line, Counted(told.answer.pairs.size(), "pair"),
               " of bodies within ", Length{*scene.facts.within});
    if (!told.answer.pairs.empty()) {
      line = Say(line, ", ", meeting == 0 ? "none" : Grouped(meeting),
                 " of them ", meeting > 1 ? "meet" : "meets");
    }
  } else {
    line = Say(line, Counted(meeting, "pair"), " of bodies ",
               meeting == 1 ? "meets" : "meet");
  }
  if (!alone && meeting == 0 && told.answer.closest.has_value()) {
    const CloseBodies& closest = *told.answer.closest;
    line = Say(line, "; ", scene.facts.NamesOf(closest.a, closest.b), " are ",
               Length{closest.nearest.distance}, " apart");
  }
  return Say(line, "\n");
}

// The text tells the pairs of a single frame, and what changes in one of many.
Schema<SceneWriter::Frame> FrameSchema(const AskedScene& scene) {
  using Frame = SceneWriter::Frame;
  const bool alone = scene.frames->size() == 1;
  const size_t pairs_told = alone ? SIZE_MAX : 0;
  const size_t changes_told = alone ? 0 : SIZE_MAX;
  Schema<Frame> schema;
  return schema.Add({"frame", "frame"}, [](const Frame& f) { return f.number; })
      .AddText([&scene](const Frame& f) { return SentenceOf(f, scene); })
      .AddList({.json = "pairs", .rows = true, .text_limit = pairs_told},
               CloseBodiesSchema(scene),
               [](const Frame& f) { return std::span(f.answer.pairs); })
      .AddList({.json = "began", .text_limit = changes_told},
               ChangeSchema(scene, "begin to meet"),
               [](const Frame& f) { return std::span(f.changes.began); })
      .AddList({.json = "ended", .text_limit = changes_told},
               ChangeSchema(scene, "no longer meet"),
               [](const Frame& f) { return std::span(f.changes.ended); });
}

Schema<report::ClosestApproach> ClosestSchema(const AskedScene& scene) {
  using report::ClosestApproach;
  Schema<ClosestApproach> schema;
  return schema
      .Add({"frame"},
           [&scene](const ClosestApproach& c) {
             return scene.facts.frames[c.frame];
           })
      .Add({"a"}, [](const ClosestApproach& c) { return c.pair.a; })
      .Add({"b"}, [](const ClosestApproach& c) { return c.pair.b; })
      .Add({"distance"},
           [](const ClosestApproach& c) { return c.pair.nearest.distance; })
      .AddText([&scene](const ClosestApproach& c) {
        return Say(
            scene.frames->size() == 1
                ? std::string("closest:\n")
                : Cat("closest, in frame ", scene.facts.frames[c.frame], ":\n"),
            TextOf(c.pair, scene.facts.NamesOf(c.pair.a, c.pair.b)));
      });
}

}  // namespace

SceneWriter::SceneWriter(const AskedScene& scene, const Settings& settings,
                         Output& output)
    : scene_(scene),
      settings_(settings),
      frame_(FrameSchema(scene)),
      results_(settings, "", frame_.Header(), output) {
  if (settings.format == Format::kText) {
    output.Write(Cat(scene.facts.title, ": ", scene.facts.Size(), "\n"));
  }
  if (settings.format != Format::kJson) return;
  const Schema<size_t> body = BodySchema(scene);
  JsonWriter& json = results_.json();
  json.Key("bodies");
  json.BeginArray();
  for (size_t i = 0; i < scene.bodies.size(); ++i) body.WriteJson(json, i);
  json.EndArray();
  json.Key("frames");
  json.BeginArray();
}

void SceneWriter::Write(const Frame& frame) {
  results_.WriteElement(frame_, frame);
}

absl::Status SceneWriter::Finish(const report::SceneSummary& summary,
                                 const TraversalStatistics& statistics) {
  const std::optional<report::ClosestApproach>& closest = summary.closest();
  const Schema<report::ClosestApproach> schema = ClosestSchema(scene_);
  if (settings_.format == Format::kJson) {
    JsonWriter& json = results_.json();
    json.EndArray();
    json.Key("closest");
    closest.has_value() ? schema.WriteJson(json, *closest) : json.Null();
  }
  // The text has told a single pair of a single frame.
  const bool told =
      scene_.frames->size() == 1 && summary.approaches().size() == 1;
  if (settings_.format == Format::kText && closest.has_value() && !told) {
    results_.output().Write(schema.Text("", *closest, settings_.style));
  }
  return results_.Finish(statistics);
}

}  // namespace orbox::cli
