// SPDX-License-Identifier: Apache-2.0

// orbox build: writes the tree of a mesh to a file, for use by other commands.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/facts.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kBuildOperands[] = {"MESH..."};

constexpr Option kBuildOptions[] = {
    {"-o", "FILE",
     "where the tree goes, whole or not at all; - is standard output; a name "
     "that ends in .orboxd is a folder of chunks (required)",
     false, nullptr, Contents::kTree},
    {"--chunk", "N",
     "triangles in a chunk of an .orboxd folder (default: 131072)"},
};

constexpr std::string_view kBuildExamples[] = {
    "orbox build part.stl -o part.orbox",
    "orbox build part.stl --quality best --volumes obb -o part.orbox",
    "orbox nearest part.orbox --point 0,0,1",
    "orbox build scan.ply hall.ply -o site.orboxd --memory 2G",
};

absl::StatusOr<ExitCode> BuildFolder(const Arguments& arguments,
                                     Settings settings,
                                     ProgressDisplay& progress) {
  if (settings.weld.has_value()) {
    return UsageError(
        "--weld is for meshes in memory; give -o a name that does not end in "
        ".orboxd");
  }
  const absl::StatusOr<std::optional<uint64_t>> chunk =
      arguments.Count("--chunk", 1, Mesh::kMaxTriangles);
  if (!chunk.ok()) return chunk.status();
  const std::string path = settings.output;
  progress.Begin("building chunks");
  BuildChunkedOptions options{
      .memory = settings.memory,
      .volumes = settings.volumes,
      .quality = settings.quality,
      .storage = settings.storage,
      .progress = [&progress](double share) { progress.ShareDone(share); },
      .threads = static_cast<int>(settings.threads)};
  options.chunk_triangles = chunk->value_or(options.chunk_triangles);
  // The folder is removed first.
  const os::EndRequest request;
  options.cancelled = &request.flag();
  const absl::StatusOr<ChunkedTree> tree =
      BuildChunked(arguments.operands(), path, options);
  progress.End();
  request.EndIfRequested();
  if (!tree.ok()) return tree.status();
  settings.output = "-";
  const absl::Status status = WriteChunkFacts(*tree, path, settings);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunBuild(const Arguments& arguments,
                                  ProgressDisplay& progress) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  if (!arguments.Has("-o")) {
    return UsageError("-o FILE is missing; name the tree's file, or -");
  }
  if (NamesChunkedTree(settings->output)) {
    return BuildFolder(arguments, *settings, progress);
  }
  if (arguments.operands().size() > 1 || arguments.Has("--chunk")) {
    return UsageError(
        "several meshes and --chunk are for a folder of chunks; give -o a name "
        "that ends in .orboxd");
  }
  const absl::StatusOr<Mesh> mesh =
      LoadMesh(arguments.operands()[0], *settings, progress);
  if (!mesh.ok()) return mesh.status();
  const absl::StatusOr<Tree> tree = BuildTree(*mesh, *settings, progress);
  if (!tree.ok()) return tree.status();

  const std::string path = settings->output;
  progress.Begin(Cat("writing ", path));
  absl::StatusOr<Output> file = Output::Open(path);
  if (!file.ok()) return file.status();
  EncodeTree(*tree, [&file](std::string_view piece) { file->Write(piece); },
             {.threads = static_cast<int>(settings->threads)});
  absl::Status status = file->Close();
  progress.End();
  // Standard output receives either the tree or its description, not both.
  if (status.ok() && path != "-") {
    settings->output = "-";
    status = WriteTreeFacts(*tree, path, *settings);
  }
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kBuildCommand = {
    .name = "build",
    .summary = "build the tree of a mesh once, and keep it in a file",
    .operands = kBuildOperands,
    .options = kBuildOptions,
    .about =
        "Writes the mesh and its tree to FILE, and prints facts about them. "
        "Every\n"
        "command accepts such a file instead of a mesh, whatever its name, "
        "and\n"
        "starts many times sooner. The file is verified when it is read; a\n"
        "damaged one is an error. The same mesh gives the same bytes for any\n"
        "number of threads.\n"
        "\n"
        "If the name ends in .orboxd, FILE is a folder of trees, one for each\n"
        "chunk of the mesh, which may be larger than memory (binary PLY and "
        "STL;\n"
        "other formats are read as a whole). Several meshes become one, "
        "numbered\n"
        "in their order. info, range, nearest, ray, intersect, clearance,\n"
        "hausdorff and self-intersect accept the folder instead of a mesh, "
        "with\n"
        "the same answers.\n",
    .examples = kBuildExamples,
    .run = RunBuild,
    .result_types = TypesOfTreeFacts,
};

}  // namespace orbox::cli
