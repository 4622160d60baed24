#include "tools/orbox/tree_facts.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "tools/orbox/output.h"
#include "tools/orbox/statistics_output.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

// Without the anchor, which users do not count as a node.
uint64_t NodesOf(const Tree& tree) { return tree.node_count() - 1; }

void WriteJson(const Tree& tree, uint64_t bytes, bool statistics,
               Output& output) {
  JsonWriter json(output);
  json.BeginObject();
  json.Field("schema_version", 1);
  json.Field("vertices", tree.mesh().vertex_count());
  json.Field("triangles", tree.mesh().triangle_count());
  WriteTreeFields(json, tree);
  json.Field("bytes", bytes);
  if (statistics) {
    json.Key("statistics");
    WriteTreeStatistics(json, tree);
  }
  json.EndObject();
  output.Write("\n");
}

std::string CsvOf(const Tree& tree, uint64_t bytes) {
  return Cat("vertices,triangles,volumes,nodes,leaves,depth,bytes,storage\n",
             tree.mesh().vertex_count(), ",", tree.mesh().triangle_count(), ",",
             NameOf(tree.volumes()), ",", NodesOf(tree), ",", tree.leaf_count(),
             ",", tree.depth(), ",", bytes, ",", NameOf(tree.storage()), "\n");
}

std::string TextOf(const Tree& tree, const std::string& path, uint64_t bytes) {
  return Cat(path, "\n  vertices   ", Grouped(tree.mesh().vertex_count()),
             "\n  triangles  ", Grouped(tree.mesh().triangle_count()),
             "\n  tree       ", TreeLine(tree), "\n  file       ",
             Grouped(bytes), " bytes\n");
}

}  // namespace

void WriteTreeFields(JsonWriter& json, const Tree& tree) {
  json.Key("volumes");
  json.String(NameOf(tree.volumes()));
  json.Key("storage");
  json.String(NameOf(tree.storage()));
  json.Field("nodes", NodesOf(tree));
  json.Field("leaves", tree.leaf_count());
  json.Field("depth", tree.depth());
}

std::string TreeLine(const Tree& tree) {
  return Cat(NameOf(tree.volumes()), " volumes, ", NameOf(tree.storage()), ", ",
             Grouped(NodesOf(tree)), " nodes, ", Grouped(tree.leaf_count()),
             " leaves, ", tree.depth(), " deep");
}

absl::Status WriteTreeFacts(const Tree& tree, const std::string& path,
                            const Settings& settings) {
  // A device has no size.
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const uint64_t bytes = error ? 0 : size;
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  switch (settings.format) {
    case Format::kJson:
      WriteJson(tree, bytes, settings.statistics, *output);
      break;
    case Format::kCsv:
      output->Write(CsvOf(tree, bytes));
      if (settings.statistics) WriteToStandardError(TreeStatisticsTable(tree));
      break;
    case Format::kText:
      output->Write(TextOf(tree, path, bytes));
      if (settings.statistics) output->Write(TreeStatisticsTable(tree));
      break;
  }
  return output->Close();
}

}  // namespace orbox::cli
