// SPDX-License-Identifier: Apache-2.0

// Writes the results of a command in the format of its settings. Writes the
// JSON object, which begins with the arguments, or the CSV header and rows, or
// lines of text. Writes the statistics at the end.
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

// Optional additions to a result, null if absent: a pose before its fields, and
// statistics after them.
struct Beside {
  const Pose* pose = nullptr;
  const TraversalStatistics* statistics = nullptr;
};

class ResultWriter {
 public:
  // If `number` is not empty, results are elements of a list:
  // {"schema_version":1,...,"results":[...]}. `number` is the name of their
  // index, which is also the first CSV column. If `number` is empty, the fields
  // of the single result are in the outer object. Settings and output must
  // outlive the writer.
  ResultWriter(const Settings& settings, std::string_view number,
               std::string_view csv_header, Output& output,
               const Pose* pose = nullptr);

  // Writes a result. In text, `prefix` comes first. Only elements of a list
  // have individual statistics.
  template <typename T>
  void Write(const Schema<T>& schema, const T& answer, uint64_t number,
             std::string_view prefix, const Beside& beside = {});

  // Writes an element of a list that the caller defines, without a number.
  template <typename T>
  void WriteElement(const Schema<T>& schema, const T& element);

  // Use json() for Format::kJson and output() for the other formats.
  JsonWriter& json() { return json_; }
  Output& output() { return output_; }

  // Adds the statistics if the settings request them, and closes the output. In
  // text, statistics are a table. With CSV, they are written to standard error.
  // For a tree, which may be null, the statistics are its shape.
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
