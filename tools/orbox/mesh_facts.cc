#include "tools/orbox/mesh_facts.h"

#include <optional>
#include <string>

#include "tools/orbox/json_writer.h"
#include "tools/orbox/load.h"
#include "tools/orbox/output.h"
#include "tools/orbox/statistics_output.h"
#include "tools/orbox/text.h"
#include "tools/orbox/tree_facts.h"

namespace orbox::cli {
namespace {

void WriteJson(const Mesh& mesh, bool closed, const std::optional<Tree>& given,
               const std::optional<Tree>& tree, Output& output) {
  JsonWriter json(output);
  json.BeginObject();
  json.Field("schema_version", 1);
  json.Field("vertices", mesh.vertex_count());
  json.Field("triangles", mesh.triangle_count());
  json.Field("degenerate", mesh.degenerate_count());
  json.Field("closed", closed);
  json.Key("bounds");
  json.BeginObject();
  json.Field("lo", mesh.bounds().lo);
  json.Field("hi", mesh.bounds().hi);
  json.EndObject();
  if (given.has_value()) {
    json.Key("tree");
    json.BeginObject();
    WriteTreeFields(json, *given);
    json.EndObject();
  }
  if (tree.has_value()) {
    json.Key("statistics");
    WriteTreeStatistics(json, *tree);
  }
  json.EndObject();
  output.Write("\n");
}

std::string CsvOf(const Mesh& mesh, bool closed) {
  const Aabb& box = mesh.bounds();
  return Cat(
      "vertices,triangles,degenerate,closed,lo_x,lo_y,lo_z,hi_x,hi_y,hi_z\n",
      mesh.vertex_count(), ",", mesh.triangle_count(), ",",
      mesh.degenerate_count(), ",", closed ? "true" : "false", ",", box.lo.x,
      ",", box.lo.y, ",", box.lo.z, ",", box.hi.x, ",", box.hi.y, ",", box.hi.z,
      "\n");
}

std::string TextOf(const Mesh& mesh, std::string_view title, bool closed) {
  const size_t degenerate = mesh.degenerate_count();
  return Cat(title, "\n  vertices   ", Grouped(mesh.vertex_count()),
             "\n  triangles  ", Grouped(mesh.triangle_count()),
             degenerate == 0
                 ? ""
                 : Cat(", of which ", Grouped(degenerate),
                       degenerate == 1 ? " has" : " have", " no area"),
             "\n  closed     ", closed ? "yes" : "no", "\n  bounds     ",
             FormatPoint(mesh.bounds().lo), " to ",
             FormatPoint(mesh.bounds().hi), "\n");
}

}  // namespace

absl::Status WriteMeshFacts(const Mesh& mesh, const std::optional<Tree>& given,
                            std::string_view title, const Settings& settings,
                            Progress& progress) {
  std::optional<Tree> tree;
  if (settings.statistics && given.has_value()) {
    tree = given;
  } else if (settings.statistics) {
    const absl::StatusOr<Tree> built = BuildTree(mesh, settings, progress);
    if (!built.ok()) return built.status();
    tree = *built;
  }
  progress.Begin("checking the edges");
  const bool closed = IsClosed(mesh);
  progress.End();

  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  switch (settings.format) {
    case Format::kJson:
      WriteJson(mesh, closed, given, tree, *output);
      break;
    case Format::kCsv:
      output->Write(CsvOf(mesh, closed));
      if (tree.has_value()) WriteToStandardError(TreeStatisticsTable(*tree));
      break;
    case Format::kText:
      output->Write(TextOf(mesh, title, closed));
      if (given.has_value()) {
        output->Write(Cat("  tree       ", TreeLine(*given), "\n"));
      }
      if (tree.has_value()) output->Write(TreeStatisticsTable(*tree));
      break;
  }
  return output->Close();
}

}  // namespace orbox::cli
