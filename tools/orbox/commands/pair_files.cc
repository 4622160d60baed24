// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/pair_files.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/distance_ply.h"
#include "tools/orbox/output/distance_split.h"
#include "tools/orbox/output/side_file.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {

report::PairReportOptions ReportOptionsOf(const PairFiles& files,
                                          const MeshPair& pair,
                                          const Settings& settings,
                                          ProgressDisplay& progress) {
  const auto share_done = [&progress](double share) {
    progress.ShareDone(share);
  };
  return {
      .title = pair.title,
      .unit = settings.style.unit,
      .query = {.threads = static_cast<int>(settings.threads),
                .progress = share_done},
      .drawing = {.size = files.picture_size,
                  .threads = settings.threads,
                  .progress = share_done},
      .begin = [&progress](std::string_view what) { progress.Begin(what); }};
}

absl::StatusOr<PairFiles> ReadPairFiles(const Arguments& arguments,
                                        const PairArguments& pair) {
  constexpr Option kPly = {"--ply", "FILE", ""};
  const absl::StatusOr<std::string> ply = ReadSideFile(arguments, kPly);
  if (!ply.ok()) return ply.status();
  constexpr Option kGlb = {"--glb", "FILE", ""};
  const absl::StatusOr<std::string> glb = ReadSideFile(arguments, kGlb);
  if (!glb.ok()) return glb.status();
  const absl::StatusOr<std::string> report =
      ReadSideFile(arguments, kReportOption);
  if (!report.ok()) return report.status();
  const absl::StatusOr<picture::PictureSize> size = ReadPictureSize(
      arguments, kPictureSizeOption.name, report::kReportPictureSize);
  if (!size.ok()) return size.status();
  const PairFiles files{
      .ply = *ply, .glb = *glb, .report = *report, .picture_size = *size};
  const size_t poses = pair.poses.poses.size();
  if (files.any() && poses > 1) {
    return absl::InvalidArgumentError(Cat(
        pair.poses.file->Place(1), ": the second of ", poses, " poses, and ",
        !files.ply.empty()   ? kPly.name
        : !files.glb.empty() ? kGlb.name
                             : kReportOption.name,
        " shows one; give that one"));
  }
  return files;
}

namespace {

double LargestOf(std::span<const std::vector<double>> lists) {
  double largest = 0;
  for (const std::vector<double>& list : lists) {
    for (const double d : list) largest = std::max(largest, d);
  }
  return largest;
}

// Returns the options of a step that takes a quarter of the work.
RunOptions QuarterOf(int quarter, const Settings& settings,
                     ProgressDisplay& progress) {
  RunOptions options;
  options.threads = static_cast<int>(settings.threads);
  options.progress = [quarter, &progress](double share) {
    progress.ShareDone((quarter + share) / 4);
  };
  return options;
}

absl::Status WritePly(const std::string& path, const PosedTree& a,
                      const PosedTree& b, const std::optional<double>& within,
                      const Settings& settings, ProgressDisplay& progress) {
  progress.Begin("distances of faces");
  const PosedTree* const meshes[] = {&a, &b};
  std::vector<double> distances[2];
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<std::vector<double>> of_faces = DistancesFrom(
        *meshes[i], *meshes[1 - i], QuarterOf(i, settings, progress));
    if (!of_faces.ok()) return of_faces.status();
    distances[i] = *std::move(of_faces);
  }
  const double end = within.value_or(LargestOf(distances));
  std::vector<PosedTree> fine;
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<PosedTree> split = SplitByDistance(
        *meshes[i], *meshes[1 - i], {.end = end, .nearest = distances[i]},
        {.threads = static_cast<int>(settings.threads)});
    if (!split.ok()) return split.status();
    fine.push_back(*std::move(split));
  }
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<std::vector<double>> of_faces = DistancesFrom(
        fine[i], *meshes[1 - i], QuarterOf(2 + i, settings, progress));
    if (!of_faces.ok()) return of_faces.status();
    distances[i] = *std::move(of_faces);
  }
  const MeasuredMesh measured[] = {{&fine[0], distances[0]},
                                   {&fine[1], distances[1]}};
  return WriteSideFile(path, EncodeDistancePly(measured, end));
}

}  // namespace

absl::Status WriteClearanceFiles(const PairFiles& files, const MeshPair& pair,
                                 const std::optional<double>& within,
                                 InsideRule rule, const Settings& settings,
                                 ProgressDisplay& progress) {
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
  report::PairReportOptions options =
      ReportOptionsOf(files, pair, settings, progress);
  options.query.inside = rule;
  const absl::StatusOr<std::string> page =
      report::MakeClearancePage(*a, pair.b, within, options);
  if (!page.ok()) return page.status();
  return WriteSideFile(files.report, *page);
}

namespace {

using report::SurfaceDeviation;

// Returns the colour of a deviation. A deviation of 0 is not red, because red
// means an overlap.
picture::Color ColorOf(double deviation, double end) {
  constexpr double kAlmostNothing = std::numeric_limits<double>::min();
  return picture::ColorOfDistance(std::max(deviation, kAlmostNothing),
                                  std::max(end, kAlmostNothing),
                                  picture::FromHex(picture::kColorOfA));
}

std::string EncodePly(const Mesh& mesh, bool is_cloud,
                      const SurfaceDeviation& deviation) {
  PlyBytes ply;
  const auto color = [&](double d) {
    return picture::HexOf(ColorOf(d, deviation.end));
  };
  for (size_t i = 0; i < deviation.places.size(); ++i) {
    ply.AddVertex(deviation.places[i], color(deviation.vertices[i]),
                  deviation.vertices[i]);
  }
  for (size_t id = 0; id < deviation.faces.size() && !is_cloud; ++id) {
    const TriangleIndices& t = mesh.triangles()[id];
    ply.AddFace({t[0], t[1], t[2]}, color(deviation.faces[id]),
                deviation.faces[id], 0);
  }
  return ply.File(Cat("colours from 0 to ", deviation.end));
}

BodyColor BodyColorOf(const picture::Color& color, float alpha = 1) {
  return {static_cast<float>(color.x), static_cast<float>(color.y),
          static_cast<float>(color.z), alpha};
}

// Encodes A at its pose, and B around it.
absl::StatusOr<std::string> EncodeGlb(const PosedTree& a, const Tree& b,
                                      const SurfaceDeviation& deviation) {
  const NamedBody bodies[] = {{"A", a.tree().mesh(), a.pose(), {}},
                              {"B", b.mesh(), {}, {}}};
  const BodyColor own[] = {
      {1, 1, 1, 1}, BodyColorOf(picture::FromHex(picture::kColorOfB), 0.25F)};
  std::vector<BodyColor> of_vertices[2];
  for (const double d : deviation.vertices) {
    of_vertices[0].push_back(BodyColorOf(ColorOf(d, deviation.end)));
  }
  return EncodeBodies(bodies, own, of_vertices);
}

// A with its faces split where the deviation changes. The original vertices
// come first.
struct SplitDeviation {
  PosedTree a;
  SurfaceDeviation deviation;
};

absl::StatusOr<SplitDeviation> Split(const PairFiles& files, const PosedTree& a,
                                     const Tree& b, bool is_cloud,
                                     const SurfaceDeviation& deviation,
                                     const HausdorffLimits& accuracy,
                                     report::PairReportOptions how) {
  SplitDeviation split{a, deviation};
  if (is_cloud || (files.ply.empty() && files.glb.empty())) return split;
  absl::StatusOr<PosedTree> fine = SplitByDistance(
      a, b, {.end = deviation.end}, {.threads = how.query.threads});
  if (!fine.ok()) return fine.status();
  split.a = *std::move(fine);
  if (split.a.tree().mesh().triangle_count() ==
      a.tree().mesh().triangle_count()) {
    return split;
  }
  how.vertices = {};
  absl::StatusOr<SurfaceDeviation> measured =
      report::MeasureDeviation(split.a, b, accuracy, how);
  if (!measured.ok()) return measured.status();
  split.deviation = *std::move(measured);
  // Vertices in the middle of a moved edge are rounded, so the distance of the
  // given mesh is kept.
  split.deviation.a_to_b = deviation.a_to_b;
  split.deviation.b_to_a = deviation.b_to_a;
  split.deviation.end = deviation.end;
  return split;
}

}  // namespace

absl::Status WriteHausdorffFiles(const PairFiles& files, const MeshPair& pair,
                                 const WantedDeviation& wanted,
                                 const Settings& settings,
                                 ProgressDisplay& progress) {
  if (!files.any()) return absl::OkStatus();
  const absl::StatusOr<PosedTree> a =
      PosedTree::Create(pair.a, pair.poses.poses[0]);
  if (!a.ok()) return a.status();
  report::PairReportOptions how =
      ReportOptionsOf(files, pair, settings, progress);
  how.limits = wanted.limits;
  how.one_way = wanted.one_way;
  how.vertices = wanted.vertices;
  how.has_page = !files.report.empty();
  const bool is_cloud = wanted.is_cloud;
  const absl::StatusOr<SurfaceDeviation> deviation =
      report::MeasureDeviation(*a, pair.b, wanted.accuracy, how);
  if (!deviation.ok()) return deviation.status();
  const absl::StatusOr<SplitDeviation> fine =
      Split(files, *a, pair.b, is_cloud, *deviation, wanted.accuracy, how);
  if (!fine.ok()) return fine.status();
  if (!files.ply.empty()) {
    const absl::Status written = WriteSideFile(
        files.ply, EncodePly(fine->a.tree().mesh(), is_cloud, fine->deviation));
    if (!written.ok()) return written;
  }
  if (!files.glb.empty()) {
    const absl::StatusOr<std::string> glb =
        EncodeGlb(fine->a, pair.b, fine->deviation);
    if (!glb.ok()) return glb.status();
    const absl::Status written = WriteSideFile(files.glb, *glb);
    if (!written.ok()) return written;
  }
  if (files.report.empty()) return absl::OkStatus();
  const absl::StatusOr<std::string> page =
      report::MakeDeviationPage(*a, pair.b, *deviation, how, is_cloud);
  if (!page.ok()) return page.status();
  return WriteSideFile(files.report, *page);
}

}  // namespace orbox::cli
