// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_files.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/bcf_review.h"
#include "tools/orbox/clash/clash_views.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_issues.h"
#include "tools/report/clash_model.h"
#include "tools/report/clash_report.h"
#include "tools/report/clash_words.h"

namespace orbox::cli {
namespace {

using report::ClashList;
using report::ClashView;

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

report::IssueContext ContextOf(const ClashInput& scene, const ClashList& list,
                               const ClashIssues& issues) {
  return {.scene = scene.facts,
          .list = list,
          .words = issues.words,
          .issues = issues.issues,
          .unit = scene.unit};
}

absl::Status WriteBcf(const ClashFiles& files, const ClashInput& scene,
                      const ClashList& list, const ClashIssues& issues,
                      std::span<const ClashView> views) {
  const std::vector<report::BcfTopic> topics = report::TopicsOf(
      ContextOf(scene, list, issues), views, &issues.review, issues.left);
  const absl::StatusOr<std::string> bytes =
      report::BcfFile(topics, {.author = "orbox",
                               .date = DateOfIssues(),
                               .version = files.bcf_version});
  if (!bytes.ok()) return bytes.status();
  return WriteSideFile(files.bcf, *bytes);
}

// Reads "pair", "element", "near=0.5" or "group".
absl::StatusOr<report::IssueOptions> ReadIssueOptions(
    const Arguments& arguments) {
  const std::string how = arguments.Value(kIssuesOption.name, "pair");
  constexpr std::string_view kNear = "near=";
  if (how == "pair") return report::IssueOptions{};
  if (how == "element") {
    return report::IssueOptions{.rule = report::IssueRule::kElement};
  }
  if (how == "group") {
    if (arguments.Has("--group")) {
      return report::IssueOptions{.rule = report::IssueRule::kGroup};
    }
    return UsageError("--issues group: there are no groups; add --group KEYS");
  }
  if (how.starts_with(kNear)) {
    const absl::StatusOr<double> distance =
        ParseReal(std::string_view(how).substr(kNear.size()));
    if (distance.ok() && *distance >= 0) {
      return report::IssueOptions{.rule = report::IssueRule::kNear,
                                  .distance = *distance};
    }
  }
  return UsageError(Cat("--issues: ", Quoted(how),
                        " is none of pair, element, near=D, group"));
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

// Adds the views of a page, and its interactive model, unless it would be too
// large.
absl::Status AddModel(std::span<const ClashView> views, const ClashInput& scene,
                      const ClashList& list, report::ClashReport& report) {
  const size_t frame = FrameOf(list);
  for (size_t i = 0; i < views.size(); ++i) {
    const absl::StatusOr<report::ModelView> view =
        ModelViewOf(list.clashes[i], views[i], frame, scene);
    if (!view.ok()) return view.status();
    report.views.push_back(*view);
  }
  if (!report::HasViewer() || views.empty()) return absl::OkStatus();
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
  if (report.no_model.empty()) {
    report.model = *std::move(model);
  } else {
    WriteToStandardError(Cat("orbox: note: the page: ", report.no_model, "\n"));
  }
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
  const absl::StatusOr<report::IssueOptions> issues =
      ReadIssueOptions(arguments);
  if (!issues.ok()) return issues.status();
  const absl::StatusOr<size_t> version =
      arguments.Choice(kBcfVersionOption.name, kBcfVersions, 0);
  if (!version.ok()) return version.status();
  return ClashFiles{.report = *report,
                    .bcf = *bcf,
                    .bcf_version = static_cast<report::BcfVersion>(*version),
                    .glb = *glb,
                    .pictures = *pictures,
                    .issues = *issues,
                    .reviews = arguments.Values(kReviewOption.name),
                    .picture_size = *size};
}

namespace {

// Returns true for letters, digits and hyphens, as in GUIDs. Names in a BCF
// archive contain the id.
bool IsIssueId(std::string_view id) {
  constexpr size_t kLongest = 64;
  return id.size() <= kLongest && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
         });
}

// Returns the text without characters that XML cannot contain.
std::string PrintableLines(std::string_view text) {
  std::string lines;
  for (;;) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += mesh_internal::Printable(text.substr(0, end));
    if (end == text.size()) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

report::Decision Printable(report::Decision decision) {
  decision.title = PrintableLines(decision.title);
  decision.status = PrintableLines(decision.status);
  decision.assigned = PrintableLines(decision.assigned);
  for (report::IssueComment& comment : decision.comments) {
    comment = {.text = PrintableLines(comment.text),
               .author = PrintableLines(comment.author),
               .date = PrintableLines(comment.date)};
  }
  return decision;
}

}  // namespace

absl::StatusOr<report::Review> ReadReviews(std::span<const std::string> paths) {
  report::Review all;
  for (const std::string& path : paths) {
    const absl::StatusOr<FileBytes> bytes = ReadFileBytes(path);
    if (!bytes.ok()) return bytes.status();
    const absl::StatusOr<report::Review> read =
        ParseReview(bytes->view(), NameOfInput(path));
    if (!read.ok()) return read.status();
    for (const std::string& given : read->ids()) {
      const std::string id = LowerCase(given);
      if (!IsIssueId(id)) {
        return absl::InvalidArgumentError(
            Cat(NameOfInput(path), ": ", Quoted(OnOneLine(given)),
                " is no id of an issue; keep the ids that orbox wrote"));
      }
      all.Add(id, Printable(*read->Find(given)));
    }
  }
  return all;
}

ClashIssues FindIssues(const report::IssueOptions& options,
                       const ClashInput& scene, const ClashList& list,
                       const std::vector<std::string>& ids,
                       const ScenePlaces& places, report::Review review) {
  ClashIssues found;
  for (const SceneBody& body : scene.bodies) {
    found.words.bodies.push_back(report::WordsOf(body.name, body.properties));
  }
  found.words.ids = ids;
  found.words.places = report::PlaceWords(places.storeys, places.grid);
  found.words.metres = report::MetresOf(scene.unit);
  found.issues = report::IssuesOf(list, options, found.words);
  found.review = std::move(review);
  found.left = report::Decide(found.review, list, found.words, found.issues);
  return found;
}

absl::Status WriteClashFiles(const ClashFiles& files, const ClashInput& scene,
                             const report::SceneSummary& summary,
                             const ClashList& list, const ClashIssues& issues,
                             const TraversalStatistics& statistics,
                             const Settings& settings,
                             ProgressDisplay& progress) {
  const uint64_t of_bcf = files.pictures.value_or(kPicturesOfBcf);
  const uint64_t of_page = files.pictures.value_or(kPicturesOfPage);
  const size_t drawn = std::min<size_t>(
      issues.issues.size(), std::max(files.bcf.empty() ? 0 : of_bcf,
                                     files.report.empty() ? 0 : of_page));
  const size_t all = list.ToLookAt();
  const bool has_all = !files.bcf.empty();
  const size_t count = has_all ? all
                       : files.report.empty()
                           ? 0
                           : std::min(all, report::kMostClashesOnPage);
  std::vector<WantedPicture> pictures;
  for (size_t i = 0; i < drawn; ++i) {
    const report::Issue& issue = issues.issues[i];
    const size_t worst = issue.clashes.front();
    if (worst >= count) break;
    pictures.push_back(
        {.clash = worst,
         .is_swapped = issue.element == list.clashes[worst].pair.b});
  }
  const absl::StatusOr<std::vector<ClashView>> views = ViewClashes(
      {.count = count, .drawn = pictures, .size = files.picture_size}, scene,
      list, settings, progress);
  if (!views.ok()) return views.status();
  if (!files.bcf.empty()) {
    const absl::Status written = WriteBcf(files, scene, list, issues, *views);
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
                             .words = issues.words,
                             .issues = issues.issues,
                             .tolerance = scene.parameters.tolerance,
                             .unit = scene.unit,
                             .statistics = statistics,
                             .properties = PropertiesOf(scene),
                             .pictures = {},
                             .review = &issues.review,
                             .left = issues.left,
                             .views = {},
                             .model = "",
                             .no_model = ""};
  for (size_t i = 0; i < std::min<size_t>(of_page, pictures.size()); ++i) {
    const ClashView& view = (*views)[pictures[i].clash];
    if (view.png.empty()) break;
    report.pictures.push_back({.issue = i,
                               .picture = {.png = view.png,
                                           .width = files.picture_size.width,
                                           .height = files.picture_size.height,
                                           .caption = ""}});
  }
  const size_t on_page = std::min(count, report::kMostClashesOnPage);
  const absl::Status model =
      AddModel(std::span(*views).first(on_page), scene, list, report);
  if (!model.ok()) return model;
  return WriteSideFile(files.report, report::ClashReportPage(report));
}

}  // namespace orbox::cli
