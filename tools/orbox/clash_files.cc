// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash_files.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tools/base/parallel.h"
#include "tools/orbox/clash_id.h"
#include "tools/orbox/clash_schema.h"
#include "tools/orbox/numbers.h"
#include "tools/orbox/picture_size.h"
#include "tools/orbox/text.h"
#include "tools/picture/place_picture.h"
#include "tools/picture/png.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_report.h"

namespace orbox::cli {
namespace {

using report::ClashList;
using report::ListedClash;

// A clash as it is drawn.
struct DrawnClash {
  picture::PlaceView view;
  std::string png;  // empty without libpng
};

picture::PlaceToShow ShownPlaceOf(const BodyClash& pair) {
  picture::PlaceToShow shown{.a = pair.a,
                             .b = pair.b,
                             .place = pair.clash.center,
                             .gap = std::nullopt};
  const std::optional<Witness>& gap = pair.clash.gap;
  if (!(pair.clash.thickness.lower > 0) && gap.has_value()) {
    shown.place = (gap->on_a + gap->on_b) * 0.5;
    if (gap->distance > 0) shown.gap = Segment{gap->on_a, gap->on_b};
  }
  return shown;
}

// Of the first `count` clashes of the list, frame by frame.
absl::StatusOr<std::vector<DrawnClash>> DrawClashes(
    size_t count, const picture::PictureSize& size, const AskedScene& scene,
    const ClashList& list, const Settings& settings, Progress& progress) {
  std::vector<DrawnClash> drawn(count);
  std::map<size_t, std::vector<size_t>> by_frame;
  for (size_t i = 0; i < count; ++i) {
    by_frame[list.clashes[i].frame].push_back(i);
  }
  const bool has_png = picture::CheckPngSupport().ok();
  progress.Begin("pictures", count);
  std::vector<absl::Status> failures(count);
  for (const auto& [frame, indices] : by_frame) {
    // Clang 14 captures no structured bindings.
    const std::vector<size_t>& clashes = indices;
    std::vector<PosedTree> bodies;
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
      absl::StatusOr<PosedTree> body = scene.frames->BodyAt(i, frame);
      if (!body.ok()) return body.status();
      bodies.push_back(*std::move(body));
    }
    const picture::PlacePainter painter(bodies);
    tools::ParallelFor(
        clashes.size(), settings.threads, [&](size_t item, size_t) {
          const size_t i = clashes[item];
          drawn[i].view = painter.ViewOf(ShownPlaceOf(list.clashes[i].pair));
          progress.Advance(1);
          if (!has_png) return;
          absl::StatusOr<std::string> png =
              picture::EncodePng(painter.Draw(drawn[i].view, size));
          failures[i] = png.status();
          if (png.ok()) drawn[i].png = *std::move(png);
        });
  }
  progress.End();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return drawn;
}

// The metres in a unit of the model; 1 where nobody knows.
double MetresOf(const std::string& unit) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"mm", 0.001},  {"cm", 0.01},     {"dm", 0.1},    {"km", 1000},
      {"in", 0.0254}, {"inch", 0.0254}, {"ft", 0.3048}, {"um", 1e-6}};
  for (const auto& [name, metres] : kUnits) {
    if (unit == name) return metres;
  }
  return 1;
}

// The IFC GlobalId in the body's properties, whatever its key is called.
std::string IfcGuidOf(const SceneBody& body) {
  for (const auto& [key, value] : body.properties) {
    const std::string name = LowerCase(key);
    const bool is_guid = name.find("guid") != std::string::npos ||
                         name.find("globalid") != std::string::npos;
    if (is_guid && report::IsIfcGuid(value)) return value;
  }
  return "";
}

// Now, or the time that SOURCE_DATE_EPOCH says, for files that do not change
// from build to build (reproducible-builds.org).
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

report::BcfTopic TopicOf(const ListedClash& clash, const AskedScene& scene,
                         const ClashList& list, const DrawnClash* drawn,
                         const std::string& view_id, const Settings& settings) {
  const std::string_view kind = report::KindNameOf(clash.pair.clash.kind);
  report::BcfTopic topic{
      .id = clash.id,
      .title = Cat(kind, ": ", scene.facts.NamesOf(clash.pair.a, clash.pair.b)),
      .description =
          ListedClashSchema(scene, list).Text("", clash, settings.style),
      .status = "Open",
      .labels = {std::string(kind)},
      .components = {},
      .view = std::nullopt};
  for (const size_t body : {clash.pair.a, clash.pair.b}) {
    topic.components.push_back(
        {scene.bodies[body].name, IfcGuidOf(scene.bodies[body])});
  }
  if (drawn == nullptr) return topic;
  const double metres = MetresOf(settings.style.unit);
  const picture::PlaceView& view = drawn->view;
  // The lens of the issue sees 60 degrees, the radius at the place.
  const double away = view.radius * std::sqrt(3.0);
  topic.view = {.id = view_id,
                .eye = (view.shown.place + view.back * away) * metres,
                .direction = view.back * -1.0,
                .up = view.up,
                .png = drawn->png};
  return topic;
}

absl::Status WriteBcf(const std::string& path, const AskedScene& scene,
                      const ClashList& list, std::span<const DrawnClash> drawn,
                      const Settings& settings) {
  std::vector<report::BcfTopic> topics;
  for (size_t i = 0; i < list.ToLookAt(); ++i) {
    const ListedClash& clash = list.clashes[i];
    topics.push_back(TopicOf(clash, scene, list,
                             i < drawn.size() ? &drawn[i] : nullptr,
                             ClashId(clash.id, "viewpoint"), settings));
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

}  // namespace

absl::StatusOr<ClashFiles> ReadClashFiles(const Arguments& arguments) {
  const absl::StatusOr<std::string> report =
      ReadSideFile(arguments, kClashReportOption);
  if (!report.ok()) return report.status();
  const absl::StatusOr<std::string> bcf = ReadSideFile(arguments, kBcfOption);
  if (!bcf.ok()) return bcf.status();
  const absl::StatusOr<picture::PictureSize> size = ReadPictureSize(
      arguments, kClashPictureSizeOption.name, {.width = 480, .height = 360});
  if (!size.ok()) return size.status();
  const absl::StatusOr<std::optional<uint64_t>> pictures =
      arguments.Count(kPicturesOption.name, 0, 1'000'000);
  if (!pictures.ok()) return pictures.status();
  return ClashFiles{.report = *report,
                    .bcf = *bcf,
                    .pictures = *pictures,
                    .picture_size = *size};
}

absl::Status WriteClashFiles(const ClashFiles& files, const AskedScene& scene,
                             const report::SceneSummary& summary,
                             const ClashList& list,
                             const TraversalStatistics& statistics,
                             const Settings& settings, Progress& progress) {
  const size_t of_bcf = files.pictures.value_or(list.ToLookAt());
  const size_t of_page = files.pictures.value_or(kPicturesOfPage);
  const size_t wanted = std::max(files.bcf.empty() ? 0 : of_bcf,
                                 files.report.empty() ? 0 : of_page);
  const absl::StatusOr<std::vector<DrawnClash>> drawn =
      DrawClashes(std::min(wanted, list.ToLookAt()), files.picture_size, scene,
                  list, settings, progress);
  if (!drawn.ok()) return drawn.status();
  if (!files.bcf.empty()) {
    const absl::Status written =
        WriteBcf(files.bcf, scene, list, *drawn, settings);
    if (!written.ok()) return written;
  }
  if (files.report.empty()) return absl::OkStatus();
  report::ClashReport report{.scene = scene.facts,
                             .summary = summary,
                             .list = list,
                             .tolerance = scene.question.tolerance,
                             .unit = settings.style.unit,
                             .statistics = statistics,
                             .properties = {},
                             .pictures = {}};
  for (const SceneBody& body : scene.bodies) {
    report.properties.push_back(body.properties);
  }
  for (size_t i = 0; i < std::min(of_page, drawn->size()); ++i) {
    if ((*drawn)[i].png.empty()) break;
    report.pictures.push_back({.png = (*drawn)[i].png,
                               .width = files.picture_size.width,
                               .height = files.picture_size.height,
                               .caption = ""});
  }
  return WriteSideFile(files.report, report::ClashReportPage(report));
}

}  // namespace orbox::cli
