// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_issues.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/png.h"
#include "tools/report/clash_id.h"
#include "tools/report/clash_words.h"

namespace orbox::report {
namespace {

using tools::Cat;

picture::PlaceToShow ShownPlaceOf(const BodyClash& pair) {
  picture::PlaceToShow shown{
      .a = pair.a, .b = pair.b, .place = PlaceOf(pair), .gap = std::nullopt};
  const std::optional<Witness>& gap = pair.clash.gap;
  const bool is_apart = !(pair.clash.thickness.lower > 0) && gap.has_value();
  if (is_apart && gap->distance > 0) {
    shown.gap = Segment{gap->on_a, gap->on_b};
  }
  return shown;
}

// Adds "Wall A and Duct B: clash", and its measures.
void AddLines(const ListedClash& clash, const IssueContext& context,
              std::string& text) {
  text += Cat(TitleOf(clash.pair, context.words), ": ",
              KindText(clash.pair.clash.kind), "\n");
  for (const Measure& measure :
       MeasuresOf(clash, context.scene,
                  context.words.bodies[clash.pair.a].title, context.unit)) {
    text += Cat("  ", measure.name, " ", measure.value, "\n");
  }
}

std::string DescriptionOf(const Issue& issue, const IssueContext& context,
                          const std::vector<size_t>& bodies) {
  constexpr size_t kMostClashes = 50;
  std::string text;
  const size_t count = issue.clashes.size();
  if (count > 1)
    text += Cat(tools::Grouped(count), " clashes, the worst first\n");
  const std::string where = issue.Where();
  if (!where.empty()) text += Cat(where, "\n");
  for (size_t i = 0; i < std::min(count, kMostClashes); ++i) {
    AddLines(context.list.clashes[issue.clashes[i]], context, text);
  }
  if (count > kMostClashes) {
    text += Cat("and ", tools::Grouped(count - kMostClashes), " more\n");
  }
  for (const size_t body : bodies) {
    const std::string note = context.scene.NotJudged(body);
    if (!note.empty()) text += Cat(note, "\n");
  }
  return text;
}

// Returns the bodies of an issue: its element, or else the first body of its
// worst clash, and then the others.
std::vector<size_t> BodiesOf(const Issue& issue, const ClashList& list) {
  const BodyClash& worst = list.clashes[issue.clashes.front()].pair;
  std::vector<size_t> bodies = {issue.element.value_or(worst.a)};
  std::set<size_t> known = {bodies.front()};
  for (const size_t i : issue.clashes) {
    for (const size_t body : {list.clashes[i].pair.a, list.clashes[i].pair.b}) {
      if (known.insert(body).second) bodies.push_back(body);
    }
  }
  return bodies;
}

BcfViewpoint ViewpointOf(const Issue& issue, const ClashView& drawn,
                         double metres) {
  picture::PlaceView view = drawn.view;
  if (!drawn.has_side) {
    // An oblique view from above; up is z.
    view.back = Normalized(Vec3{1.3, -2, 1.1});
    view.right = Normalized(Cross(Vec3{0, 0, 1}, view.back));
    view.up = Cross(view.back, view.right);
  }
  // The field of view of an issue is 60 degrees; it contains the radius at the
  // place.
  const double away = view.radius * std::sqrt(3.0);
  return {.id = ViewpointId(issue.id),
          .eye = (view.shown.place + view.back * away) * metres,
          .direction = view.back * -1.0,
          .up = view.up,
          .png = drawn.png};
}

BcfTopic TopicOf(const Issue& issue, const IssueContext& context,
                 const ClashView* drawn) {
  const ListedClash& worst = context.list.clashes[issue.clashes.front()];
  const std::string kind(KindNameOf(worst.pair.clash.kind));
  const std::vector<size_t> bodies = BodiesOf(issue, context.list);
  std::string ids;
  for (const size_t i : issue.clashes) {
    ids += Cat(ids.empty() ? "" : ",", ShortId(context.list.clashes[i].id));
  }
  const Vec3 place = PlaceOf(worst.pair);
  BcfTopic topic{.id = issue.id,
                 .title = Cat(kind, ": ", issue.title),
                 .description = DescriptionOf(issue, context, bodies),
                 .status = std::string(issue.Status()),
                 .priority = std::string(NameOf(issue.priority)),
                 .assigned = issue.decision.assigned,
                 .labels = {kind},
                 .links = {Cat(kClashesLink, ids), Cat(kPlaceLink, place.x, ",",
                                                       place.y, ",", place.z)},
                 .comments = issue.decision.comments};
  std::set<std::string> files;
  for (const size_t body : bodies) {
    const BodyWords& words = context.words.bodies[body];
    if (!words.file.empty()) files.insert(words.file);
    topic.components.push_back({.name = context.scene.names[body],
                                .ifc_guid = words.guid,
                                .color = body == bodies.front()
                                             ? picture::kColorOfFirst
                                             : picture::kColorOfSecond});
  }
  topic.files.assign(files.begin(), files.end());
  if (drawn != nullptr) {
    topic.view = ViewpointOf(issue, *drawn, context.words.metres);
  }
  return topic;
}

}  // namespace

absl::StatusOr<ClashView> ViewClash(
    const picture::PlacePainter& painter, const BodyClash& pair,
    const std::optional<picture::PictureSize>& size) {
  const picture::PlaceToShow shown = ShownPlaceOf(pair);
  ClashView view;
  view.view.shown = shown;
  view.view.radius = painter.RadiusOf(shown);
  view.has_side = size.has_value();
  if (!size.has_value()) return view;
  view.view = painter.ViewOf(shown);
  if (!picture::CheckPngSupport().ok()) return view;
  absl::StatusOr<std::string> png =
      picture::EncodePng(painter.Draw(view.view, *size));
  if (!png.ok()) return png.status();
  view.png = *std::move(png);
  return view;
}

ModelView ModelViewOf(const ClashView& view) {
  const picture::PlaceToShow& shown = view.view.shown;
  ModelView model{.a = shown.a,
                  .b = shown.b,
                  .place = shown.place,
                  .radius = view.view.radius,
                  .gap = shown.gap,
                  .back = std::nullopt,
                  .move_a = std::nullopt,
                  .move_b = std::nullopt};
  if (view.has_side) model.back = view.view.back;
  return model;
}

std::vector<BcfTopic> TopicsOf(const IssueContext& context,
                               std::span<const ClashView> views,
                               const Review* review,
                               std::span<const std::string> left) {
  std::vector<BcfTopic> topics;
  std::set<std::string> ids;
  for (const Issue& issue : context.issues) {
    const size_t worst = issue.clashes.front();
    topics.push_back(TopicOf(issue, context,
                             worst < views.size() ? &views[worst] : nullptr));
    ids.insert(issue.id);
  }
  const auto add_closed = [&](BcfTopic topic) {
    if (!ids.insert(topic.id).second) return;
    topic.description = "Resolved: it is not there any more.";
    topics.push_back(std::move(topic));
  };
  for (const std::string& id : left) {
    const Decision& decision = *review->Find(id);
    add_closed({.id = id,
                .title = decision.title.empty() ? "resolved" : decision.title,
                .status = std::string(kClosedStatus),
                .assigned = decision.assigned,
                .comments = decision.comments});
  }
  if (!context.list.resolved.has_value()) return topics;
  for (const ResolvedClash& clash : *context.list.resolved) {
    add_closed(
        {.id = clash.id,
         .title = Cat(clash.kind, ": ", clash.a_name, " and ", clash.b_name),
         .status = std::string(kClosedStatus),
         .labels = {clash.kind}});
  }
  return topics;
}

}  // namespace orbox::report
