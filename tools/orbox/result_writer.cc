#include "tools/orbox/result_writer.h"

namespace orbox::cli {

ResultWriter::ResultWriter(const Settings& settings, std::string_view number,
                           std::string_view csv_header, Output& output)
    : settings_(settings),
      is_list_(!number.empty()),
      output_(output),
      json_(output) {
  if (!settings_.told) return;
  if (settings_.format == Format::kCsv) {
    output_.Write(Cat(number, is_list_ ? "," : "", csv_header, "\n"));
  }
  if (settings_.format != Format::kJson) return;
  json_.BeginObject();
  json_.Field("schema_version", 1);
  if (is_list_) {
    json_.Key("results");
    json_.BeginArray();
  }
}

template <typename Json, typename Table>
absl::Status ResultWriter::FinishWith(bool wanted, Json write_json,
                                      Table table) {
  if (!settings_.told) return output_.Close();
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
      settings_.statistics, [&] { WriteStatistics(json_, statistics); },
      [&] { return StatisticsTable(statistics); });
}

absl::Status ResultWriter::Finish(const Tree* tree) {
  return FinishWith(
      settings_.statistics && tree != nullptr,
      [&] { WriteTreeStatistics(json_, *tree); },
      [&] { return TreeStatisticsTable(*tree); });
}

}  // namespace orbox::cli
