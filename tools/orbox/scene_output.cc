#include "tools/orbox/scene_output.h"

#include <algorithm>
#include <string>

#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kCsvHeader =
    "frame,a,b,intersects,distance,a_triangle,a_x,a_y,a_z,b_triangle,b_x,b_y,"
    "b_z\n";

void WriteWitness(JsonWriter& json, std::string_view name, uint32_t triangle,
                  const Vec3& point) {
  json.Key(name);
  json.BeginObject();
  json.Field("triangle", triangle);
  json.Field("point", point);
  json.EndObject();
}

void WriteJson(JsonWriter& json, const CloseBodies& pair) {
  json.BeginObject();
  json.Field("a", pair.a);
  json.Field("b", pair.b);
  json.Field("intersects", pair.meet());
  json.Field("distance", pair.nearest.distance);
  json.Key("witness");
  json.BeginObject();
  WriteWitness(json, "a", pair.nearest.triangles.a, pair.nearest.on_a);
  WriteWitness(json, "b", pair.nearest.triangles.b, pair.nearest.on_b);
  json.EndObject();
  json.EndObject();
}

void WriteJson(JsonWriter& json, std::string_view name,
               const std::vector<report::NumberedPair>& pairs) {
  json.Key(name);
  json.BeginArray();
  for (const report::NumberedPair& pair : pairs) {
    json.BeginArray();
    json.Value(pair.a);
    json.Value(pair.b);
    json.EndArray();
  }
  json.EndArray();
}

std::string CsvCells(uint32_t triangle, const Vec3& p) {
  return Cat(triangle, ",", p.x, ",", p.y, ",", p.z);
}

size_t CountMeeting(const FrameAnswer& answer) {
  return std::count_if(answer.pairs.begin(), answer.pairs.end(),
                       [](const CloseBodies& pair) { return pair.meet(); });
}

}  // namespace

SceneWriter::SceneWriter(const AskedScene& scene, const Settings& settings,
                         Output& output)
    : scene_(scene),
      settings_(settings),
      results_(settings, ResultWriter::Shape::kOne, kCsvHeader, output) {
  if (settings.format == Format::kText) {
    output.Write(Cat(scene.facts.title, ": ", scene.facts.Size(), "\n"));
  }
  if (settings.format != Format::kJson) return;
  JsonWriter& json = results_.json();
  json.Key("bodies");
  json.BeginArray();
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    json.BeginObject();
    json.Key("name");
    json.String(scene.bodies[i].name);
    json.Key("mesh");
    json.String(scene.bodies[i].mesh);
    json.Field("triangles", scene.trees[i].mesh().triangle_count());
    json.EndObject();
  }
  json.EndArray();
  json.Key("frames");
  json.BeginArray();
}

void SceneWriter::WriteFrame(uint64_t number, const FrameAnswer& answer,
                             const report::ContactChanges& changes) {
  switch (settings_.format) {
    case Format::kJson:
      WriteJsonFrame(number, answer, changes);
      break;
    case Format::kCsv:
      for (const CloseBodies& pair : answer.pairs) {
        const MeshDistanceResult& nearest = pair.nearest;
        results_.output().Write(
            Cat(number, ",", pair.a, ",", pair.b, ",",
                pair.meet() ? "true" : "false", ",", nearest.distance, ",",
                CsvCells(nearest.triangles.a, nearest.on_a), ",",
                CsvCells(nearest.triangles.b, nearest.on_b), "\n"));
      }
      break;
    case Format::kText:
      WriteTextFrame(number, answer, changes);
      break;
  }
}

void SceneWriter::WriteJsonFrame(uint64_t number, const FrameAnswer& answer,
                                 const report::ContactChanges& changes) {
  JsonWriter& json = results_.json();
  json.BeginObject();
  json.Field("frame", number);
  json.Key("pairs");
  json.BeginArray();
  for (const CloseBodies& pair : answer.pairs) WriteJson(json, pair);
  json.EndArray();
  WriteJson(json, "began", changes.began);
  WriteJson(json, "ended", changes.ended);
  json.EndObject();
}

void SceneWriter::WriteText(const CloseBodies& pair) {
  const MeshDistanceResult& nearest = pair.nearest;
  const std::string names = scene_.facts.NamesOf(pair.a, pair.b);
  if (pair.meet()) {
    results_.output().Write(Cat("  ", names, " meet\n    for example at ",
                                FormatPoint(nearest.on_a), ", in triangles ",
                                nearest.triangles.a, " and ",
                                nearest.triangles.b, "\n"));
    return;
  }
  results_.output().Write(Cat("  ", names, " are ", nearest.distance,
                              " apart\n    between ", FormatPoint(nearest.on_a),
                              ", in triangle ", nearest.triangles.a,
                              "\n    and     ", FormatPoint(nearest.on_b),
                              ", in triangle ", nearest.triangles.b, "\n"));
}

void SceneWriter::WriteEvents(std::string_view what,
                              const std::vector<report::NumberedPair>& pairs) {
  for (const report::NumberedPair& pair : pairs) {
    results_.output().Write(
        Cat("  ", scene_.facts.NamesOf(pair.a, pair.b), " ", what, "\n"));
  }
}

// A line; for several frames the changes, for a single one each pair.
void SceneWriter::WriteTextFrame(uint64_t number, const FrameAnswer& answer,
                                 const report::ContactChanges& changes) {
  const bool alone = scene_.frames->size() == 1;
  const size_t meeting = CountMeeting(answer);
  std::string line = alone ? "" : Cat("frame ", number, ": ");
  if (scene_.facts.within.has_value()) {
    line += Cat(Counted(answer.pairs.size(), "pair"), " of bodies within ",
                *scene_.facts.within);
    if (!answer.pairs.empty()) {
      line += Cat(", ", meeting == 0 ? "none" : Grouped(meeting), " of them ",
                  meeting > 1 ? "meet" : "meets");
    }
  } else {
    line += Cat(Counted(meeting, "pair"), " of bodies ",
                meeting == 1 ? "meets" : "meet");
  }
  if (!alone && meeting == 0 && answer.closest.has_value()) {
    line +=
        Cat("; ", scene_.facts.NamesOf(answer.closest->a, answer.closest->b),
            " are ", answer.closest->nearest.distance, " apart");
  }
  results_.output().Write(line + "\n");
  if (alone) {
    for (const CloseBodies& pair : answer.pairs) WriteText(pair);
    return;
  }
  WriteEvents("begin to meet", changes.began);
  WriteEvents("no longer meet", changes.ended);
}

absl::Status SceneWriter::Finish(const report::SceneSummary& summary,
                                 const TraversalStatistics& statistics) {
  const std::optional<report::ClosestApproach>& closest = summary.closest();
  if (settings_.format == Format::kJson) {
    JsonWriter& json = results_.json();
    json.EndArray();
    json.Key("closest");
    if (closest.has_value()) {
      json.BeginObject();
      json.Field("frame", scene_.facts.frames[closest->frame]);
      json.Field("a", closest->pair.a);
      json.Field("b", closest->pair.b);
      json.Field("distance", closest->pair.nearest.distance);
      json.EndObject();
    } else {
      json.Null();
    }
  }
  const bool alone = scene_.frames->size() == 1;
  // A single pair of a single frame is already written.
  const bool told = alone && summary.approaches().size() == 1;
  if (settings_.format == Format::kText && closest.has_value() && !told) {
    results_.output().Write(alone ? "closest:\n"
                                  : Cat("closest, in frame ",
                                        scene_.facts.frames[closest->frame],
                                        ":\n"));
    WriteText(closest->pair);
  }
  return results_.Finish(statistics);
}

}  // namespace orbox::cli
