// The files that `orbox clearance` writes beside its answer: a PLY file of
// distances and a report.
//
//   absl::StatusOr<ClearanceFiles> files = ReadClearanceFiles(arguments, pair);
//   absl::Status status = WriteClearanceFiles(*files, question, ...);
#ifndef ORBOX_TOOLS_ORBOX_CLEARANCE_FILES_H_
#define ORBOX_TOOLS_ORBOX_CLEARANCE_FILES_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/mesh_pair.h"
#include "tools/orbox/options.h"
#include "tools/orbox/picture_size.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/side_file.h"

namespace orbox::cli {

inline constexpr Option kPlyOption = {
    "--ply",
    "FILE",
    "write both meshes, where they stand, with the distance of each face as a "
    "property and in colour, for MeshLab, Blender or ParaView",
    false,
    nullptr,
    Contents::kPly};

// Names of files; empty if not requested.
struct ClearanceFiles {
  std::string ply;
  std::string report;
  picture::PictureSize picture_size;

  bool any() const { return !ply.empty() || !report.empty(); }
};

// A usage error for a bad name; kInvalidArgument for several poses.
absl::StatusOr<ClearanceFiles> ReadClearanceFiles(const Arguments& arguments,
                                                  const PairArguments& pair);

// Computes the contents of the files, and writes them.
absl::Status WriteClearanceFiles(const ClearanceFiles& files,
                                 const MeshPair& pair,
                                 const std::optional<double>& within,
                                 const Settings& settings, Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLEARANCE_FILES_H_
