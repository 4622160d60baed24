// SPDX-License-Identifier: Apache-2.0

// orbox info: describes a mesh.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/mesh/weld_vertices.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/facts.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/commands/mesh_facts.h"
#include "tools/picture/standing_tree.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kInfoOperands[] = {"MESH"};

constexpr Option kInfoOptions[] = {
    {"--surface", "",
     "add connected components, rims of holes, edges of three triangles or "
     "more, area and volume, and if faces agree, look inward or meet each "
     "other. Each body of the file is examined by itself. The output has their "
     "sums, and a list of the bodies by name"},
};

constexpr std::string_view kInfoExamples[] = {
    "orbox info part.stl",
    "orbox info part.stl --surface",
    "orbox info house.glb --surface",
    "orbox info part.stl --stats --volumes obb --format json",
};

// Describes a folder of chunks. Verifies the complete folder, like a tree file.
absl::StatusOr<ExitCode> ReportChunks(const std::string& path,
                                      const Settings& settings,
                                      ProgressDisplay& progress) {
  progress.Begin(Cat("verifying ", path));
  const absl::StatusOr<ChunkedTree> tree =
      ChunkedTree::Open(path, {.memory = settings.memory});
  if (!tree.ok()) return tree.status();
  absl::Status status = tree->Verify();
  progress.End();
  if (status.ok()) status = WriteChunkFacts(*tree, path, settings);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

// Examines each body separately, so that bodies that coincide or share corners
// are not joined.
absl::StatusOr<MeshSurface> SurfaceOf(const std::vector<NamedBody>& bodies) {
  MeshSurface surface;
  SurfaceFacts& all = surface.facts;
  InsideFacts& inside = surface.inside;
  inside = {
      .is_closed = true, .do_faces_agree = true, .volume = MeasureBounds{}};
  for (const NamedBody& body : bodies) {
    const absl::StatusOr<Mesh> mesh =
        picture::StandingMesh(body.mesh, body.pose);
    if (!mesh.ok()) return mesh.status();
    surface.bodies.push_back(FactsOfBody(body.name, *mesh));
    const SurfaceFacts& facts = surface.bodies.back().surface;
    all.components += facts.components;
    all.boundary_loops += facts.boundary_loops;
    all.boundary_edges += facts.boundary_edges;
    all.non_manifold_edges += facts.non_manifold_edges;
    all.area += facts.area;
    const InsideFacts& own = surface.bodies.back().inside;
    inside.is_closed = inside.is_closed && own.is_closed;
    inside.do_faces_agree = inside.do_faces_agree && own.do_faces_agree;
    inside.looks_inward = inside.looks_inward || own.looks_inward;
    inside.meets_itself = inside.meets_itself || own.meets_itself;
    inside.has_walls = inside.has_walls || own.has_walls;
    if (inside.volume && own.volume) {
      inside.volume->lower += own.volume->lower;
      inside.volume->upper += own.volume->upper;
    } else {
      inside.volume.reset();
    }
  }
  return surface;
}

// Returns the faults that keep the mesh from being one solid. `surface` adds
// those that only it knows.
std::vector<MeshAdvice> AdviceOn(const Mesh& mesh,
                                 const std::optional<MeshSurface>& surface,
                                 ProgressDisplay& progress) {
  std::vector<MeshAdvice> advice;
  progress.Begin("looking for gaps");
  const bool is_closed = IsClosed(mesh);
  const std::optional<double> distance = DistanceThatCloses(mesh);
  if (distance.has_value()) {
    advice.push_back({"open, by narrow gaps",
                      Cat("--weld ", FormatReal(*distance), " closes them")});
  } else if (!is_closed) {
    advice.push_back(
        {"open",
         Cat("holes too wide to weld; ",
             surface.has_value() ? "" : "--surface counts them, and ",
             "'orbox clash --close-holes D' judges such bodies as if they were "
             "filled")});
  } else if (!DoFacesAgree(mesh)) {
    advice.push_back({"its faces do not agree",
                      "turn some around; until then, inside is by parity"});
  }
  if (!surface.has_value()) return advice;
  const InsideFacts& inside = surface->inside;
  if (inside.is_closed && inside.looks_inward) {
    advice.push_back({"its faces look inward", "turn all around"});
  }
  if (inside.meets_itself) {
    advice.push_back(
        {"overlaps itself", "'orbox self-intersect' lists the triangles"});
  }
  if (surface->facts.components > std::max<size_t>(1, surface->bodies.size())) {
    advice.push_back({"several parts", "'orbox split' writes each as a body"});
  }
  return advice;
}

absl::StatusOr<ExitCode> RunInfo(const Arguments& arguments,
                                 ProgressDisplay& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const std::string& path = arguments.operands()[0];
  if (IsChunkedTreeAt(path)) {
    if (arguments.Has("--surface")) {
      return UsageError(
          "--surface does not support chunked trees; give the mesh");
    }
    return ReportChunks(path, *settings, progress);
  }
  const absl::StatusOr<Loaded> loaded = Load(path, *settings, progress);
  if (!loaded.ok()) return loaded.status();
  std::optional<MeshSurface> surface;
  if (arguments.Has("--surface")) {
    progress.Begin("looking at the surface");
    if (path == "-" || loaded->tree.has_value()) {
      const BodyFacts facts = FactsOfBody("", loaded->mesh);
      surface.emplace();
      surface->facts = facts.surface;
      surface->inside = facts.inside;
    } else {
      const auto bodies = ReadBodiesFile(
          path,
          {.skip_invalid = settings->skips_invalid, .weld = settings->weld});
      if (!bodies.ok()) return bodies.status();
      const absl::StatusOr<MeshSurface> read = SurfaceOf(*bodies);
      if (!read.ok()) return read.status();
      surface = *read;
    }
  }
  const absl::Status status = WriteMeshFacts(
      loaded->mesh, loaded->tree, path == "-" ? "standard input" : path,
      *settings, progress,
      MeshDescription{.file = FileOf(path),
                      .surface = surface,
                      .notes = loaded->notes,
                      .advice = AdviceOn(loaded->mesh, surface, progress)});
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kInfoCommand = {
    .name = "info",
    .summary = "what is in a mesh: format, size, and whether it is a solid",
    .operands = kInfoOperands,
    .options = kInfoOptions,
    .about =
        "A mesh is closed if every edge belongs to an even number of "
        "triangles;\n"
        "vertices with equal coordinates count as one. A mesh is a solid if it "
        "is\n"
        "closed, its faces agree and look outward, and it does not overlap\n"
        "itself; advice says what is missing. Lengths are in metres for glTF "
        "and\n"
        "in millimetres for 3MF; other formats have no unit. --stats adds "
        "facts\n"
        "about the mesh's tree. If MESH is a tree file, its tree is described. "
        "A\n"
        "folder of chunks (.orboxd) is verified as a whole.\n",
    .examples = kInfoExamples,
    .run = RunInfo,
};

}  // namespace orbox::cli
