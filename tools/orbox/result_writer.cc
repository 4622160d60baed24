#include "tools/orbox/result_writer.h"

#include "tools/orbox/statistics_output.h"

namespace orbox::cli {

ResultWriter::ResultWriter(const Settings& settings, Shape shape,
                           std::string_view csv_header, Output& output)
    : settings_(settings), shape_(shape), output_(output), json_(output) {
  if (!settings_.told) return;
  if (settings_.format == Format::kCsv) output_.Write(csv_header);
  if (settings_.format != Format::kJson) return;
  json_.BeginObject();
  json_.Field("schema_version", 1);
  if (shape_ == Shape::kList) {
    json_.Key("results");
    json_.BeginArray();
  }
}

absl::Status ResultWriter::Finish(const TraversalStatistics& statistics) {
  if (!settings_.told) return output_.Close();
  switch (settings_.format) {
    case Format::kJson:
      if (shape_ == Shape::kList) json_.EndArray();
      if (settings_.statistics) {
        json_.Key("statistics");
        WriteStatistics(json_, statistics);
      }
      json_.EndObject();
      output_.Write("\n");
      break;
    case Format::kCsv:
      if (settings_.statistics) {
        WriteToStandardError(StatisticsTable(statistics));
      }
      break;
    case Format::kText:
      if (settings_.statistics) output_.Write(StatisticsTable(statistics));
      break;
  }
  return output_.Close();
}

}  // namespace orbox::cli
