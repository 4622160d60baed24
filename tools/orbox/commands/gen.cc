// SPDX-License-Identifier: Apache-2.0

// orbox gen: creates a mesh from a formula.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/mesh_facts.h"
#include "tools/orbox/output/side_file.h"

namespace orbox::cli {
namespace {

std::vector<std::string_view> ShapeChoices() {
  std::vector<std::string_view> names;
  for (const GeneratedShape& shape : GeneratedShapes()) {
    names.push_back(shape.name);
  }
  return names;
}

constexpr Option kGenOptions[] = {
    {"--shape", "S", "one of the shapes below (default: torus_knot)", false,
     ShapeChoices},
    {"--triangles", "N",
     "number of triangles (default: 10000); the shape's grid may allow only "
     "numbers near it"},
    {"--seed", "S", "seed of the random shapes (default: 1)"},
    {"-o", "FILE",
     "where the mesh goes: .obj, .ply, .stl, .off or .glb; - is OFF on "
     "standard "
     "output (required)",
     false, nullptr, Contents::kMesh},
};

constexpr std::string_view kGenExamples[] = {
    "orbox gen --shape torus_knot --triangles 100000 -o knot.ply",
    "orbox gen --triangles 1000 -o - | orbox info -",
};

std::string ShapesHelp() {
  std::vector<TableEntry> entries;
  for (const GeneratedShape& shape : GeneratedShapes()) {
    entries.push_back({std::string(shape.name), std::string(shape.what)});
  }
  return Cat("shapes:\n", TableOf(entries));
}

absl::Status CheckShape(const std::string& name) {
  const std::vector<std::string_view> names = ShapeChoices();
  std::string list;
  for (const std::string_view known : names) {
    if (known == name) return absl::OkStatus();
    list += Cat(list.empty() ? "" : ", ", known);
  }
  return UsageError(Cat("--shape: ", Quoted(name), " is none of ", list,
                        DidYouMean(name, names)));
}

absl::StatusOr<GenerateOptions> ReadGenerateOptions(
    const Arguments& arguments) {
  GenerateOptions options;
  options.shape = arguments.Value("--shape", options.shape);
  const absl::Status shape = CheckShape(options.shape);
  if (!shape.ok()) return shape;
  const absl::StatusOr<std::optional<uint64_t>> triangles =
      arguments.Count("--triangles", 1, Mesh::kMaxTriangles);
  if (!triangles.ok()) return triangles.status();
  options.triangles = triangles->value_or(options.triangles);
  const absl::StatusOr<std::optional<uint64_t>> seed =
      arguments.Count("--seed", 0, UINT64_MAX);
  if (!seed.ok()) return seed.status();
  options.seed = seed->value_or(options.seed);
  return options;
}

// Checks the name of the file before the mesh is generated.
absl::Status CheckPath(const std::string& path, bool given) {
  if (!given) {
    return UsageError(
        "-o FILE is missing; name a .obj, .ply, .stl, .off or .glb file, or -");
  }
  const absl::StatusOr<MeshFormat> format = MeshFormatToWrite(path);
  if (format.ok()) return absl::OkStatus();
  return UsageError(Cat("-o: ", std::string(format.status().message())));
}

absl::Status WriteMesh(const Mesh& mesh, const std::string& path) {
  const absl::StatusOr<MeshFormat> format = MeshFormatToWrite(path);
  if (!format.ok()) return format.status();
  const absl::StatusOr<std::string> bytes = EncodeMesh(mesh, *format);
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(),
                        Cat(path, ": ", std::string(bytes.status().message())));
  }
  return WriteSideFile(path, *bytes);
}

absl::StatusOr<ExitCode> RunGen(const Arguments& arguments,
                                ProgressDisplay& progress) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const std::string path = settings->output;
  const absl::Status path_status = CheckPath(path, arguments.Has("-o"));
  if (!path_status.ok()) return path_status;
  const absl::StatusOr<GenerateOptions> options =
      ReadGenerateOptions(arguments);
  if (!options.ok()) return options.status();

  progress.Begin("generating");
  const absl::StatusOr<Mesh> mesh = GenerateMesh(*options);
  if (!mesh.ok()) return UsageError(std::string(mesh.status().message()));
  progress.Begin(Cat("writing ", path));
  absl::Status status = WriteMesh(*mesh, path);
  // Standard output receives either the mesh or its description, not both.
  if (status.ok() && path != "-") {
    settings->output = "-";
    status = WriteMeshFacts(*mesh, std::nullopt, path, *settings, progress);
  }
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kGenCommand = {
    .name = "gen",
    .summary = "make a mesh from a formula",
    .operands = {},
    .options = kGenOptions,
    .about =
        "Writes the mesh to FILE, whole or not at all, and prints facts about "
        "it\n"
        "as 'orbox info' does. The same arguments give the same bytes on "
        "every\n"
        "machine.\n",
    .examples = kGenExamples,
    .run = RunGen,
    .more_help = ShapesHelp,
};

}  // namespace orbox::cli
