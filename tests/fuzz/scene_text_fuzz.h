// SPDX-License-Identifier: Apache-2.0

// Laws of scenes and their motions, for any contents of the files. A violation
// aborts.
#ifndef ORBOX_TESTS_FUZZ_SCENE_TEXT_FUZZ_H_
#define ORBOX_TESTS_FUZZ_SCENE_TEXT_FUZZ_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/command_text_fuzz.h"
#include "tests/fuzz/require.h"
#include "tests/support/json.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/clash/scene_motion.h"
#include "tools/orbox/output/json_writer.h"
#include "tools/orbox/output/output.h"

namespace orbox {

// The bytes of a scene.
void FuzzSceneFile(std::string_view bytes, CostPerByte* costs = nullptr);

// The bytes of a motion, of four bodies.
void FuzzSceneMotion(std::string_view bytes, CostPerByte* costs = nullptr);

// Implementation.

inline void RequireSamePose(const Pose& pose, const Pose& other) {
  for (size_t i = 0; i < 3; ++i) {
    Require(pose.rows[i] == other.rows[i] &&
                pose.translation[i] == other.translation[i],
            "a pose is as it stands in the file");
  }
  Require(pose.IsFinite(), "poses are finite");
}

inline void WriteSceneBody(cli::JsonWriter& json, const cli::SceneBody& body) {
  json.BeginObject();
  json.Key("name");
  json.String(body.name);
  json.Key("mesh");
  json.String(body.mesh);
  json.Key("pose");
  json.BeginArray();
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) json.Value(body.pose.rows[i][k]);
    json.Value(body.pose.translation[i]);
  }
  json.EndArray();
  json.Key("properties");
  json.BeginObject();
  for (const auto& [key, text] : body.properties) {
    json.Key(key);
    json.String(text);
  }
  json.EndObject();
  json.EndObject();
}

// Whole numbers may lose a sign: -0 is 0.
inline void RequireSameProperties(const cli::SceneBody& body,
                                  const Json& json) {
  const size_t count =
      json.Has("properties") ? json["properties"].fields.size() : 0;
  Require(body.properties.size() == count, "all its properties");
  for (size_t i = 0; i < count; ++i) {
    const auto& [key, value] = json["properties"].fields[i];
    Require(body.properties.count(key) == 1, "each by its key");
    if (value.is_number()) {
      Require(ParseJson(body.properties.at(key)).has_value(), "a number");
    } else {
      Require(body.properties.at(key) == value.text, "and as it is written");
    }
  }
}

inline void RequireAsInJson(const cli::SceneBody& body, size_t number,
                            const Json& json) {
  Require(body.mesh == json["mesh"].text && !body.mesh.empty(), "its mesh");
  Require(body.name ==
              (json.Has("name") ? json["name"].text : std::to_string(number)),
          "its name");
  RequireSameProperties(body, json);
  if (!json.Has("pose")) {
    Require(body.pose.IsIdentity(), "it stands still");
    return;
  }
  // Numbers, or rows of four; the last row is that of every matrix.
  std::vector<double> numbers;
  for (const Json& item : json["pose"].items) {
    if (item.is_number()) numbers.push_back(item.number());
    for (const Json& cell : item.items) numbers.push_back(cell.number());
  }
  Require(numbers.size() == 12 || numbers.size() == 16, "a pose is a matrix");
  Pose pose;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      pose.rows[i][k] = numbers[4 * i + k];
    }
    pose.translation[i] = numbers[4 * i + 3];
  }
  RequireSamePose(body.pose, pose);
}

inline void FuzzSceneFile(std::string_view bytes, CostPerByte* costs) {
  const auto read = [](std::string_view text) {
    return cli::ParseScene(text, "s.json", "");
  };
  const auto bodies =
      CostPerByte::With(costs, bytes, [&] { return read(bytes); });
  if (costs != nullptr) {
    costs->OfSomeLonger(
        bytes, [&](std::string_view longer) { return read(longer).status(); });
  }
  if (!bodies.ok()) {
    const std::string message(bodies.status().message());
    Require(bodies.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    Require(message.starts_with("s.json:"), "errors begin with the place");
    Require(message.size() < 1000, "errors are short");
    return;
  }
  // Read by somebody else, who knows escapes of ASCII alone.
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  if (bytes.find("\\u") == std::string_view::npos) {
    const std::optional<Json> json = ParseJson(bytes);
    Require(json.has_value() && json->Keys().size() == 1, "a scene is JSON");
    const Json& list = (*json)["bodies"];
    Require(bodies->size() == list.size(), "of all bodies");
    for (size_t i = 0; i < list.size(); ++i) {
      RequireAsInJson((*bodies)[i], i, list[i]);
    }
  }
  Require(!bodies->empty(), "there are bodies");
  std::set<std::string> names;
  std::string written = "{\"bodies\":";
  {
    cli::Output output = cli::Output::ToSink(
        [&written](std::string_view text) { written += text; });
    cli::JsonWriter writer(output);
    writer.BeginArray();
    for (size_t i = 0; i < bodies->size(); ++i) {
      Require(names.insert((*bodies)[i].name).second, "names differ");
      WriteSceneBody(writer, (*bodies)[i]);
    }
    writer.EndArray();
    RequireOk(output.Close(), "it is written");
  }
  const auto again = cli::ParseScene(written + "}", "s.json", "");
  RequireOk(again.status(), "what is written is read");
  Require(again->size() == bodies->size(), "as the same bodies");
  for (size_t i = 0; i < bodies->size(); ++i) {
    Require((*again)[i].name == (*bodies)[i].name &&
                (*again)[i].mesh == (*bodies)[i].mesh &&
                (*again)[i].properties == (*bodies)[i].properties,
            "of the same names and properties");
    RequireSamePose((*again)[i].pose, (*bodies)[i].pose);
  }
}

// Number of lines that are rows.
inline size_t CountRows(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  size_t rows = 0;
  bool may_be_header = true;
  for (const std::string& whole : PlainRows::Split(text, '\n')) {
    const std::string line =
        PlainRows::Trimmed(whole.substr(0, whole.find('#')));
    if (line.empty()) continue;
    bool any_number = false;
    for (const std::string& part : PlainRows::Split(line, ',')) {
      double value = 0;
      any_number =
          any_number || PlainRows::Read(PlainRows::Trimmed(part), &value) !=
                            PlainRows::Reading::kNoNumber;
    }
    if (any_number || !may_be_header) ++rows;
    may_be_header = false;
  }
  return rows;
}

inline void FuzzSceneMotion(std::string_view bytes, CostPerByte* costs) {
  // Longer lines are refused as such.
  if (bytes.size() > 60000) return;
  std::vector<cli::SceneBody> bodies(4);
  const char* const names[] = {"wheel", "left, upper", "0", "3"};
  for (size_t i = 0; i < bodies.size(); ++i) bodies[i].name = names[i];

  const UnnamedFile file(bytes);
  const auto motion = CostPerByte::With(
      costs, bytes, [&] { return cli::ReadMotion(file.path(), bodies); });
  if (costs != nullptr) {
    costs->OfSomeLonger(bytes, [&](std::string_view longer) {
      const UnnamedFile long_file(longer);
      return cli::ReadMotion(long_file.path(), bodies).status();
    });
  }
  if (!motion.ok()) {
    Require(motion.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    Require(
        std::string(motion.status().message()).starts_with(file.path() + ":"),
        "errors begin with the place");
    return;
  }
  size_t steps = 0;
  std::string written;
  for (size_t i = 0; i < motion->frames.size(); ++i) {
    const cli::MotionFrame& frame = motion->frames[i];
    Require(i == 0 || frame.number > motion->frames[i - 1].number,
            "frames ascend");
    std::set<size_t> moved;
    for (const cli::MotionStep& step : frame.steps) {
      Require(moved.insert(step.body).second && step.body < bodies.size(),
              "a body moves once");
      ++steps;
      written += std::to_string(frame.number) + "," + names[step.body];
      for (size_t k = 0; k < 3; ++k) {
        const Vec3& r = step.pose.rows[k];
        written += cli::Cat(",", r.x, ",", r.y, ",", r.z, ",",
                            step.pose.translation[k]);
      }
      written += "\n";
    }
    Require(!moved.empty(), "in each frame something moves");
  }
  if (HasOneSeparator(bytes)) {
    Require(steps == CountRows(bytes), "all rows are read");
  }
  const UnnamedFile copy(written);
  const auto again = cli::ReadMotion(copy.path(), bodies);
  RequireOk(again.status(), "what is written is read");
  Require(again->frames.size() == motion->frames.size(), "as so many frames");
  for (size_t i = 0; i < motion->frames.size(); ++i) {
    const cli::MotionFrame& frame = motion->frames[i];
    const cli::MotionFrame& other = again->frames[i];
    Require(frame.number == other.number &&
                frame.steps.size() == other.steps.size(),
            "of the same numbers");
    for (size_t k = 0; k < frame.steps.size(); ++k) {
      Require(frame.steps[k].body == other.steps[k].body, "of the same bodies");
      RequireSamePose(frame.steps[k].pose, other.steps[k].pose);
    }
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_SCENE_TEXT_FUZZ_H_
