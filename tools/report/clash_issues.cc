// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_issues.h"

#include <cmath>
#include <optional>
#include <utility>

#include "tools/base/text.h"
#include "tools/picture/png.h"

namespace orbox::report {
namespace {

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

// Returns nothing for an unknown unit.
std::optional<double> FindMetres(std::string_view unit) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"m", 1},         {"mm", 0.001},  {"cm", 0.01},
      {"dm", 0.1},      {"km", 1000},   {"in", 0.0254},
      {"inch", 0.0254}, {"ft", 0.3048}, {"um", 1e-6}};
  for (const auto& [name, metres] : kUnits) {
    if (unit == name) return metres;
  }
  return std::nullopt;
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

double MetresOf(std::string_view unit) { return FindMetres(unit).value_or(1); }

bool IsUnit(std::string_view unit) { return FindMetres(unit).has_value(); }

std::string IfcGuidOf(const std::map<std::string, std::string>& properties) {
  for (const auto& [key, value] : properties) {
    const std::string name = tools::LowerCase(key);
    const bool is_guid = name.find("guid") != std::string::npos ||
                         name.find("globalid") != std::string::npos;
    if (is_guid && IsIfcGuid(value)) return value;
  }
  return "";
}

BcfTopic IssueOf(const ClashIssue& issue) {
  const std::string kind(KindNameOf(issue.clash.pair.clash.kind));
  BcfTopic topic{.id = issue.clash.id,
                 .title = tools::Cat(kind, ": ", issue.names),
                 .description = issue.description,
                 .status = "Open",
                 .labels = {kind},
                 .components = issue.components,
                 .view = std::nullopt};
  if (issue.drawn == nullptr) return topic;
  const picture::PlaceView& view = issue.drawn->view;
  // The field of view of an issue is 60 degrees; it contains the radius at the
  // place.
  const double away = view.radius * std::sqrt(3.0);
  topic.view = {.id = issue.view_id,
                .eye = (view.shown.place + view.back * away) * issue.metres,
                .direction = view.back * -1.0,
                .up = view.up,
                .png = issue.drawn->png};
  return topic;
}

}  // namespace orbox::report
