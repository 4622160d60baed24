// SPDX-License-Identifier: Apache-2.0

// Reports on the clashes of a scene: an interactive page, and issues for
// building coordination programs.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
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
#include "tools/report/clash_words.h"
#include "tools/report/issue_list.h"
#include "tools/report/review.h"
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
  bool has_issues = false;
  size_t on_page = 0;    // number of pictures
  size_t of_issues = 0;  // number of pictures in BCF
  // "pair", "element", "near" or "group", and the distance of "near".
  std::string issues = "pair";
  double near = 0;
  std::vector<std::string> ids;  // of the bodies, equal from run to run
  std::vector<std::string> reviews;  // contents of files, the oldest first
  // Storeys as (name, elevation), axes as (name, x, y, x, y).
  std::vector<std::tuple<std::string, double>> storeys;
  std::vector<std::tuple<std::string, double, double, double, double>> grid;
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

// The issues of a scene, and what people have decided about them.
struct FoundIssues {
  report::SceneWords words;
  std::vector<report::Issue> issues;
  report::Review review;
  std::vector<std::string> left;  // ids of decisions without an issue
};

absl::StatusOr<FoundIssues> IssuesOf(const report::ClashList& list,
                                     const ReportBodies& bodies,
                                     const ReportAbout& about) {
  static const std::map<std::string, report::IssueRule> kRules = {
      {"pair", report::IssueRule::kPair},
      {"element", report::IssueRule::kElement},
      {"near", report::IssueRule::kNear},
      {"group", report::IssueRule::kGroup}};
  FoundIssues found;
  for (const std::string& bytes : about.reviews) {
    const absl::StatusOr<report::Review> read =
        report::ParseReview(bytes, "review");
    if (!read.ok()) return read.status();
    for (const std::string& id : read->ids()) {
      found.review.Add(id, *read->Find(id));
    }
  }
  for (size_t i = 0; i < bodies.names.size(); ++i) {
    found.words.bodies.push_back(
        report::WordsOf(bodies.names[i], bodies.properties[i]));
  }
  found.words.ids = about.ids;
  found.words.metres = report::MetresOf(about.unit);
  std::vector<report::Storey> storeys;
  for (const auto& [name, elevation] : about.storeys) {
    storeys.push_back({.name = name, .elevation = elevation});
  }
  std::vector<report::GridAxis> axes;
  for (const auto& [name, x, y, to_x, to_y] : about.grid) {
    axes.push_back({.name = name, .from = {x, y}, .to = {to_x, to_y}});
  }
  found.words.places = report::PlaceWords(std::move(storeys), axes);
  found.issues = report::IssuesOf(
      list, {.rule = kRules.at(about.issues), .distance = about.near},
      found.words);
  found.left = report::Decide(found.review, list, found.words, found.issues);
  return found;
}

// The views of the clashes of the list, and the positions of those drawn: the
// worst of each of the first issues.
struct FoundViews {
  std::vector<report::ClashView> views;
  std::vector<size_t> drawn;
};

absl::StatusOr<FoundViews> ViewsOf(const report::ClashList& list,
                                   std::span<const report::Issue> issues,
                                   const ReportBodies& bodies,
                                   const ReportAbout& about, size_t threads,
                                   Control& control) {
  const picture::PlacePainter painter(bodies.posed);
  const size_t count = list.ToLookAt();
  const size_t pictures = std::max(about.on_page, about.of_issues);
  FoundViews found;
  found.views.resize(count);
  std::vector<bool> draws(count);
  for (const report::Issue& issue :
       issues.first(std::min(pictures, issues.size()))) {
    found.drawn.push_back(issue.clashes.front());
    draws[issue.clashes.front()] = true;
  }
  std::vector<absl::Status> failures(count);
  std::atomic<size_t> done{0};
  tools::ParallelFor(count, threads, [&](size_t i, size_t) {
    if (control.cancelled) return;
    absl::StatusOr<report::ClashView> view =
        report::ViewClash(painter, list.clashes[i].pair,
                          draws[i] ? std::optional(kSize) : std::nullopt);
    failures[i] = view.status();
    if (view.ok()) found.views[i] = *std::move(view);
    control.share = static_cast<double>(++done) / static_cast<double>(count);
  });
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return found;
}

// Adds the views of a page, and an interactive model. Omits the model if it
// would be too large or if a coordinate is beyond the range of float; then the
// page has only pictures.
void AddModel(std::span<const report::ClashView> views,
              const ReportBodies& bodies, report::ClashReport& report) {
  for (const report::ClashView& view : views) {
    if (report.views.size() == report::kMostClashesOnPage) break;
    report.views.push_back(report::ModelViewOf(view));
  }
  if (!report::HasViewer() || views.empty()) return;
  absl::StatusOr<std::string> model = report::PlainModel(bodies.posed);
  if (!model.ok() || model->size() > report::kMostModelBytes) return;
  report.model = *std::move(model);
}

struct ReportFiles {
  std::string page;
  std::string issues;
};

// A clash to report: its index in the list of found clashes, and its UUID.
struct ReportedClash {
  size_t found = 0;
  std::string id;
};

absl::StatusOr<ReportFiles> FilesOf(const std::vector<BodyPairClash>& found,
                                    const std::vector<ReportedClash>& reported,
                                    const ReportBodies& bodies,
                                    const ReportAbout& about,
                                    const TraversalStatistics* statistics,
                                    size_t threads, Control& control) {
  std::vector<BodyClash> pairs;
  std::map<std::pair<size_t, size_t>, std::string> ids;
  for (const ReportedClash& one : reported) {
    const BodyPairClash& clash = found[one.found];
    pairs.push_back({.a = bodies.numbers.at(clash.bodies.a),
                     .b = bodies.numbers.at(clash.bodies.b),
                     .clash = clash.clash});
    ids[{pairs.back().a, pairs.back().b}] = one.id;
  }
  report::SceneSummary summary;
  summary.Add(pairs, std::nullopt);
  report::ClashList list = report::ClashList::Of(summary);
  for (report::ListedClash& clash : list.clashes) {
    clash.id = ids.at({clash.pair.a, clash.pair.b});
  }
  if (!about.grouped_by.empty()) Group(list, bodies, about.grouped_by);

  const absl::StatusOr<FoundIssues> issues = IssuesOf(list, bodies, about);
  if (!issues.ok()) return issues.status();
  const absl::StatusOr<FoundViews> views =
      ViewsOf(list, issues->issues, bodies, about, threads, control);
  if (!views.ok()) return views.status();
  const report::SceneFacts facts = FactsOf(bodies, about);
  ReportFiles files;
  if (about.has_issues) {
    const std::vector<report::BcfTopic> topics =
        report::TopicsOf({.scene = facts,
                          .list = list,
                          .words = issues->words,
                          .issues = issues->issues,
                          .unit = about.unit},
                         views->views, &issues->review, issues->left);
    absl::StatusOr<std::string> bytes =
        report::BcfFile(topics, {.author = "orbox", .date = about.date});
    if (!bytes.ok()) return bytes.status();
    files.issues = *std::move(bytes);
  }
  if (!about.has_page) return files;
  report::ClashReport report{.scene = facts,
                             .summary = summary,
                             .list = list,
                             .words = issues->words,
                             .issues = issues->issues,
                             .tolerance = about.tolerance,
                             .unit = about.unit,
                             .statistics = {},
                             .properties = bodies.properties,
                             .pictures = {},
                             .review = &issues->review,
                             .left = issues->left,
                             .views = {},
                             .model = ""};
  if (statistics != nullptr) report.statistics = *statistics;
  for (size_t i = 0; i < std::min(views->drawn.size(), about.on_page); ++i) {
    const report::ClashView& view = views->views[views->drawn[i]];
    if (view.png.empty()) break;
    report.pictures.push_back({.issue = i,
                               .picture = {.png = view.png,
                                           .width = kSize.width,
                                           .height = kSize.height,
                                           .caption = ""}});
  }
  AddModel(views->views, bodies, report);
  files.page = report::ClashReportPage(report);
  return files;
}

// Returns the page and the issues as bytes. `reported` has rows (index in the
// list of found clashes, UUID of the clash).
nb::tuple ClashFiles(const FoundClashes& found, const nb::list& reported,
                     const nb::list& rows, const ReportAbout& about,
                     const CallOptions& run) {
  const ReportBodies bodies = BodiesOf(rows);
  std::vector<ReportedClash> clashes;
  for (const nb::handle row : reported) {
    clashes.push_back({.found = nb::cast<size_t>(row[0]),
                       .id = nb::cast<std::string>(row[1])});
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
      .def_rw("of_issues", &ReportAbout::of_issues)
      .def_rw("has_issues", &ReportAbout::has_issues)
      .def_rw("issues", &ReportAbout::issues)
      .def_rw("near", &ReportAbout::near)
      .def_rw("ids", &ReportAbout::ids)
      .def_rw("reviews", &ReportAbout::reviews)
      .def_rw("storeys", &ReportAbout::storeys)
      .def_rw("grid", &ReportAbout::grid);
  m.def("clash_files", ClashFiles);
}

}  // namespace orbox::python
