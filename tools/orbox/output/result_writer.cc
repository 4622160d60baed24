// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/result_writer.h"

namespace orbox::cli {

void WriteRequest(JsonWriter& json, const Settings& settings) {
  json.Field("schema_version", 1);
  json.Key("command");
  json.String(settings.command);
  json.Key("version");
  json.String(ORBOX_VERSION);
  json.Key("inputs");
  json.BeginArray();
  for (const std::string& input : settings.inputs) json.String(input);
  json.EndArray();
  if (settings.style.unit.empty()) return;
  json.Key("unit");
  json.String(settings.style.unit);
}

ResultWriter::ResultWriter(const Settings& settings, std::string_view number,
                           std::string_view csv_header, Output& output,
                           const Pose* pose)
    : settings_(settings),
      is_list_(!number.empty()),
      output_(output),
      json_(output) {
  if (!settings_.reported) return;
  if (settings_.format == Format::kCsv) {
    output_.Write(Cat(number, is_list_ ? "," : "", csv_header, "\n"));
  }
  if (settings_.format != Format::kJson) return;
  json_.BeginObject();
  WriteRequest(json_, settings_);
  if (pose != nullptr) WritePose(*pose);
  if (is_list_) {
    json_.Key("results");
    json_.BeginArray();
  }
}

void ResultWriter::WritePose(const Pose& pose) {
  json_.Key("pose");
  json_.BeginArray();
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t k = 0; k < 3; ++k) json_.Value(pose.rows[axis][k]);
    json_.Value(pose.translation[axis]);
  }
  json_.EndArray();
}

template <typename Json, typename Table>
absl::Status ResultWriter::FinishWith(bool wanted, Json write_json,
                                      Table table) {
  if (!settings_.reported) return output_.Close();
  switch (settings_.format) {
    case Format::kJson:
      if (is_list_) json_.EndArray();
      if (wanted) {
        json_.Key("statistics");
        write_json();
      }
      json_.EndObject();
      output_.Write("\n");
      break;
    case Format::kCsv:
      if (wanted) WriteToStandardError(table());
      break;
    case Format::kText:
      if (wanted) output_.Write(table());
      break;
  }
  return output_.Close();
}

absl::Status ResultWriter::Finish(const TraversalStatistics& statistics) {
  return FinishWith(
      settings_.statistics,
      [&] { StatisticsSchema().WriteJson(json_, statistics); },
      [&] { return StatisticsTable(statistics); });
}

absl::Status ResultWriter::Finish(const Tree* tree) {
  return FinishWith(
      settings_.statistics && tree != nullptr,
      [&] { TreeStatisticsSchema().WriteJson(json_, *tree); },
      [&] { return TreeStatisticsTable(*tree); });
}

}  // namespace orbox::cli
