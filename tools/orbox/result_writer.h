// The frame around results, the same for all commands: the JSON object with its
// schema version, the CSV header, the statistics at the end.
//
//   ResultWriter results(settings, ResultWriter::Shape::kList, "query,id\n",
//                        output);
//   results.json().Value(...);          // in JSON: the elements of "results"
//   absl::Status status = results.Finish(loop.statistics());
#ifndef ORBOX_TOOLS_ORBOX_RESULT_WRITER_H_
#define ORBOX_TOOLS_ORBOX_RESULT_WRITER_H_

#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/json_writer.h"
#include "tools/orbox/output.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

class ResultWriter {
 public:
  enum class Shape {
    kList,  // {"schema_version":1,"results":[...]}
    kOne,   // {"schema_version":1,...}: the caller writes the fields
  };

  // Refers to the settings and the output.
  ResultWriter(const Settings& settings, Shape shape,
               std::string_view csv_header, Output& output);

  // For Format::kJson, and for the other two.
  JsonWriter& json() { return json_; }
  Output& output() { return output_; }

  // Adds the statistics if the settings ask for them (a table for text, on
  // standard error for CSV), and closes the output.
  absl::Status Finish(const TraversalStatistics& statistics);

 private:
  const Settings& settings_;
  const Shape shape_;
  Output& output_;
  JsonWriter json_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_RESULT_WRITER_H_
