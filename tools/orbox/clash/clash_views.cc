// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_views.h"

#include <map>
#include <optional>
#include <utility>

#include "tools/base/parallel.h"
#include "tools/picture/place_picture.h"

namespace orbox::cli {
namespace {

using report::BodyClash;
using report::ClashList;
using report::ClashView;

// Returns the motion of a body between two frames, or nothing if it does not
// move.
absl::StatusOr<std::optional<Pose>> MoveOf(size_t body, size_t from, size_t to,
                                           const ClashInput& scene) {
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

absl::StatusOr<std::vector<PosedTree>> BodiesAt(const ClashInput& scene,
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
                                                   const ClashInput& scene,
                                                   const ClashList& list,
                                                   const Settings& settings,
                                                   ProgressDisplay& progress) {
  std::vector<ClashView> views(wanted.count);
  std::map<size_t, std::vector<size_t>> by_frame;
  for (size_t i = 0; i < wanted.count; ++i) {
    by_frame[list.clashes[i].frame].push_back(i);
  }
  std::vector<bool> draws(wanted.count), swaps(wanted.count);
  for (const WantedPicture& picture : wanted.drawn) {
    draws[picture.clash] = true;
    swaps[picture.clash] = picture.is_swapped;
  }
  progress.Begin("pictures", wanted.drawn.size());
  std::vector<absl::Status> failures(wanted.count);
  for (const auto& [frame, indices] : by_frame) {
    // Clang 14 cannot capture structured bindings.
    const std::vector<size_t>& clashes = indices;
    const absl::StatusOr<std::vector<PosedTree>> bodies =
        BodiesAt(scene, frame);
    if (!bodies.ok()) return bodies.status();
    const picture::PlacePainter painter(*bodies);
    tools::ParallelFor(
        clashes.size(), settings.threads, [&](size_t item, size_t) {
          const size_t i = clashes[item];
          const bool is_drawn = draws[i];
          BodyClash pair = list.clashes[i].pair;
          if (swaps[i]) std::swap(pair.a, pair.b);
          absl::StatusOr<ClashView> view = report::ViewClash(
              painter, pair,
              is_drawn ? std::optional(wanted.size) : std::nullopt);
          failures[i] = view.status();
          if (view.ok()) views[i] = *std::move(view);
          if (is_drawn) progress.Advance(1);
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
                                              const ClashInput& scene) {
  report::ModelView model = report::ModelViewOf(view);
  absl::StatusOr<std::optional<Pose>> move =
      MoveOf(clash.pair.a, frame, clash.frame, scene);
  if (!move.ok()) return move.status();
  model.move_a = *move;
  move = MoveOf(clash.pair.b, frame, clash.frame, scene);
  if (!move.ok()) return move.status();
  model.move_b = *move;
  return model;
}

}  // namespace orbox::cli
