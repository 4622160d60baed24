// SPDX-License-Identifier: Apache-2.0

// orbox split: writes the connected components of a mesh as bodies of one file.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/facts.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/side_file.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kSplitOperands[] = {"MESH"};

constexpr Option kSplitOptions[] = {
    {"-o", "FILE",
     "the .glb file for the parts, written whole or not at all; - is standard "
     "output (required)",
     false, nullptr, Contents::kGlb},
};

constexpr std::string_view kSplitExamples[] = {
    "orbox split assembly.stl -o parts.glb",
    "orbox clash parts.glb --tolerance 0.001",
    "orbox info 'parts.glb#assembly part 2'",
};

struct SplitAnswer {
  size_t bodies = 0;
  std::vector<BodyFacts> parts;
};

Schema<SplitAnswer> SplitSchema() {
  using Answer = SplitAnswer;
  Schema<Answer> schema;
  return schema
      .Add({"bodies"}, [](const Answer& a) { return uint64_t{a.bodies}; })
      .AddText([](const Answer& a) {
        return Cat(": ", Grouped(a.bodies),
                   a.bodies == 1 ? " body, " : " bodies, ",
                   Counted(a.parts.size(), "part"),
                   a.parts.size() > kBodiesShown
                       ? Cat(", of which the first ", kBodiesShown, " are\n")
                       : "\n");
      })
      .AddList({.json = "parts", .rows = true, .text_limit = kBodiesShown},
               BodySchema(),
               [](const Answer& a) { return std::span(a.parts); });
}

std::vector<ResultType> SplitTypes() {
  const Schema<SplitAnswer> schema = SplitSchema();
  return {{schema.Type(), schema.Header()}};
}

absl::StatusOr<std::vector<NamedBody>> BodiesOf(const std::string& path,
                                                const Settings& settings,
                                                ProgressDisplay& progress) {
  const absl::Status status = CheckNoChunks(path);
  if (!status.ok()) return status;
  if (path == "-" || !IsTreeFileAt(path)) {
    std::vector<ReadNote> notes;
    absl::StatusOr<std::vector<NamedBody>> bodies =
        ReadBodiesFile(path, {.notes = &notes,
                              .skip_invalid = settings.skips_invalid,
                              .weld = settings.weld});
    ReportNotes(path, notes, progress);
    return bodies;
  }
  absl::StatusOr<Mesh> mesh = LoadMesh(path, settings, progress);
  if (!mesh.ok()) return mesh.status();
  return std::vector<NamedBody>{{.name = path, .mesh = *std::move(mesh)}};
}

// Returns the components of each body, with the pose and the properties of the
// body. If bodies share a mesh, their components share meshes, too.
std::vector<NamedBody> SplitBodies(std::span<const NamedBody> bodies) {
  std::map<const Vec3*, std::vector<Mesh>> known;
  std::vector<NamedBody> parts;
  for (const NamedBody& body : bodies) {
    std::vector<Mesh>& meshes = known[body.mesh.vertices().data()];
    if (meshes.empty()) meshes = SplitIntoComponents(body.mesh);
    for (size_t i = 0; i < meshes.size(); ++i) {
      NamedBody& part = parts.emplace_back(body);
      part.mesh = meshes[i];
      if (meshes.size() > 1) part.name += Cat(" part ", i + 1);
    }
  }
  return parts;
}

SplitAnswer Describe(std::span<const NamedBody> bodies,
                     std::span<const NamedBody> parts) {
  SplitAnswer answer{.bodies = bodies.size()};
  for (const NamedBody& part : parts) {
    answer.parts.push_back(FactsOfBody(part.name, part.mesh));
  }
  return answer;
}

absl::StatusOr<ExitCode> RunSplit(const Arguments& arguments,
                                  ProgressDisplay& progress) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  if (!arguments.Has("-o")) {
    return UsageError("-o FILE is missing; name a .glb file, or -");
  }
  const std::string& operand = arguments.operands()[0];
  progress.Begin(Cat("reading ", operand));
  const absl::StatusOr<std::vector<NamedBody>> bodies =
      BodiesOf(operand, *settings, progress);
  if (!bodies.ok()) return bodies.status();
  progress.Begin("splitting");
  const std::vector<NamedBody> parts = SplitBodies(*bodies);
  const std::string path = settings->output;
  progress.Begin(Cat("writing ", path));
  const absl::StatusOr<std::string> bytes = EncodeBodies(parts);
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(),
                        Cat(path, ": ", std::string(bytes.status().message())));
  }
  const absl::Status written = WriteSideFile(path, *bytes);
  progress.End();
  if (!written.ok()) return written;
  // Standard output receives either the components or their description, not
  // both.
  if (path == "-") return ExitCode::kOk;
  settings->output = "-";
  absl::StatusOr<Output> output = Output::Open("-");
  if (!output.ok()) return output.status();
  const Schema<SplitAnswer> schema = SplitSchema();
  ResultWriter results(*settings, "", schema.Header(), *output);
  results.Write(schema, Describe(*bodies, parts), 0, operand);
  const absl::Status status = results.Finish(static_cast<const Tree*>(nullptr));
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kSplitCommand = {
    .name = "split",
    .summary = "the connected parts of a mesh, as bodies of a GLB file",
    .operands = kSplitOperands,
    .options = kSplitOptions,
    .about =
        "Triangles are in one part if shared corners connect them; vertices "
        "with\n"
        "equal coordinates count as one. Each body of the file is split by\n"
        "itself. Its parts keep its pose and properties, and are named NAME "
        "part\n"
        "1 and so on. 'orbox clash FILE' finds which parts overlap, touch or\n"
        "contain each other, and FILE#NAME is one of them for every command.\n",
    .examples = kSplitExamples,
    .run = RunSplit,
    .result_types = SplitTypes,
};

}  // namespace orbox::cli
