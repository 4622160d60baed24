// SPDX-License-Identifier: Apache-2.0

// The files that commands about two meshes write in addition to their result: a
// PLY file of distances and a report.
//
//   absl::StatusOr<PairFiles> files = ReadPairFiles(arguments, pair);
//   if (files->any()) ...
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_FILES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_FILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/picture_size.h"
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
// bad name; kInvalidArgument for several poses.
absl::StatusOr<PairFiles> ReadPairFiles(const Arguments& arguments,
                                        const PairArguments& pair);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_FILES_H_
