// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/hausdorff_files.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/write_bodies.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/ply_bytes.h"
#include "tools/orbox/side_file.h"
#include "tools/orbox/text.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/findings.h"
#include "tools/picture/palette.h"
#include "tools/report/deviation_report.h"
#include "tools/report/report_pictures.h"

namespace orbox::cli {
namespace {

// How far A strays from B.
struct Deviation {
  SymmetricHausdorffResult distance;
  std::vector<Vec3> places;      // of A's vertices, moved
  std::vector<double> vertices;  // their distances
  std::vector<double> faces;     // no point of the face is farther
  TraversalStatistics statistics;

  double end() const { return distance.a_to_b.upper; }
};

std::function<void(double)> ShareOf(Progress& progress) {
  return [&progress](double share) { progress.ShareDone(share); };
}

absl::StatusOr<Deviation> DeviationOf(const PosedTree& a, const Tree& b,
                                      HausdorffOptions options,
                                      const Settings& settings,
                                      Progress& progress) {
  Deviation deviation;
  TraversalStatistics* const statistics = &deviation.statistics;
  options.threads = static_cast<int>(settings.threads);
  options.progress = ShareOf(progress);
  options.statistics = statistics;
  progress.Begin("distances for the files");
  const absl::StatusOr<SymmetricHausdorffResult> distance =
      SymmetricHausdorffDistance(a, b, options);
  if (!distance.ok()) return distance.status();
  deviation.distance = *distance;

  progress.Begin("distances of faces");
  const absl::StatusOr<std::vector<TriangleDeviation>> field =
      DeviationField(a, b, options);
  if (!field.ok()) return field.status();
  for (const TriangleDeviation& d : *field) {
    deviation.faces.push_back(d.farthest_upper);
  }

  progress.Begin("distances of vertices");
  for (const Vec3& p : a.tree().mesh().vertices()) {
    deviation.places.push_back(a.is_moved() ? a.pose().Apply(p) : p);
  }
  QueryOptions cores{.statistics = statistics,
                     .threads = static_cast<int>(settings.threads),
                     .progress = ShareOf(progress)};
  const auto nearest = ClosestPoint(b, deviation.places, cores);
  if (!nearest.ok()) return nearest.status();
  for (const auto& point : *nearest) {
    deviation.vertices.push_back(point->distance);
  }
  return deviation;
}

// In the map's colours; red, that of overlaps, would alarm where all is well.
picture::Color ColorOf(double deviation, double end) {
  constexpr double kAlmostNothing = std::numeric_limits<double>::min();
  return picture::ColorOfDistance(std::max(deviation, kAlmostNothing),
                                  std::max(end, kAlmostNothing),
                                  picture::FromHex(picture::kColorOfA));
}

std::string EncodePly(const Mesh& mesh, bool is_cloud,
                      const Deviation& deviation) {
  PlyBytes ply;
  const auto color = [&](double d) {
    return picture::HexOf(ColorOf(d, deviation.end()));
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
  return ply.File(Cat("colours from 0 to ", deviation.end()));
}

BodyColor BodyColorOf(const picture::Color& color, float alpha = 1) {
  return {static_cast<float>(color.x), static_cast<float>(color.y),
          static_cast<float>(color.z), alpha};
}

// A where it stands, and B around it.
absl::StatusOr<std::string> EncodeGlb(const PosedTree& a, const Tree& b,
                                      const Deviation& deviation) {
  const NamedBody bodies[] = {{"A", a.tree().mesh(), a.pose(), {}},
                              {"B", b.mesh(), {}, {}}};
  const BodyColor own[] = {
      {1, 1, 1, 1}, BodyColorOf(picture::FromHex(picture::kColorOfB), 0.25F)};
  std::vector<BodyColor> of_vertices[2];
  for (const double d : deviation.vertices) {
    of_vertices[0].push_back(BodyColorOf(ColorOf(d, deviation.end())));
  }
  return EncodeBodies(bodies, own, of_vertices);
}

absl::StatusOr<std::vector<report::ReportPicture>> Draw(
    const PosedTree& a, const Deviation& deviation,
    const picture::PictureOptions& options) {
  picture::Findings findings{.a = a};
  findings.within = deviation.end();
  findings.face_distances.emplace_back();
  for (const double d : deviation.faces) {
    findings.face_distances[0].push_back(
        std::max(d, std::numeric_limits<double>::min()));
  }
  return report::DrawReportPictures(findings, "A, by its distance from B",
                                    options);
}

}  // namespace

absl::Status WriteHausdorffFiles(const PairFiles& files, const MeshPair& pair,
                                 bool is_cloud, const HausdorffOptions& options,
                                 const Settings& settings, Progress& progress) {
  if (!files.any()) return absl::OkStatus();
  const absl::StatusOr<PosedTree> a =
      PosedTree::Create(pair.a, pair.poses.poses[0]);
  if (!a.ok()) return a.status();
  const absl::StatusOr<Deviation> deviation =
      DeviationOf(*a, pair.b, options, settings, progress);
  if (!deviation.ok()) return deviation.status();
  if (!files.ply.empty()) {
    const absl::Status written = WriteSideFile(
        files.ply, EncodePly(pair.a.mesh(), is_cloud, *deviation));
    if (!written.ok()) return written;
  }
  if (!files.glb.empty()) {
    const absl::StatusOr<std::string> glb = EncodeGlb(*a, pair.b, *deviation);
    if (!glb.ok()) return glb.status();
    const absl::Status written = WriteSideFile(files.glb, *glb);
    if (!written.ok()) return written;
  }
  if (files.report.empty()) return absl::OkStatus();
  std::vector<report::ReportPicture> pictures;
  if (!is_cloud) {
    absl::StatusOr<std::vector<report::ReportPicture>> drawn = Draw(
        *a, *deviation, DrawingOptions(files.picture_size, settings, progress));
    if (!drawn.ok()) return drawn.status();
    pictures = *std::move(drawn);
  }
  const PosedTree b = pair.b;
  return WriteSideFile(files.report, report::DeviationReportPage(
                                         {.title = pair.title,
                                          .a = *a,
                                          .b = b,
                                          .is_cloud = is_cloud,
                                          .distance = deviation->distance,
                                          .deviations = deviation->vertices,
                                          .statistics = deviation->statistics,
                                          .pictures = std::move(pictures),
                                          .unit = settings.style.unit}));
}

}  // namespace orbox::cli
