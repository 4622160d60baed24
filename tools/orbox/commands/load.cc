// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/load.h"

#include <utility>

#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/cloud.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {
namespace {

absl::StatusOr<Loaded> WithoutTree(const absl::StatusOr<Mesh>& mesh) {
  if (!mesh.ok()) return mesh.status();
  return Loaded{*mesh, std::nullopt, {}};
}

absl::StatusOr<Loaded> WithTree(const absl::StatusOr<Tree>& tree) {
  if (!tree.ok()) return tree.status();
  return Loaded{tree->mesh(), *tree, {}};
}

// Reads all of standard input first, because it can be read only once.
absl::StatusOr<Loaded> LoadStandardInput(const ReadTreeOptions& tree_options,
                                         const ReadOptions& mesh_options) {
  const absl::StatusOr<FileBytes> bytes = ReadFileBytes("-");
  if (!bytes.ok()) return bytes.status();
  constexpr std::string_view kName = "standard input";
  if (IsTreeFile(bytes->view())) {
    return WithTree(DecodeTree(bytes->view(), kName, tree_options));
  }
  const absl::StatusOr<MeshFormat> format = MeshFormatOf("-", bytes->view());
  if (!format.ok()) return format.status();
  return WithoutTree(ReadMesh(bytes->view(), *format, kName, mesh_options));
}

}  // namespace

bool NamesChunkedTree(const std::string& path) {
  return path.ends_with(".orboxd") || path.ends_with(".orboxd/");
}

absl::Status CheckNoChunks(const std::string& path) {
  if (path == "-") return absl::OkStatus();
  if (!IsChunkedTreeAt(path)) {
    if (!NamesChunkedTree(path)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        Cat(path,
            ": there is no chunked tree, which 'orbox build' makes; check the "
            "path"));
  }
  return absl::InvalidArgumentError(
      Cat(path,
          ": is a chunked tree, which has no mesh in memory; give the meshes "
          "that it was built from"));
}

void ReportNotes(const std::string& path, std::span<const ReadNote> notes,
                 ProgressDisplay& progress) {
  if (notes.empty()) return;
  progress.Pause();
  for (const ReadNote& note : notes) {
    WriteToStandardError(
        Cat("orbox: note: ", OnOneLine(path == "-" ? "standard input" : path),
            ": ", OnOneLine(TextOf(note)), "\n"));
  }
  progress.Resume();
}

namespace {

absl::StatusOr<Loaded> LoadFile(const std::string& path,
                                const Settings& settings,
                                const ReadOptions& mesh_options) {
  const ReadTreeOptions tree_options = {.threads =
                                            static_cast<int>(settings.threads)};
  if (path == "-") return LoadStandardInput(tree_options, mesh_options);
  if (settings.takes_clouds && IsCloud(path)) {
    return WithoutTree(MeshOfCloud(path, mesh_options));
  }
  if (IsTreeFileAt(path)) return WithTree(ReadTree(path, tree_options));
  return WithoutTree(ReadMeshFile(path, mesh_options));
}

}  // namespace

absl::StatusOr<Loaded> Load(const std::string& path, const Settings& settings,
                            ProgressDisplay& progress) {
  const absl::Status status = CheckNoChunks(path);
  if (!status.ok()) return status;
  if (path == "-") {
    progress.Begin("reading standard input");
  } else {
    progress.Begin(Cat("reading ", path), SizeOfFile(path), kBytes);
  }
  std::vector<ReadNote> notes;
  absl::StatusOr<Loaded> loaded = LoadFile(
      path, settings,
      {.progress = [&progress](double share) { progress.ShareDone(share); },
       .notes = &notes,
       .skip_invalid = settings.skips_invalid,
       .weld = settings.weld});
  if (!loaded.ok()) return loaded;
  if (settings.weld.has_value() && loaded->tree.has_value()) {
    return UsageError(
        Cat("--weld: ", path,
            " is a tree file, whose mesh is fixed; give --weld to 'orbox "
            "build'"));
  }
  ReportNotes(path, notes, progress);
  loaded->notes = std::move(notes);
  return loaded;
}

absl::StatusOr<Mesh> LoadMesh(const std::string& path, const Settings& settings,
                              ProgressDisplay& progress) {
  const absl::StatusOr<Loaded> loaded = Load(path, settings, progress);
  if (!loaded.ok()) return loaded.status();
  return loaded->mesh;
}

absl::StatusOr<Tree> BuildTree(const Mesh& mesh, const Settings& settings,
                               ProgressDisplay& progress) {
  progress.Begin("building the tree", mesh.triangle_count(), "triangles");
  return Build(
      mesh,
      {.volumes = settings.volumes,
       .quality = settings.quality,
       .storage = settings.storage,
       .progress = [&progress](double share) { progress.ShareDone(share); },
       .threads = static_cast<int>(settings.threads)});
}

absl::StatusOr<Tree> LoadTree(const std::string& path, const Settings& settings,
                              ProgressDisplay& progress) {
  const absl::StatusOr<Loaded> loaded = Load(path, settings, progress);
  if (!loaded.ok()) return loaded.status();
  if (loaded->tree.has_value()) return *loaded->tree;
  return BuildTree(loaded->mesh, settings, progress);
}

}  // namespace orbox::cli
