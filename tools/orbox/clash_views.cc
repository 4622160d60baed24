// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash_views.h"

#include <map>
#include <optional>
#include <utility>

#include "tools/base/parallel.h"
#include "tools/picture/png.h"

namespace orbox::cli {
namespace {

using report::ClashList;

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

// From where a body is in one frame to where it is in another.
absl::StatusOr<std::optional<Pose>> MoveOf(size_t body, size_t from, size_t to,
                                           const AskedScene& scene) {
  std::optional<Pose> none;
  if (from == to) return none;
  const absl::StatusOr<PosedTree> first = scene.frames->BodyAt(body, from);
  if (!first.ok()) return first.status();
  const absl::StatusOr<PosedTree> second = scene.frames->BodyAt(body, to);
  if (!second.ok()) return second.status();
  const std::optional<Pose> back = first->pose().Inverse();
  if (!back.has_value()) return none;
  return std::optional<Pose>(second->pose() * *back);
}

}  // namespace

absl::StatusOr<std::vector<PosedTree>> BodiesAt(const AskedScene& scene,
                                                size_t frame) {
  std::vector<PosedTree> bodies;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    absl::StatusOr<PosedTree> body = scene.frames->BodyAt(i, frame);
    if (!body.ok()) return body.status();
    bodies.push_back(*std::move(body));
  }
  return bodies;
}

absl::StatusOr<std::vector<ClashView>> ViewClashes(const WantedViews& wanted,
                                                   const AskedScene& scene,
                                                   const ClashList& list,
                                                   const Settings& settings,
                                                   Progress& progress) {
  std::vector<ClashView> views(wanted.count);
  std::map<size_t, std::vector<size_t>> by_frame;
  for (size_t i = 0; i < wanted.count; ++i) {
    by_frame[list.clashes[i].frame].push_back(i);
  }
  const bool has_png = picture::CheckPngSupport().ok();
  progress.Begin("pictures", wanted.drawn);
  std::vector<absl::Status> failures(wanted.count);
  for (const auto& [frame, indices] : by_frame) {
    // Clang 14 captures no structured bindings.
    const std::vector<size_t>& clashes = indices;
    const absl::StatusOr<std::vector<PosedTree>> bodies =
        BodiesAt(scene, frame);
    if (!bodies.ok()) return bodies.status();
    const picture::PlacePainter painter(*bodies);
    tools::ParallelFor(
        clashes.size(), settings.threads, [&](size_t item, size_t) {
          const size_t i = clashes[item];
          ClashView& view = views[i];
          const picture::PlaceToShow shown = ShownPlaceOf(list.clashes[i].pair);
          view.view.shown = shown;
          view.view.radius = painter.RadiusOf(shown);
          view.has_side = i < wanted.drawn;
          if (!view.has_side) return;
          view.view = painter.ViewOf(shown);
          if (has_png) {
            absl::StatusOr<std::string> png =
                picture::EncodePng(painter.Draw(view.view, wanted.size));
            failures[i] = png.status();
            if (png.ok()) view.png = *std::move(png);
          }
          progress.Advance(1);
        });
  }
  progress.End();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return views;
}

absl::StatusOr<report::ModelView> ModelViewOf(const report::ListedClash& clash,
                                              const ClashView& view,
                                              size_t frame,
                                              const AskedScene& scene) {
  const picture::PlaceToShow& shown = view.view.shown;
  report::ModelView model{.a = shown.a,
                          .b = shown.b,
                          .place = shown.place,
                          .radius = view.view.radius,
                          .gap = shown.gap,
                          .back = std::nullopt,
                          .move_a = std::nullopt,
                          .move_b = std::nullopt};
  if (view.has_side) model.back = view.view.back;
  absl::StatusOr<std::optional<Pose>> move =
      MoveOf(shown.a, frame, clash.frame, scene);
  if (!move.ok()) return move.status();
  model.move_a = *move;
  move = MoveOf(shown.b, frame, clash.frame, scene);
  if (!move.ok()) return move.status();
  model.move_b = *move;
  return model;
}

}  // namespace orbox::cli
