// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_files.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <span>
#include <utility>
#include <vector>

#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_id.h"
#include "tools/orbox/clash/clash_schema.h"
#include "tools/orbox/clash/clash_views.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_issues.h"
#include "tools/report/clash_model.h"
#include "tools/report/clash_report.h"

namespace orbox::cli {
namespace {

using report::ClashList;
using report::ClashView;
using report::ListedClash;

// Returns the current time. If SOURCE_DATE_EPOCH is set, returns that time, for
// reproducible files (reproducible-builds.org).
std::string DateOfIssues() {
  std::time_t now = std::time(nullptr);
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH")) {
    const absl::StatusOr<uint64_t> given =
        ParseCount(epoch, 0, uint64_t{1} << 37);
    if (given.ok()) now = static_cast<std::time_t>(*given);
  }
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

report::BcfTopic TopicOf(const ListedClash& clash, const ClashInput& scene,
                         const ClashList& list, const ClashView* drawn,
                         const Settings& settings) {
  report::ClashIssue issue{
      .clash = clash,
      .names = scene.facts.NamesOf(clash.pair.a, clash.pair.b),
      .description =
          ListedClashSchema(scene, list).Text("", clash, settings.style),
      .components = {},
      .drawn = drawn,
      .view_id = ClashId(clash.id, "viewpoint"),
      .metres = report::MetresOf(scene.unit)};
  for (const size_t body : {clash.pair.a, clash.pair.b}) {
    const std::string note = scene.facts.NotJudged(body);
    if (!note.empty()) issue.description += Cat(note, "\n");
    issue.components.push_back(
        {scene.bodies[body].name,
         report::IfcGuidOf(scene.bodies[body].properties)});
  }
  return report::IssueOf(issue);
}

absl::Status WriteBcf(const std::string& path, const ClashInput& scene,
                      const ClashList& list, std::span<const ClashView> drawn,
                      const Settings& settings) {
  std::vector<report::BcfTopic> topics;
  for (size_t i = 0; i < list.ToLookAt(); ++i) {
    const ListedClash& clash = list.clashes[i];
    topics.push_back(TopicOf(clash, scene, list,
                             i < drawn.size() ? &drawn[i] : nullptr, settings));
  }
  for (const report::ResolvedClash& clash :
       list.resolved.value_or(std::vector<report::ResolvedClash>())) {
    topics.push_back(
        {.id = clash.id,
         .title = Cat(clash.kind, ": ", clash.a_name, " and ", clash.b_name),
         .description = "Resolved: it is not there any more.",
         .status = "Closed",
         .labels = {clash.kind},
         .components = {},
         .view = std::nullopt});
  }
  const absl::StatusOr<std::string> bytes =
      report::BcfFile(topics, {.author = "orbox", .date = DateOfIssues()});
  if (!bytes.ok()) return bytes.status();
  return WriteSideFile(path, *bytes);
}

std::vector<BodyProperties> PropertiesOf(const ClashInput& scene) {
  std::vector<BodyProperties> properties;
  for (const SceneBody& body : scene.bodies) {
    properties.push_back(body.properties);
  }
  return properties;
}

// Returns the frame that the model shows: the worst frame of the worst clash.
size_t FrameOf(const ClashList& list) {
  return list.clashes.empty() ? 0 : list.clashes.front().frame;
}

absl::Status WriteGlb(const std::string& path, const ClashInput& scene,
                      const ClashList& list) {
  const absl::StatusOr<std::vector<PosedTree>> bodies =
      BodiesAt(scene, FrameOf(list));
  if (!bodies.ok()) return bodies.status();
  const absl::StatusOr<std::string> bytes =
      report::ClashModel(*bodies, scene.facts, PropertiesOf(scene), list);
  if (!bytes.ok()) return bytes.status();
  return WriteSideFile(path, *bytes);
}

// Adds the interactive model of a page, unless it would be too large.
absl::Status AddModel(std::span<const ClashView> views, const ClashInput& scene,
                      const ClashList& list, report::ClashReport& report) {
  const size_t frame = FrameOf(list);
  const absl::StatusOr<std::vector<PosedTree>> bodies = BodiesAt(scene, frame);
  if (!bodies.ok()) return bodies.status();
  absl::StatusOr<std::string> model = report::PlainModel(*bodies);
  if (!model.ok()) {
    // A coordinate is beyond the range of float.
    report.no_model =
        Cat("No model to turn: ", std::string(model.status().message()), ".");
  } else if (model->size() > report::kMostModelBytes) {
    report.no_model =
        Cat("No model to turn: it has ", model->size() >> 20,
            " MiB, and a page holds up to ", report::kMostModelBytes >> 20,
            "; --glb FILE writes a model for any viewer.");
  }
  if (!report.no_model.empty()) {
    WriteToStandardError(Cat("orbox: note: the page: ", report.no_model, "\n"));
    return absl::OkStatus();
  }
  for (size_t i = 0; i < views.size(); ++i) {
    const absl::StatusOr<report::ModelView> view =
        ModelViewOf(list.clashes[i], views[i], frame, scene);
    if (!view.ok()) return view.status();
    report.views.push_back(*view);
  }
  report.model = *std::move(model);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ClashFiles> ReadClashFiles(const Arguments& arguments) {
  const absl::StatusOr<std::string> report =
      ReadSideFile(arguments, kClashReportOption);
  if (!report.ok()) return report.status();
  const absl::StatusOr<std::string> bcf = ReadSideFile(arguments, kBcfOption);
  if (!bcf.ok()) return bcf.status();
  const absl::StatusOr<std::string> glb =
      ReadSideFile(arguments, kClashGlbOption);
  if (!glb.ok()) return glb.status();
  const absl::StatusOr<picture::PictureSize> size = ReadPictureSize(
      arguments, kClashPictureSizeOption.name, {.width = 480, .height = 360});
  if (!size.ok()) return size.status();
  const absl::StatusOr<std::optional<uint64_t>> pictures =
      arguments.Count(kPicturesOption.name, 0, 1'000'000);
  if (!pictures.ok()) return pictures.status();
  return ClashFiles{.report = *report,
                    .bcf = *bcf,
                    .glb = *glb,
                    .pictures = *pictures,
                    .picture_size = *size};
}

absl::Status WriteClashFiles(const ClashFiles& files, const ClashInput& scene,
                             const report::SceneSummary& summary,
                             const ClashList& list,
                             const TraversalStatistics& statistics,
                             const Settings& settings,
                             ProgressDisplay& progress) {
  const size_t all = list.ToLookAt();
  const size_t of_bcf = files.pictures.value_or(all);
  const size_t of_page = files.pictures.value_or(kPicturesOfPage);
  const size_t wanted = std::max(files.bcf.empty() ? 0 : of_bcf,
                                 files.report.empty() ? 0 : of_page);
  const size_t on_page =
      files.report.empty() ? 0 : std::min(all, report::kMostClashesOnPage);
  const size_t drawn = std::min(wanted, all);
  const absl::StatusOr<std::vector<ClashView>> views =
      ViewClashes({.count = std::max(drawn, on_page),
                   .drawn = drawn,
                   .size = files.picture_size},
                  scene, list, settings, progress);
  if (!views.ok()) return views.status();
  if (!files.bcf.empty()) {
    const absl::Status written = WriteBcf(
        files.bcf, scene, list, std::span(*views).first(drawn), settings);
    if (!written.ok()) return written;
  }
  if (!files.glb.empty()) {
    const absl::Status written = WriteGlb(files.glb, scene, list);
    if (!written.ok()) return written;
  }
  if (files.report.empty()) return absl::OkStatus();
  report::ClashReport report{.scene = scene.facts,
                             .summary = summary,
                             .list = list,
                             .tolerance = scene.parameters.tolerance,
                             .unit = settings.style.unit,
                             .statistics = statistics,
                             .properties = PropertiesOf(scene),
                             .pictures = {},
                             .model = "",
                             .no_model = "",
                             .views = {}};
  for (size_t i = 0; i < std::min(of_page, drawn); ++i) {
    const ClashView& view = (*views)[i];
    if (view.png.empty()) break;
    report.pictures.push_back({.png = view.png,
                               .width = files.picture_size.width,
                               .height = files.picture_size.height,
                               .caption = ""});
  }
  if (report::HasViewer() && on_page > 0) {
    const absl::Status model =
        AddModel(std::span(*views).first(on_page), scene, list, report);
    if (!model.ok()) return model;
  }
  return WriteSideFile(files.report, report::ClashReportPage(report));
}

}  // namespace orbox::cli
