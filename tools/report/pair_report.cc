// SPDX-License-Identifier: Apache-2.0

#include "tools/report/pair_report.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tools/base/text.h"
#include "tools/picture/findings.h"
#include "tools/report/clearance_report.h"
#include "tools/report/deviation_report.h"
#include "tools/report/report_pictures.h"

namespace orbox::report {

namespace {

using tools::Cat;

// Returns the options of the queries, which add to these counts.
QueryOptions Counting(const PairReportOptions& options,
                      TraversalStatistics* statistics) {
  QueryOptions query = options.query;
  const bool counts = options.has_page || query.statistics != nullptr;
  query.statistics = counts ? statistics : nullptr;
  return query;
}

absl::StatusOr<std::vector<ReportPicture>> Draw(
    const picture::Findings& findings, const std::string& caption,
    const PairReportOptions& options) {
  options.begin("drawing");
  return DrawReportPictures(findings, caption, options.drawing);
}

// Returns NoteOf the relation of two meshes that do not meet, with a note on
// faces that do not agree.
std::string NoteOnRelation(const PosedTree& a, const PosedTree& b,
                           InsideRule rule) {
  const MeshRelation relation = RelationOfApartMeshes(
      a, MeshComponents::Of(a.tree().mesh()), b,
      MeshComponents::Of(b.tree().mesh()), {.inside = rule});
  std::string note(NoteOf(relation));
  const auto add = [&](std::string_view name, const PosedTree& tree) {
    if (!IsJudgedByParity(tree.tree().mesh(), rule)) return;
    note = Cat(note, note.empty() ? "" : "; ", NoteOnParity(name));
  };
  add("A", a);
  add("B", b);
  return note;
}

// Returns true if all triangles are points, as in the mesh of a cloud.
bool IsOfPoints(const Mesh& mesh) {
  return std::all_of(
      mesh.triangles().begin(), mesh.triangles().end(),
      [](const TriangleIndices& t) { return t[0] == t[1] && t[1] == t[2]; });
}

void Add(const TraversalStatistics& counts, const PairReportOptions& options) {
  if (options.query.statistics != nullptr) *options.query.statistics += counts;
}

std::vector<Vec3> PlacesOfVertices(const PosedTree& mesh) {
  std::vector<Vec3> places;
  places.reserve(mesh.tree().mesh().vertex_count());
  for (const Vec3& p : mesh.tree().mesh().vertices()) {
    places.push_back(mesh.is_moved() ? mesh.pose().Apply(p) : p);
  }
  return places;
}

}  // namespace

absl::StatusOr<std::string> MakeClearancePage(
    const PosedTree& a, const PosedTree& b, const std::optional<double>& within,
    const PairReportOptions& options) {
  options.begin("pairs for the report");
  TraversalStatistics statistics;
  picture::Findings findings{.a = a, .b = b};
  findings.within = within;
  const RunOptions run{.statistics = &statistics,
                       .threads = options.query.threads,
                       .progress = options.query.progress,
                       .cancelled = options.query.cancelled};
  const absl::StatusOr<std::optional<Witness>> nearest =
      ClosestPair(a, b, {}, run);
  if (!nearest.ok()) return nearest.status();
  findings.nearest = **nearest;
  absl::StatusOr<std::vector<PairDistance>> pairs =
      AllWithin(a, b, within.value_or(0), run);
  if (!pairs.ok()) return pairs.status();
  findings.pairs = *std::move(pairs);
  Add(statistics, options);
  const std::string relation = findings.nearest->distance == 0
                                   ? ""
                                   : NoteOnRelation(a, b, options.query.inside);
  absl::StatusOr<std::vector<ReportPicture>> pictures =
      Draw(findings, "A and B", options);
  if (!pictures.ok()) return pictures.status();
  return ClearanceReportPage({.title = options.title,
                              .findings = findings,
                              .relation = relation,
                              .statistics = statistics,
                              .pictures = *std::move(pictures),
                              .unit = options.unit});
}

std::string_view NoteOf(MeshRelation relation) {
  switch (relation) {
    case MeshRelation::kFirstInSecond:
      return "A is inside B";
    case MeshRelation::kSecondInFirst:
      return "B is inside A";
    case MeshRelation::kSolidsOverlap:
      return "parts of one are inside the other";
    case MeshRelation::kUndefined:
      return "whether one is inside the other has no answer, as that is open";
    case MeshRelation::kMeet:
    case MeshRelation::kApart:
      break;
  }
  return "";
}

bool IsJudgedByParity(const Mesh& mesh, InsideRule rule) {
  return rule == InsideRule::kWinding && IsClosed(mesh) && !DoFacesAgree(mesh);
}

std::string NoteOnParity(std::string_view mesh) {
  return Cat("the faces of ", mesh,
             " do not agree: parity decides what is inside");
}

absl::StatusOr<std::vector<double>> DistancesOfVertices(const PosedTree& a,
                                                        const PosedTree& b,
                                                        const RunOptions& run) {
  const auto nearest = ClosestPoint(b, PlacesOfVertices(a), run);
  if (!nearest.ok()) return nearest.status();
  std::vector<double> distances;
  distances.reserve(nearest->size());
  for (const auto& point : *nearest) distances.push_back(point->distance);
  return distances;
}

absl::StatusOr<SurfaceDeviation> MeasureDeviation(
    const PosedTree& a, const Tree& b, const HausdorffLimits& wanted,
    const PairReportOptions& options) {
  SurfaceDeviation deviation;
  const RunOptions run{
      .statistics = options.has_page ? &deviation.statistics : nullptr,
      .threads = options.query.threads,
      .progress = options.query.progress,
      .cancelled = options.query.cancelled};
  const Mesh& mesh = a.tree().mesh();
  const bool is_cloud = IsOfPoints(mesh);
  const bool needs_bounds = options.has_page || !is_cloud;
  if (needs_bounds) {
    options.begin("distances for the files");
    const absl::StatusOr<HausdorffResult> a_to_b =
        HausdorffDistance(a, b, wanted, run);
    if (!a_to_b.ok()) return a_to_b.status();
    deviation.a_to_b = *a_to_b;
    deviation.end = a_to_b->upper;
  }
  if (needs_bounds && !options.one_way) {
    const absl::StatusOr<HausdorffResult> b_to_a =
        HausdorffDistance(b, a, wanted, run);
    if (!b_to_a.ok()) return b_to_a.status();
    deviation.b_to_a = *b_to_a;
  }

  // A point is as far away as its vertex.
  if (!is_cloud) {
    options.begin("distances of faces");
    const absl::StatusOr<std::vector<TriangleDeviation>> field =
        DeviationField(a, b, wanted, run);
    if (!field.ok()) return field.status();
    for (const TriangleDeviation& d : *field) {
      deviation.faces.push_back(d.farthest_upper);
    }
  }

  deviation.places = PlacesOfVertices(a);
  deviation.vertices.assign(options.vertices.begin(), options.vertices.end());
  if (deviation.vertices.empty()) {
    options.begin("distances of vertices");
    absl::StatusOr<std::vector<double>> distances =
        DistancesOfVertices(a, b, run);
    if (!distances.ok()) return distances.status();
    deviation.vertices = *std::move(distances);
  }
  if (is_cloud) {
    for (const TriangleIndices& t : mesh.triangles()) {
      deviation.faces.push_back(deviation.vertices[t[0]]);
    }
  }
  if (!needs_bounds) {
    deviation.end =
        *std::max_element(deviation.faces.begin(), deviation.faces.end());
  }
  deviation.end = std::min(deviation.end, options.limits.max_distance);
  if (options.has_page) {
    deviation.summary = SummarizeDistances(
        deviation.vertices, WeightsOfVertices(a), options.limits);
  }
  Add(deviation.statistics, options);
  return deviation;
}

absl::StatusOr<std::string> MakeDeviationPage(const PosedTree& a, const Tree& b,
                                              const SurfaceDeviation& deviation,
                                              const PairReportOptions& options,
                                              bool is_cloud) {
  std::vector<ReportPicture> pictures;
  if (!is_cloud) {
    picture::Findings findings{.a = a};
    findings.from = b;
    findings.within = deviation.end;
    findings.face_distances.emplace_back();
    for (const double d : deviation.faces) {
      // Distances are kept above 0: red, the colour of overlaps, would be
      // misleading if all is well.
      findings.face_distances[0].push_back(
          std::max(d, std::numeric_limits<double>::min()));
    }
    absl::StatusOr<std::vector<ReportPicture>> drawn =
        Draw(findings, "A, by its distance from B", options);
    if (!drawn.ok()) return drawn.status();
    pictures = *std::move(drawn);
  }
  const PosedTree model = b;
  return DeviationReportPage({.title = options.title,
                              .a = a,
                              .b = model,
                              .is_cloud = is_cloud,
                              .deviation = deviation,
                              .limits = options.limits,
                              .pictures = std::move(pictures),
                              .unit = options.unit});
}

}  // namespace orbox::report
