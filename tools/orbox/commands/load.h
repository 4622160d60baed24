// SPDX-License-Identifier: Apache-2.0

// Loads a mesh and its tree from a file, with progress.
//
//   absl::StatusOr<Tree> tree = LoadTree("part.stl", settings, progress);
//
// The first bytes of a file decide if it is a mesh or a tree file. A tree from
// a file keeps its volumes, regardless of the settings. It is verified and
// copied, so that results are correct for any file.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_LOAD_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_LOAD_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"

namespace orbox::cli {

// A mesh, its tree if the file contains one, and notes of the reader.
struct Loaded {
  Mesh mesh;
  std::optional<Tree> tree;
  std::vector<ReadNote> notes;
};

// Writes the notes on a file to standard error, one per line.
void ReportNotes(const std::string& path, std::span<const ReadNote> notes,
                 ProgressDisplay& progress);

// Returns true if the name has the form of a folder of chunks. The folder need
// not exist.
bool NamesChunkedTree(const std::string& path);

// Returns an error if the path is a folder of chunks or has the form of its
// name, because its mesh is not in memory.
absl::Status CheckNoChunks(const std::string& path);

// Loads a file, and writes the notes on it to standard error.
absl::StatusOr<Loaded> Load(const std::string& path, const Settings& settings,
                            ProgressDisplay& progress);

absl::StatusOr<Mesh> LoadMesh(const std::string& path, const Settings& settings,
                              ProgressDisplay& progress);

absl::StatusOr<Tree> BuildTree(const Mesh& mesh, const Settings& settings,
                               ProgressDisplay& progress);

// Returns the tree of the file, or builds one.
absl::StatusOr<Tree> LoadTree(const std::string& path, const Settings& settings,
                              ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_LOAD_H_
