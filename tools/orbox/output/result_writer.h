// SPDX-License-Identifier: Apache-2.0

// Writes the results of a command in the format of its settings: the JSON
// object, which begins with the arguments, the CSV header, rows and lines, and
// the statistics at the end.
//
//   ResultWriter results(settings, "query", schema.Header(), output);
//   results.Write(schema, hits, i, Cat("query ", i, ": "));   // in order
//   absl::Status status = results.Finish(loop.statistics());
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_RESULT_WRITER_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_RESULT_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/output/json_writer.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/statistics_output.h"

namespace orbox::cli {

// Writes the beginning of all results: "schema_version":1,"command":...
void WriteRequest(JsonWriter& json, const Settings& settings);

// Optional additions to a result, null if absent: the pose before its fields,
// its own statistics after them.
struct Beside {
  const Pose* pose = nullptr;
  const TraversalStatistics* statistics = nullptr;
};

class ResultWriter {
 public:
  // If the numbers of results have a name, results are elements of a list:
  // {"schema_version":1,...,"results":[...]}, with a first column for the
  // number. Without a name, the fields of the result are those of the object.
  // A pose of all results, which may be null, precedes them in JSON. Settings
  // and output must outlive the writer.
  ResultWriter(const Settings& settings, std::string_view number,
               std::string_view csv_header, Output& output,
               const Pose* pose = nullptr);

  // Writes a result, in text after `prefix`. Only elements of the list have
  // statistics of their own.
  template <typename T>
  void Write(const Schema<T>& schema, const T& answer, uint64_t number,
             std::string_view prefix, const Beside& beside = {});

  // Writes an element, without a number, of a list that the caller defines.
  template <typename T>
  void WriteElement(const Schema<T>& schema, const T& element);

  // json() is for Format::kJson, output() for the other two formats.
  JsonWriter& json() { return json_; }
  Output& output() { return output_; }

  // Adds the statistics if the settings request them (as a table in text, on
  // standard error with CSV), and closes the output. A tree, which may be null,
  // has its shape as its statistics.
  absl::Status Finish(const TraversalStatistics& statistics);
  absl::Status Finish(const Tree* tree);

 private:
  void WritePose(const Pose& pose);
  template <typename Json, typename Table>
  absl::Status FinishWith(bool wanted, Json write_json, Table table);

  const Settings& settings_;
  const bool is_list_;
  Output& output_;
  JsonWriter json_;
};

// Implementation.

template <typename T>
void ResultWriter::Write(const Schema<T>& schema, const T& answer,
                         uint64_t number, std::string_view prefix,
                         const Beside& beside) {
  switch (settings_.format) {
    case Format::kJson:
      if (is_list_ && beside.pose == nullptr && beside.statistics == nullptr) {
        schema.WriteJson(json_, answer);
        break;
      }
      if (is_list_) json_.BeginObject();
      if (beside.pose != nullptr) WritePose(*beside.pose);
      schema.WriteFields(json_, answer);
      if (is_list_ && beside.statistics != nullptr) {
        json_.Key("statistics");
        StatisticsSchema().WriteJson(json_, *beside.statistics);
      }
      if (is_list_) json_.EndObject();
      break;
    case Format::kCsv: {
      std::string cells = is_list_ ? Cat(number, ",") : "";
      schema.WriteRows(cells, answer, output_);
      break;
    }
    case Format::kText:
      output_.Write(schema.Text(prefix, answer, settings_.style));
      break;
  }
}

template <typename T>
void ResultWriter::WriteElement(const Schema<T>& schema, const T& element) {
  if (settings_.format == Format::kJson) {
    schema.WriteJson(json_, element);
  } else {
    Write(schema, element, 0, "");
  }
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_RESULT_WRITER_H_
