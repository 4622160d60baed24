// SPDX-License-Identifier: Apache-2.0

// The files that `orbox hausdorff` writes in addition to its result: A with its
// deviation from B, as PLY and as GLB, and a report.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_HAUSDORFF_FILES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_HAUSDORFF_FILES_H_

#include "absl/status/status.h"
#include "orbox/bvh/query/hausdorff.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/pair_files.h"

namespace orbox::cli {

inline constexpr Option kDeviationPlyOption = {
    "--ply",
    "FILE",
    "write A, where it stands, with the distance of each vertex from B, and "
    "the "
    "largest of each face, as quality and in colour, for MeshLab, "
    "CloudCompare, "
    "ParaView or Blender",
    false,
    nullptr,
    Contents::kPly};

inline constexpr Option kDeviationGlbOption = {
    "--glb",
    "FILE",
    "write A in the colours of its distance from B, and B see-through, for any "
    "viewer (binary glTF); not of a cloud",
    false,
    nullptr,
    Contents::kGlb};

// Computes and writes the files. `options` are those of the query.
absl::Status WriteHausdorffFiles(const PairFiles& files, const MeshPair& pair,
                                 bool is_cloud, const HausdorffOptions& options,
                                 const Settings& settings,
                                 ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_HAUSDORFF_FILES_H_
