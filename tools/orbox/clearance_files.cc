#include "tools/orbox/clearance_files.h"

#include <vector>

#include "orbox/bvh/query/batch.h"
#include "orbox/bvh/query/posed_tree.h"
#include "tools/orbox/distance_ply.h"
#include "tools/orbox/exit_code.h"
#include "tools/orbox/output.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

absl::Status WriteFile(const std::string& path, const std::string& bytes) {
  absl::StatusOr<Output> output = Output::Open(path);
  if (!output.ok()) return output.status();
  output->Write(bytes);
  return output->Close();
}

// The first half of the work, or the second.
BatchOptions HalfOf(int half, const Settings& settings, Progress& progress) {
  BatchOptions options;
  options.threads = static_cast<int>(settings.threads);
  options.progress = [half, &progress](double share) {
    progress.ShareDone((half + share) / 2);
  };
  return options;
}

absl::Status WritePly(const std::string& path, const PosedTree& a,
                      const PosedTree& b, const std::optional<double>& within,
                      const Settings& settings, Progress& progress) {
  progress.Begin("distances of faces");
  const absl::StatusOr<std::vector<double>> of_a =
      DistancesFrom(a, b, HalfOf(0, settings, progress));
  if (!of_a.ok()) return of_a.status();
  const absl::StatusOr<std::vector<double>> of_b =
      DistancesFrom(b, a, HalfOf(1, settings, progress));
  if (!of_b.ok()) return of_b.status();
  const MeasuredMesh meshes[] = {{&a, *of_a}, {&b, *of_b}};
  return WriteFile(path, EncodeDistancePly(meshes, within));
}

}  // namespace

absl::StatusOr<ClearanceFiles> ReadClearanceFiles(const Arguments& arguments,
                                                  const PairArguments& pair) {
  ClearanceFiles files;
  files.ply = arguments.Value(kPlyOption.name);
  if (arguments.Has(kPlyOption.name) &&
      (files.ply.empty() || files.ply == "-")) {
    return UsageError(
        Cat(kPlyOption.name, ": ", Quoted(files.ply),
            " is no name, and the results go to standard output; name a file"));
  }
  const size_t poses = pair.poses.poses.size();
  if (files.any() && poses > 1) {
    return absl::InvalidArgumentError(
        Cat(pair.poses.file->Place(1), ": the second of ", poses,
            " poses, and ", kPlyOption.name, " shows one; give that one"));
  }
  return files;
}

absl::Status WriteClearanceFiles(const ClearanceFiles& files,
                                 const MeshPair& pair,
                                 const std::optional<double>& within,
                                 const Settings& settings, Progress& progress) {
  if (!files.any()) return absl::OkStatus();
  const absl::StatusOr<PosedTree> a =
      PosedTree::Create(pair.a, pair.poses.poses[0]);
  if (!a.ok()) return a.status();
  return WritePly(files.ply, *a, pair.b, within, settings, progress);
}

}  // namespace orbox::cli
