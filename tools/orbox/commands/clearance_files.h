// SPDX-License-Identifier: Apache-2.0

// The files that `orbox clearance` writes in addition to its result: a PLY file
// of distances and a report.
//
//   absl::StatusOr<PairFiles> files = ReadPairFiles(arguments, pair);
//   absl::Status status = WriteClearanceFiles(*files, pair, within, ...);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CLEARANCE_FILES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CLEARANCE_FILES_H_

#include <optional>

#include "absl/status/status.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/pair_files.h"

namespace orbox::cli {

inline constexpr Option kPlyOption = {
    "--ply",
    "FILE",
    "write both meshes, where they stand, with the distance of each face as "
    "its "
    "quality and in colour, for MeshLab, CloudCompare, ParaView or Blender",
    false,
    nullptr,
    Contents::kPly};

// Computes and writes the files.
absl::Status WriteClearanceFiles(const PairFiles& files, const MeshPair& pair,
                                 const std::optional<double>& within,
                                 const Settings& settings,
                                 ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CLEARANCE_FILES_H_
