#include "tools/orbox/clearance_files.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/bvh/query/batch.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/parallel_pairs.h"
#include "orbox/bvh/query/posed_tree.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/distance_ply.h"
#include "tools/orbox/exit_code.h"
#include "tools/orbox/output.h"
#include "tools/orbox/pair_relation.h"
#include "tools/orbox/picture/findings.h"
#include "tools/orbox/picture/picture.h"
#include "tools/orbox/picture/png.h"
#include "tools/orbox/report/report.h"
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

// Of the numbers once more, for what they cost, and of the pairs that meet
// where no distance was given.
absl::StatusOr<Findings> Find(const PosedTree& a, const PosedTree& b,
                              const std::optional<double>& within,
                              const Settings& settings, Progress& progress,
                              TraversalStatistics& statistics) {
  progress.Begin("pairs for the report");
  Findings findings{.a = a, .b = b};
  findings.within = within;
  findings.nearest = MeshDistance(a, b, &statistics);
  BatchOptions cores;
  cores.threads = static_cast<int>(settings.threads);
  cores.progress = [&progress](double share) { progress.ShareDone(share); };
  absl::StatusOr<std::vector<PairDistance>> pairs =
      ParallelPairsWithin(a, b, within.value_or(0), cores, &statistics);
  if (!pairs.ok()) return pairs.status();
  findings.pairs = *std::move(pairs);
  return findings;
}

// How far around the smallest distance a second picture is to show; nothing
// where the first one does not show much more.
std::optional<double> CloseUpOf(const Findings& findings) {
  const Aabb box = Union(findings.a.tree().mesh().bounds(),
                         findings.b->tree().mesh().bounds());
  const double size = MaxCoordinate(box.HalfExtents());
  const double radius =
      std::max({1.5 * findings.nearest->distance,
                1.5 * findings.within.value_or(0), 0.02 * size});
  if (!(radius < 0.5 * size)) return std::nullopt;
  return radius;
}

absl::StatusOr<ReportPicture> Draw(const Findings& findings,
                                   const std::optional<double>& close_up,
                                   const PictureSize& size,
                                   const Settings& settings,
                                   Progress& progress) {
  PictureOptions options;
  options.size = size;
  options.close_up = close_up;
  options.transparent = true;
  options.legend = false;
  options.threads = settings.threads;
  options.progress = [&progress](double share) { progress.ShareDone(share); };
  progress.Begin("drawing");
  const absl::StatusOr<Image> image = DrawPicture(findings, options);
  if (!image.ok()) return image.status();
  absl::StatusOr<std::string> png = EncodePng(*image);
  if (!png.ok()) return png.status();
  return ReportPicture{.png = *std::move(png),
                       .width = image->width,
                       .height = image->height,
                       .caption = close_up.has_value()
                                      ? "Around the smallest distance"
                                      : "A and B"};
}

absl::Status WriteReport(const ClearanceFiles& files, const MeshPair& pair,
                         const PosedTree& a,
                         const std::optional<double>& within,
                         const Settings& settings, Progress& progress) {
  TraversalStatistics statistics;
  const absl::StatusOr<Findings> findings =
      Find(a, pair.b, within, settings, progress, statistics);
  if (!findings.ok()) return findings.status();
  const MeshRelation relation = PairRelation(pair).Of(
      a, pair.b, findings->nearest->distance == 0, nullptr);
  Report report{.title = pair.title,
                .findings = *findings,
                .relation = SentenceOf(relation),
                .statistics = statistics,
                .pictures = {}};
  if (CheckPngSupport().ok()) {
    std::vector<std::optional<double>> views = {std::nullopt};
    if (CloseUpOf(*findings).has_value()) views.push_back(CloseUpOf(*findings));
    for (const std::optional<double>& close_up : views) {
      absl::StatusOr<ReportPicture> picture =
          Draw(*findings, close_up, files.picture_size, settings, progress);
      if (!picture.ok()) return picture.status();
      report.pictures.push_back(*std::move(picture));
    }
  }
  return WriteFile(files.report, ReportPage(report));
}

// The name that an option gives, if it gives one.
absl::StatusOr<std::string> FileOf(const Arguments& arguments,
                                   const Option& option) {
  const std::string path = arguments.Value(option.name);
  if (!arguments.Has(option.name) || (!path.empty() && path != "-")) {
    return path;
  }
  return UsageError(
      Cat(option.name, ": ", Quoted(path),
          " is no name, and the results go to standard output; name a file"));
}

}  // namespace

absl::StatusOr<ClearanceFiles> ReadClearanceFiles(const Arguments& arguments,
                                                  const PairArguments& pair) {
  const absl::StatusOr<std::string> ply = FileOf(arguments, kPlyOption);
  if (!ply.ok()) return ply.status();
  const absl::StatusOr<std::string> report = FileOf(arguments, kReportOption);
  if (!report.ok()) return report.status();
  const absl::StatusOr<PictureSize> size = ReadPictureSize(
      arguments, kPictureSizeOption.name, {.width = 1120, .height = 840});
  if (!size.ok()) return size.status();
  const ClearanceFiles files{
      .ply = *ply, .report = *report, .picture_size = *size};
  const size_t poses = pair.poses.poses.size();
  if (files.any() && poses > 1) {
    return absl::InvalidArgumentError(Cat(
        pair.poses.file->Place(1), ": the second of ", poses, " poses, and ",
        files.ply.empty() ? kReportOption.name : kPlyOption.name,
        " shows one; give that one"));
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
  if (!files.ply.empty()) {
    const absl::Status written =
        WritePly(files.ply, *a, pair.b, within, settings, progress);
    if (!written.ok()) return written;
  }
  if (files.report.empty()) return absl::OkStatus();
  return WriteReport(files, pair, *a, within, settings, progress);
}

}  // namespace orbox::cli
