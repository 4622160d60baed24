// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/hausdorff_files.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/distance_split.h"
#include "tools/orbox/output/ply_bytes.h"
#include "tools/orbox/output/side_file.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {
namespace {

using report::SurfaceDeviation;

// Returns the distance of the last colour.
double EndOf(const SurfaceDeviation& deviation) {
  return deviation.distance.a_to_b.upper;
}

// Returns the colour of the map. A deviation of 0 is not red, the colour of
// overlaps, which would be alarming.
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
    return picture::HexOf(ColorOf(d, EndOf(deviation)));
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
  return ply.File(Cat("colours from 0 to ", EndOf(deviation)));
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
    of_vertices[0].push_back(BodyColorOf(ColorOf(d, EndOf(deviation))));
  }
  return EncodeBodies(bodies, own, of_vertices);
}

// A with its faces split where the deviation changes. Its own vertices come
// first.
struct SplitDeviation {
  PosedTree a;
  SurfaceDeviation deviation;
};

absl::StatusOr<SplitDeviation> Split(const PairFiles& files, const PosedTree& a,
                                     const Tree& b, bool is_cloud,
                                     const SurfaceDeviation& deviation,
                                     const HausdorffOptions& options,
                                     const report::PairReportOptions& how) {
  SplitDeviation split{a, deviation};
  if (is_cloud || (files.ply.empty() && files.glb.empty())) return split;
  absl::StatusOr<PosedTree> fine = SplitByDistance(
      a, b, {.end = EndOf(deviation)}, {.threads = how.query.threads});
  if (!fine.ok()) return fine.status();
  split.a = *std::move(fine);
  if (split.a.tree().mesh().triangle_count() ==
      a.tree().mesh().triangle_count()) {
    return split;
  }
  absl::StatusOr<SurfaceDeviation> measured =
      report::MeasureDeviation(split.a, b, options, how);
  if (!measured.ok()) return measured.status();
  split.deviation = *std::move(measured);
  // Vertices in the middle of a moved edge are rounded, so the distance is that
  // of the given mesh.
  split.deviation.distance = deviation.distance;
  return split;
}

}  // namespace

absl::Status WriteHausdorffFiles(const PairFiles& files, const MeshPair& pair,
                                 bool is_cloud, const HausdorffOptions& options,
                                 const Settings& settings,
                                 ProgressDisplay& progress) {
  if (!files.any()) return absl::OkStatus();
  const absl::StatusOr<PosedTree> a =
      PosedTree::Create(pair.a, pair.poses.poses[0]);
  if (!a.ok()) return a.status();
  const report::PairReportOptions how =
      ReportOptionsOf(files, pair, settings, progress);
  const absl::StatusOr<SurfaceDeviation> deviation =
      report::MeasureDeviation(*a, pair.b, options, how);
  if (!deviation.ok()) return deviation.status();
  const absl::StatusOr<SplitDeviation> fine =
      Split(files, *a, pair.b, is_cloud, *deviation, options, how);
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
