// SPDX-License-Identifier: Apache-2.0

// Additional files of commands about two meshes: distances as PLY and GLB, and
// a report.
//
//   absl::StatusOr<PairFiles> files = ReadPairFiles(arguments, pair);
//   if (files->any()) {
//     absl::Status status = WriteClearanceFiles(*files, pair, within, ...);
//   }
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_FILES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {

// Names of files; empty if not requested.
struct PairFiles {
  std::string ply;
  std::string glb;
  std::string report;
  picture::PictureSize picture_size;

  bool any() const { return !ply.empty() || !glb.empty() || !report.empty(); }
};

// Returns the options of the report, with the progress of the command.
report::PairReportOptions ReportOptionsOf(const PairFiles& files,
                                          const MeshPair& pair,
                                          const Settings& settings,
                                          ProgressDisplay& progress);

// Reads --ply, --glb, --report and --picture-size. Returns a usage error for a
// bad name, and kInvalidArgument for several poses.
absl::StatusOr<PairFiles> ReadPairFiles(const Arguments& arguments,
                                        const PairArguments& pair);

inline constexpr Option kPlyOption = {
    "--ply",
    "FILE",
    "write both meshes, A at its pose, with the distance of each face as its "
    "quality and as its colour, for MeshLab, CloudCompare, ParaView or Blender",
    false,
    nullptr,
    Contents::kPly};

// Computes and writes the files. `rule` decides if A is inside B.
absl::Status WriteClearanceFiles(const PairFiles& files, const MeshPair& pair,
                                 const std::optional<double>& within,
                                 InsideRule rule, const Settings& settings,
                                 ProgressDisplay& progress);

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

// A query for a deviation, for its files.
struct WantedDeviation {
  HausdorffLimits accuracy;
  DeviationLimits limits;
  bool one_way = false;   // from A only
  bool is_cloud = false;  // A has only points
  // Distances of A's vertices, if they are known.
  std::vector<double> vertices = {};
};

// Computes and writes the files.
absl::Status WriteHausdorffFiles(const PairFiles& files, const MeshPair& pair,
                                 const WantedDeviation& wanted,
                                 const Settings& settings,
                                 ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_FILES_H_
