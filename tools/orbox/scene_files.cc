// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/scene_files.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/internal/box_gap.h"
#include "orbox/bvh/query/pair_within.h"
#include "tools/orbox/side_file.h"
#include "tools/orbox/text.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/findings.h"
#include "tools/report/report_pictures.h"
#include "tools/report/scene_report.h"

namespace orbox::cli {
namespace {

// A picture needs one tree of all its triangles, some hundreds of bytes each,
// which has to fit in memory.
constexpr size_t kMostTriangles = 4'000'000;

// The bodies of a moment, and which of them to draw.
struct Drawn {
  std::vector<size_t> bodies;  // a, b, others ascending
  picture::Findings findings;
};

Aabb BoundsAt(const PosedTree& body) {
  const Aabb& box = body.tree().mesh().bounds();
  std::optional<Aabb> bounds;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{corner & 1 ? box.hi.x : box.lo.x,
                 corner & 2 ? box.hi.y : box.lo.y,
                 corner & 4 ? box.hi.z : box.lo.z};
    const Vec3 moved = body.pose().Apply(p);
    bounds = bounds ? Union(*bounds, Aabb{moved, moved}) : Aabb{moved, moved};
  }
  return *bounds;
}

// The two of the pair, and as many others as fit, the nearest first.
std::vector<size_t> ChooseBodies(const CloseBodies& pair,
                                 const std::vector<PosedTree>& bodies) {
  const Aabb near = Union(BoundsAt(bodies[pair.a]), BoundsAt(bodies[pair.b]));
  std::vector<std::pair<double, size_t>> others;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (i == pair.a || i == pair.b) continue;
    others.emplace_back(GapOf(near, BoundsAt(bodies[i])), i);
  }
  std::sort(others.begin(), others.end());
  const auto triangles = [&bodies](size_t body) {
    return bodies[body].tree().mesh().triangle_count();
  };
  std::vector<size_t> chosen = {pair.a, pair.b};
  size_t total = triangles(pair.a) + triangles(pair.b);
  for (const auto& [gap, body] : others) {
    total += triangles(body);
    if (total > kMostTriangles) break;
    chosen.push_back(body);
  }
  std::sort(chosen.begin() + 2, chosen.end());
  return chosen;
}

absl::StatusOr<Drawn> FindAt(size_t frame, const CloseBodies& pair,
                             const AskedScene& scene) {
  std::vector<PosedTree> bodies;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    absl::StatusOr<PosedTree> body = scene.frames->BodyAt(i, frame);
    if (!body.ok()) return body.status();
    bodies.push_back(*std::move(body));
  }
  Drawn drawn{.bodies = ChooseBodies(pair, bodies),
              .findings = {.a = bodies[pair.a]}};
  picture::Findings& findings = drawn.findings;
  findings.b = bodies[pair.b];
  findings.nearest = pair.nearest;
  findings.within = scene.facts.within;
  for (const size_t body : drawn.bodies) {
    if (body != pair.a && body != pair.b) {
      findings.others.push_back(bodies[body]);
    }
    findings.face_distances.push_back(picture::FaceDistancesOf(
        {}, 0, bodies[body].tree().mesh().triangle_count()));
  }
  return drawn;
}

const PosedTree& MeshOf(const picture::Findings& findings, size_t i) {
  return i == 0 ? findings.a : i == 1 ? *findings.b : findings.others[i - 2];
}

// Colours the triangles of all drawn pairs of close bodies.
absl::Status FindFaces(const FrameAnswer& answer, const Settings& settings,
                       Progress& progress, Drawn& drawn) {
  picture::Findings& findings = drawn.findings;
  const QueryOptions cores{.threads = static_cast<int>(settings.threads)};
  progress.Begin("pairs for the report", answer.pairs.size());
  const auto place = [&drawn](size_t body) {
    return std::find(drawn.bodies.begin(), drawn.bodies.end(), body) -
           drawn.bodies.begin();
  };
  for (const CloseBodies& pair : answer.pairs) {
    progress.Advance(1);
    const size_t sides[] = {static_cast<size_t>(place(pair.a)),
                            static_cast<size_t>(place(pair.b))};
    if (std::max(sides[0], sides[1]) == drawn.bodies.size()) continue;
    std::vector<PairDistance> pairs =
        AllWithin(MeshOf(findings, sides[0]), MeshOf(findings, sides[1]),
                  findings.within.value_or(0), cores);
    for (size_t side = 0; side < 2; ++side) {
      picture::FaceDistances& nearest = findings.face_distances[sides[side]];
      const picture::FaceDistances here =
          picture::FaceDistancesOf(pairs, side, nearest.size());
      for (size_t i = 0; i < nearest.size(); ++i) {
        nearest[i] = std::min(nearest[i], here[i]);
      }
    }
    if (sides[0] == 0 && sides[1] == 1) findings.pairs = std::move(pairs);
  }
  return absl::OkStatus();
}

std::string CaptionOf(const report::SceneFacts& scene, size_t frame,
                      const CloseBodies& pair) {
  return Cat(
      scene.frames.size() > 1 ? Cat("Frame ", scene.frames[frame], ": ") : "",
      scene.NamesOf(pair.a, pair.b),
      pair.meet() ? " meet" : Cat(" are ", pair.nearest.distance, " apart"));
}

absl::Status DrawWorstMoment(const picture::PictureSize& size,
                             const AskedScene& scene, const Settings& settings,
                             Progress& progress, report::SceneReport& report) {
  const std::optional<size_t> frame = report.summary.WorstFrame();
  if (!frame.has_value()) return absl::OkStatus();
  progress.Begin("the worst moment");
  const FrameAnswer answer = scene.frames->Ask(
      *frame, {.threads = static_cast<int>(settings.threads)}, nullptr);
  if (!answer.status.ok()) return answer.status;
  const CloseBodies& pair = *answer.closest;
  absl::StatusOr<Drawn> drawn = FindAt(*frame, pair, scene);
  if (!drawn.ok()) return drawn.status();
  const absl::Status found = FindFaces(answer, settings, progress, *drawn);
  if (!found.ok()) return found;
  report.moment = {.frame = *frame,
                   .pair = pair,
                   .left_out = scene.bodies.size() - drawn->bodies.size()};
  absl::StatusOr<std::vector<report::ReportPicture>> pictures =
      report::DrawReportPictures(drawn->findings,
                                 CaptionOf(scene.facts, *frame, pair),
                                 DrawingOptions(size, settings, progress));
  if (!pictures.ok()) return pictures.status();
  report.pictures = *std::move(pictures);
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteSceneReport(const std::string& path,
                              const picture::PictureSize& size,
                              const AskedScene& scene,
                              const report::SceneSummary& summary,
                              const TraversalStatistics& statistics,
                              const Settings& settings, Progress& progress) {
  report::SceneReport report{.scene = scene.facts,
                             .summary = summary,
                             .statistics = statistics,
                             .moment = std::nullopt,
                             .pictures = {}};
  const absl::Status drawn =
      DrawWorstMoment(size, scene, settings, progress, report);
  if (!drawn.ok()) return drawn;
  return WriteSideFile(path, report::SceneReportPage(report));
}

}  // namespace orbox::cli
