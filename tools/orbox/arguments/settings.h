// SPDX-License-Identifier: Apache-2.0

// Values of the options that all commands share.
//
//   absl::StatusOr<Settings> settings = ReadSettings(arguments);
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_SETTINGS_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_SETTINGS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

enum class Format { kText, kJson, kCsv };

struct Settings {
  // The name of the command, for the output.
  std::string command;
  std::vector<std::string> inputs;
  TextStyle style;

  Format format = Format::kText;
  Volumes volumes = Volumes::kMixed;
  Storage storage = Storage::kWide;
  Quality quality = Quality::kBalanced;
  bool statistics = false;
  size_t threads = 1;
  // Largest number of bytes to use for building and mapping chunked trees.
  size_t memory = size_t{2} << 30;
  // If true, point clouds are read as meshes of points.
  bool takes_clouds = false;
  // If true, vertices and points that are not finite are skipped unless a face
  // uses them. Otherwise they are errors.
  bool skips_invalid = false;
  // Distance within which vertices of meshes are joined (ReadOptions::weld).
  std::optional<double> weld;
  // If true, results are written. They are computed in any case.
  bool reported = true;
  // If true, results include witnesses that depend on the tree, because any of
  // several may be found.
  bool reports_witnesses = true;
  // If true, a query also writes its additional files.
  bool writes_files = true;
  std::string output = "-";
};

// Return the possible values of --format and other options, for completion.
std::vector<std::string_view> FormatChoices();
std::vector<std::string_view> VolumesChoices();
std::vector<std::string_view> QualityChoices();
std::vector<std::string_view> StorageChoices();

// Return the names of --volumes, --quality and --storage.
std::string_view NameOf(Volumes volumes);
std::string_view NameOf(Quality quality);
std::string_view NameOf(Storage storage);

absl::StatusOr<Settings> ReadSettings(const Arguments& arguments);

// Returns a usage error if more than one of `paths` is "-", because standard
// input can be read only once.
absl::Status CheckStandardInput(const std::vector<std::string>& paths);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_SETTINGS_H_
