// SPDX-License-Identifier: Apache-2.0

// Reports on the clashes of a scene: an interactive page, and issues for
// building coordination programs.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orbox/bvh/io/named_body.h"
#include "tools/base/parallel.h"
#include "tools/base/text.h"
#include "tools/picture/place_picture.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/scene.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_issues.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_report.h"
#include "tools/report/scene_summary.h"

namespace orbox::python {

namespace {

using report::BodyClash;

constexpr picture::PictureSize kSize = {.width = 480, .height = 360};

// Contents of the files, except the clashes.
struct ReportAbout {
  std::string title;
  std::string unit;
  std::string date;
  double tolerance = 0;
  std::optional<double> within;
  bool by_parity = false;
  double close_holes = 0;
  size_t left_out = 0;  // number of elements that are not bodies
  std::vector<std::string> grouped_by;
  bool has_page = false;
  size_t on_page = 0;    // number of pictures
  size_t of_issues = 0;  // number of viewpoints with pictures
};

// A clash to report: its index in the list of found clashes, its UUID, and the
// UUID of its viewpoint.
struct ReportedClash {
  size_t found = 0;
  std::string id;
  std::string view_id;
};

// The bodies, in the order of their numbers.
struct ReportBodies {
  std::vector<PosedTree> posed;
  std::vector<std::string> names;
  std::vector<BodyProperties> properties;
  std::map<BodyId, size_t> numbers;
};

// Reads rows of (id, name, posed tree, properties).
ReportBodies BodiesOf(const nb::list& rows) {
  ReportBodies bodies;
  for (const nb::handle row : rows) {
    bodies.numbers[nb::cast<BodyId>(row[0])] = bodies.posed.size();
    bodies.names.push_back(nb::cast<std::string>(row[1]));
    bodies.posed.push_back(nb::cast<const PosedTree&>(row[2]));
    bodies.properties.push_back(nb::cast<BodyProperties>(row[3]));
  }
  return bodies;
}

report::SceneFacts FactsOf(const ReportBodies& bodies,
                           const ReportAbout& about) {
  report::SceneFacts facts{.title = about.title,
                           .names = bodies.names,
                           .within = about.within,
                           .inside = RuleOf(about.by_parity),
                           .frames = {0},
                           .left_out = about.left_out};
  std::unordered_set<const void*> meshes;
  for (const PosedTree& body : bodies.posed) {
    const Mesh& mesh = body.tree().mesh();
    meshes.insert(mesh.triangles().data());
    facts.triangles += mesh.triangle_count();
    facts.Classify(mesh, body.pose(), about.close_holes);
  }
  facts.meshes = meshes.size();
  return facts;
}

std::string DescriptionOf(const BodyClash& pair, const std::string& unit) {
  const std::string after = unit.empty() ? "" : " " + unit;
  const Clash& clash = pair.clash;
  std::string text;
  if (clash.thickness.upper > 0) {
    text += tools::Cat(
        "shared thickness: ", tools::FormatReal(clash.thickness.lower, 4),
        " to ", tools::FormatReal(clash.thickness.upper, 4), after,
        "\nplace: ", tools::FormatPoint(clash.center), "\n");
  }
  if (clash.is_undecided) text += "undecided: the search gave up\n";
  if (clash.gap.has_value()) {
    text += tools::Cat("distance: ", tools::FormatReal(clash.gap->distance, 4),
                       after, "\nfrom ", tools::FormatPoint(clash.gap->on_a),
                       "\nto ", tools::FormatPoint(clash.gap->on_b), "\n");
  }
  return text;
}

void Group(report::ClashList& list, const ReportBodies& bodies,
           const std::vector<std::string>& keys) {
  std::vector<std::vector<std::string>> labels(bodies.names.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    for (const std::string& key : keys) {
      const auto found = bodies.properties[i].find(key);
      labels[i].push_back(found == bodies.properties[i].end() ? ""
                                                              : found->second);
    }
  }
  list.Group(keys, labels);
}

// Reported clashes by the numbers of their two bodies.
using ReportedPairs = std::map<std::pair<size_t, size_t>, const ReportedClash*>;

// Returns views of the worst clashes of the list, as many as the page shows.
// The number of pictures is the larger of the two files' numbers.
absl::StatusOr<std::vector<report::ClashView>> ViewsOf(
    const report::ClashList& list, const ReportBodies& bodies,
    const ReportAbout& about, size_t threads, Control& control) {
  const picture::PlacePainter painter(bodies.posed);
  const size_t drawn = std::max(about.on_page, about.of_issues);
  const size_t shown = about.has_page ? report::kMostClashesOnPage : 0;
  const size_t count = std::min(list.ToLookAt(), std::max(drawn, shown));
  std::vector<report::ClashView> views(count);
  std::vector<absl::Status> failures(count);
  std::atomic<size_t> done{0};
  tools::ParallelFor(count, threads, [&](size_t i, size_t) {
    if (control.cancelled) return;
    absl::StatusOr<report::ClashView> view =
        report::ViewClash(painter, list.clashes[i].pair,
                          i < drawn ? std::optional(kSize) : std::nullopt);
    failures[i] = view.status();
    if (view.ok()) views[i] = *std::move(view);
    control.share = static_cast<double>(++done) / static_cast<double>(count);
  });
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return views;
}

absl::StatusOr<std::string> IssuesOf(const report::ClashList& list,
                                     const ReportBodies& bodies,
                                     const report::SceneFacts& facts,
                                     const ReportAbout& about,
                                     const ReportedPairs& reported,
                                     std::span<const report::ClashView> views) {
  std::vector<report::BcfTopic> topics;
  for (size_t i = 0; i < list.ToLookAt(); ++i) {
    const report::ListedClash& clash = list.clashes[i];
    const auto [a, b] = std::pair(clash.pair.a, clash.pair.b);
    report::ClashIssue issue{
        .clash = clash,
        .names = facts.NamesOf(a, b),
        .description = DescriptionOf(clash.pair, about.unit),
        .components = {},
        .drawn =
            i < std::min(views.size(), about.of_issues) ? &views[i] : nullptr,
        .view_id = reported.at({a, b})->view_id,
        .metres = report::MetresOf(about.unit)};
    for (const size_t body : {a, b}) {
      const std::string note = facts.NotJudged(body);
      if (!note.empty()) issue.description += note + "\n";
      issue.components.push_back(
          {bodies.names[body], report::IfcGuidOf(bodies.properties[body])});
    }
    topics.push_back(report::IssueOf(issue));
  }
  return report::BcfFile(topics, {.author = "orbox", .date = about.date});
}

// Adds an interactive model to the page. Omits it if it would be too large or
// if a coordinate is beyond the range of float; then the page has only
// pictures.
void AddModel(std::span<const report::ClashView> views,
              const ReportBodies& bodies, report::ClashReport& report) {
  if (!report::HasViewer() || views.empty()) return;
  absl::StatusOr<std::string> model = report::PlainModel(bodies.posed);
  if (!model.ok() || model->size() > report::kMostModelBytes) return;
  for (const report::ClashView& view : views) {
    if (report.views.size() == report::kMostClashesOnPage) break;
    report.views.push_back(report::ModelViewOf(view));
  }
  report.model = *std::move(model);
}

struct ReportFiles {
  std::string page;
  std::string issues;
};

absl::StatusOr<ReportFiles> FilesOf(const std::vector<BodyPairClash>& found,
                                    const std::vector<ReportedClash>& reported,
                                    const ReportBodies& bodies,
                                    const ReportAbout& about,
                                    const TraversalStatistics* statistics,
                                    size_t threads, Control& control) {
  std::vector<BodyClash> pairs;
  ReportedPairs by_pair;
  for (const ReportedClash& one : reported) {
    const BodyPairClash& clash = found[one.found];
    pairs.push_back({.a = bodies.numbers.at(clash.bodies.a),
                     .b = bodies.numbers.at(clash.bodies.b),
                     .clash = clash.clash});
    by_pair[{pairs.back().a, pairs.back().b}] = &one;
  }
  report::SceneSummary summary;
  summary.Add(pairs, std::nullopt);
  report::ClashList list = report::ClashList::Of(summary);
  for (report::ListedClash& clash : list.clashes) {
    clash.id = by_pair.at({clash.pair.a, clash.pair.b})->id;
  }
  if (!about.grouped_by.empty()) Group(list, bodies, about.grouped_by);

  const absl::StatusOr<std::vector<report::ClashView>> views =
      ViewsOf(list, bodies, about, threads, control);
  if (!views.ok()) return views.status();
  const report::SceneFacts facts = FactsOf(bodies, about);
  absl::StatusOr<std::string> issues =
      IssuesOf(list, bodies, facts, about, by_pair, *views);
  if (!issues.ok()) return issues.status();
  report::ClashReport report{.scene = facts,
                             .summary = summary,
                             .list = list,
                             .tolerance = about.tolerance,
                             .unit = about.unit,
                             .statistics = {},
                             .properties = bodies.properties,
                             .pictures = {},
                             .model = "",
                             .views = {}};
  if (statistics != nullptr) report.statistics = *statistics;
  for (size_t i = 0; i < std::min(views->size(), about.on_page); ++i) {
    if ((*views)[i].png.empty()) break;
    report.pictures.push_back({.png = (*views)[i].png,
                               .width = kSize.width,
                               .height = kSize.height,
                               .caption = ""});
  }
  if (about.has_page) AddModel(*views, bodies, report);
  return ReportFiles{.page = report::ClashReportPage(report),
                     .issues = *std::move(issues)};
}

// Returns the page and the issues as bytes. `reported` has rows (index in the
// list of found clashes, UUID of the clash, UUID of its viewpoint).
nb::tuple ClashFiles(const FoundClashes& found, const nb::list& reported,
                     const nb::list& rows, const ReportAbout& about,
                     const CallOptions& run) {
  const ReportBodies bodies = BodiesOf(rows);
  std::vector<ReportedClash> clashes;
  for (const nb::handle row : reported) {
    clashes.push_back({.found = nb::cast<size_t>(row[0]),
                       .id = nb::cast<std::string>(row[1]),
                       .view_id = nb::cast<std::string>(row[2])});
    const size_t i = clashes.back().found;
    if (i >= found.clashes.size() ||
        !bodies.numbers.contains(found.clashes[i].bodies.a) ||
        !bodies.numbers.contains(found.clashes[i].bodies.b)) {
      throw nb::value_error("report: a body was removed meanwhile");
    }
  }
  const size_t threads = run.threads > 0 ? static_cast<size_t>(run.threads)
                                         : tools::DefaultThreads();
  const ReportFiles files = ValueOf(
      Run({.progress = run.progress, .watched = true}, [&](Control& control) {
        return FilesOf(found.clashes, clashes, bodies, about, run.statistics,
                       threads, control);
      }));
  return nb::make_tuple(nb::bytes(files.page.data(), files.page.size()),
                        nb::bytes(files.issues.data(), files.issues.size()));
}

}  // namespace

void BindReport(nb::module_& m) {
  nb::class_<ReportAbout>(m, "ReportAbout")
      .def(nb::init<>())
      .def_rw("title", &ReportAbout::title)
      .def_rw("unit", &ReportAbout::unit)
      .def_rw("date", &ReportAbout::date)
      .def_rw("tolerance", &ReportAbout::tolerance)
      .def_rw("within", &ReportAbout::within, nb::arg().none())
      .def_rw("by_parity", &ReportAbout::by_parity)
      .def_rw("close_holes", &ReportAbout::close_holes)
      .def_rw("left_out", &ReportAbout::left_out)
      .def_rw("grouped_by", &ReportAbout::grouped_by)
      .def_rw("has_page", &ReportAbout::has_page)
      .def_rw("on_page", &ReportAbout::on_page)
      .def_rw("of_issues", &ReportAbout::of_issues);
  m.def("clash_files", ClashFiles);
}

}  // namespace orbox::python
