// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_frames.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/poses.h"
#include "tools/orbox/commands/query_context.h"

namespace orbox::cli {
namespace {

// A pair and the distance of its surfaces.
struct CloseBodies {
  size_t a = 0;
  size_t b = 0;
  Witness nearest;
};

bool IsCloser(const CloseBodies& x, const CloseBodies& y) {
  if (x.nearest.distance != y.nearest.distance) {
    return x.nearest.distance < y.nearest.distance;
  }
  return std::pair(x.a, x.b) < std::pair(y.a, y.b);
}

CloseBodies DistanceOf(const Scene& scene, const BodyPair& pair,
                       TraversalStatistics* statistics) {
  return {pair.a, pair.b,
          *ClosestPair(scene.body(pair.a), scene.body(pair.b), {},
                       {.statistics = statistics})
               .value()};
}

// Returns the pair with the closest bounds among neighbours along the x axis.
// Its distance is an upper bound of the smallest distance.
BodyPair CloseNeighbours(const Scene& scene) {
  std::vector<BodyId> order(scene.bodies().begin(), scene.bodies().end());
  std::sort(order.begin(), order.end(), [&scene](BodyId a, BodyId b) {
    return std::pair(scene.bounds(a).lo.x, a) <
           std::pair(scene.bounds(b).lo.x, b);
  });
  std::pair<double, BodyPair> best;
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    const BodyPair pair{std::min(order[i], order[i + 1]),
                        std::max(order[i], order[i + 1])};
    const double gap = GapOf(scene.bounds(pair.a), scene.bounds(pair.b));
    if (i == 0 || gap < best.first) best = {gap, pair};
  }
  return best.second;
}

// Returns the closest pair among `best` and `pairs`.
CloseBodies ClosestOf(const Scene& scene, CloseBodies best,
                      std::span<const BodyPair> pairs,
                      TraversalStatistics* statistics) {
  std::vector<std::pair<double, BodyPair>> candidates;
  for (const BodyPair& pair : pairs) {
    if (pair.a == best.a && pair.b == best.b) continue;
    candidates.emplace_back(GapOf(scene.bounds(pair.a), scene.bounds(pair.b)),
                            pair);
  }
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [gap, pair] : candidates) {
    if (gap > best.nearest.distance) break;
    const std::optional<Witness> nearest =
        ClosestPair(scene.body(pair.a), scene.body(pair.b),
                    {.max_distance = AboveRounded(best.nearest.distance)},
                    {.statistics = statistics})
            .value();
    if (!nearest.has_value()) continue;
    const CloseBodies found{pair.a, pair.b, *nearest};
    if (IsCloser(found, best)) best = found;
  }
  return best;
}

}  // namespace

ClashOptions ClashParameters::Options() const {
  return {.tolerance = tolerance,
          .clearance = within.value_or(0),
          .exact = exact,
          .inside = inside,
          .close_holes = close_holes};
}

struct SceneFrames::Data {
  // Pose of a body from this frame on.
  struct Change {
    size_t frame = 0;
    const Pose* pose = nullptr;
  };

  // The bodies in one frame, with their numbers in the scene file.
  struct World {
    Scene scene;
    std::vector<const Pose*> poses;
  };

  std::vector<Tree> trees;
  std::vector<std::vector<Change>> changes;  // of each body, ascending
  std::vector<uint64_t> numbers;             // of the frames
  std::vector<size_t> movers;                // bodies with several poses
  ClashParameters parameters;
  const PairFilter* filter = nullptr;

  // Results for the bodies that never move: the pairs that are not apart, and
  // the closest pair if it is requested.
  std::vector<BodyClash> still_pairs;
  std::optional<CloseBodies> still_closest;

  // Worlds that are not in use. A thread that processes consecutive frames
  // moves only the bodies that change.
  std::mutex mutex;
  std::vector<std::unique_ptr<World>> idle;

  const Pose& PoseAt(size_t body, size_t frame) const {
    const std::vector<Change>& of_body = changes[body];
    const auto next = std::upper_bound(
        of_body.begin(), of_body.end(), frame,
        [](size_t f, const Change& change) { return f < change.frame; });
    return *std::prev(next)->pose;
  }

  bool Moves(size_t body) const { return changes[body].size() > 1; }
  // Returns true if the closest pair is reported even if the bodies are apart.
  bool WantsFarPairs() const {
    return !parameters.within.has_value() && filter->wants_all() &&
           trees.size() > 1;
  }
  ClashOptions Options() const;
  // Parameters with the largest limits of all pairs.
  ClashParameters Largest() const {
    return WithLimits(filter->LargestLimits(parameters.limits()));
  }
  ClashParameters WithLimits(const PairLimits& limits) const;
  // Adds the clashes of the pairs, which have the numbers of the scene. The
  // limits are those of the bodies of_scene[i]; null if the numbers are equal.
  absl::Status AddClashes(const Scene& scene, std::span<const BodyPair> pairs,
                          const std::vector<size_t>* of_scene,
                          const QueryOptions& options,
                          std::vector<BodyClash>& clashes) const;

  absl::StatusOr<std::unique_ptr<World>> WorldAt(size_t frame);
  std::vector<BodyPair> PairsOfMovers(const Scene& scene,
                                      double distance) const;
  FrameAnswer Run(const Scene& scene, const QueryOptions& options) const;
};

// Returns the options for the measures of a row. An error of 5 % is enough for
// the comparison of pairs. FindThicknesses measures the worst ones again.
ClashOptions SceneFrames::Data::Options() const {
  ClashOptions clash_options = Largest().Options();
  clash_options.thickness = true;
  clash_options.volume = parameters.volume;
  clash_options.gap = true;
  clash_options.error.relative = 0.05;
  return clash_options;
}

ClashParameters SceneFrames::Data::WithLimits(const PairLimits& limits) const {
  ClashParameters made = parameters;
  made.tolerance = limits.tolerance;
  if (limits.clearance > 0 || parameters.within.has_value()) {
    made.within = limits.clearance;
  }
  return made;
}

absl::Status SceneFrames::Data::AddClashes(
    const Scene& scene, std::span<const BodyPair> pairs,
    const std::vector<size_t>* of_scene, const QueryOptions& options,
    std::vector<BodyClash>& clashes) const {
  const auto number = [of_scene](size_t body) {
    return of_scene == nullptr ? body : (*of_scene)[body];
  };
  std::map<PairLimits, std::vector<BodyPair>> by_limits;
  for (const BodyPair& pair : pairs) {
    by_limits[filter->LimitsOf(number(pair.a), number(pair.b),
                               parameters.limits())]
        .push_back(pair);
  }
  for (const auto& [limits, some] : by_limits) {
    ClashOptions clash_options = Options();
    clash_options.tolerance = limits.tolerance;
    clash_options.clearance = limits.clearance;
    const absl::StatusOr<std::vector<BodyPairClash>> all =
        AllClashes(scene, some, clash_options, RunOptionsOf(options));
    if (!all.ok()) return all.status();
    for (const BodyPairClash& found : *all) {
      if (found.clash.kind == ClashKind::kApart) continue;
      clashes.push_back(
          {number(found.bodies.a), number(found.bodies.b), found.clash});
    }
  }
  std::sort(clashes.begin(), clashes.end(),
            [](const BodyClash& x, const BodyClash& y) {
              return std::pair(x.a, x.b) < std::pair(y.a, y.b);
            });
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SceneFrames::Data::World>>
SceneFrames::Data::WorldAt(size_t frame) {
  std::unique_ptr<World> world;
  {
    const std::lock_guard lock(mutex);
    if (!idle.empty()) {
      world = std::move(idle.back());
      idle.pop_back();
    }
  }
  if (world == nullptr) world = std::make_unique<World>();
  for (size_t i = world->poses.size(); i < trees.size(); ++i) {
    world->poses.push_back(&PoseAt(i, frame));
    const auto added = world->scene.Add(trees[i], *world->poses.back());
    if (!added.ok()) return added.status();
  }
  for (const size_t i : movers) {
    const Pose& pose = PoseAt(i, frame);
    if (world->poses[i] == &pose) continue;
    world->poses[i] = &pose;
    const absl::Status moved = world->scene.Move(static_cast<BodyId>(i), pose);
    if (!moved.ok()) return moved;
  }
  world->scene.Update();
  return world;
}

// Returns the pairs whose bounds are within the distance and that have at least
// one moving body.
std::vector<BodyPair> SceneFrames::Data::PairsOfMovers(const Scene& scene,
                                                       double distance) const {
  std::vector<BodyPair> pairs;
  for (const size_t mover : movers) {
    const auto body = static_cast<BodyId>(mover);
    const Aabb& box = scene.bounds(body);
    scene.broad_phase().FindBodies(Grown(box, distance), [&](BodyId other) {
      // A pair of two moving bodies is found twice, so one of them is skipped.
      if (other == body || (other < body && Moves(other))) return;
      if (GapOf(box, scene.bounds(other)) > distance) return;
      if (!filter->Wants(body, other)) return;
      pairs.push_back({std::min(body, other), std::max(body, other)});
    });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

FrameAnswer SceneFrames::Data::Run(const Scene& scene,
                                   const QueryOptions& options) const {
  FrameAnswer answer;
  answer.pairs = still_pairs;
  answer.status = AddClashes(scene, PairsOfMovers(scene, Largest().reach()),
                             nullptr, options, answer.pairs);
  if (!answer.status.ok()) return answer;
  const auto closest =
      std::min_element(answer.pairs.begin(), answer.pairs.end(),
                       [](const BodyClash& x, const BodyClash& y) {
                         return x.distance() < y.distance();
                       });
  if (closest != answer.pairs.end()) {
    answer.closest = *closest;
  } else if (WantsFarPairs()) {
    const CloseBodies first =
        still_closest.has_value()
            ? *still_closest
            : DistanceOf(scene, CloseNeighbours(scene), options.statistics);
    const CloseBodies far =
        ClosestOf(scene, first, PairsOfMovers(scene, first.nearest.distance),
                  options.statistics);
    answer.closest = BodyClash{.a = far.a, .b = far.b, .clash = {}};
    answer.closest->clash.gap = far.nearest;
  }
  return answer;
}

SceneFrames::SceneFrames(std::unique_ptr<Data> data) : data_(std::move(data)) {}
SceneFrames::SceneFrames(SceneFrames&&) noexcept = default;
SceneFrames& SceneFrames::operator=(SceneFrames&&) noexcept = default;
SceneFrames::~SceneFrames() = default;

size_t SceneFrames::size() const { return data_->numbers.size(); }

uint64_t SceneFrames::number(size_t frame) const {
  return data_->numbers[frame];
}

absl::StatusOr<SceneFrames> SceneFrames::Create(
    std::span<const SceneBody> bodies, std::vector<Tree> trees,
    const std::optional<Motion>& motion, const ClashParameters& parameters,
    const PairFilter& filter) {
  auto data = std::make_unique<Data>();
  data->parameters = parameters;
  data->filter = &filter;
  for (const SceneBody& body : bodies) {
    data->changes.push_back({Data::Change{0, &body.pose}});
  }
  if (motion.has_value()) {
    for (const MotionFrame& frame : motion->frames) {
      for (const MotionStep& step : frame.steps) {
        const absl::Status status = CheckPose(step.pose, trees[step.body]);
        if (!status.ok()) {
          return absl::Status(status.code(),
                              Cat(motion->name, ":", step.line, ": ",
                                  std::string(status.message())));
        }
        data->changes[step.body].push_back({data->numbers.size(), &step.pose});
      }
      data->numbers.push_back(frame.number);
    }
  } else {
    data->numbers.push_back(0);
  }
  for (size_t i = 0; i < trees.size(); ++i) {
    if (data->Moves(i)) data->movers.push_back(i);
  }
  data->trees = std::move(trees);
  return SceneFrames(std::move(data));
}

absl::Status SceneFrames::RunOnStillBodies(const QueryOptions& options) {
  Scene scene;
  std::vector<size_t> bodies;
  for (size_t i = 0; i < data_->trees.size(); ++i) {
    if (data_->Moves(i)) continue;
    const auto added = scene.Add(data_->trees[i], data_->PoseAt(i, 0));
    if (!added.ok()) return added.status();
    bodies.push_back(i);
  }
  scene.Update();
  const ClashOptions clash_options = data_->Options();
  std::vector<BodyPair> pairs = AllClashCandidates(scene, clash_options);
  std::erase_if(pairs, [&](const BodyPair& pair) {
    return !data_->filter->Wants(bodies[pair.a], bodies[pair.b]);
  });
  const absl::Status added =
      data_->AddClashes(scene, pairs, &bodies, options, data_->still_pairs);
  if (!added.ok()) return added;
  if (!data_->WantsFarPairs() || !data_->still_pairs.empty() ||
      bodies.size() < 2) {
    return absl::OkStatus();
  }
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const absl::StatusOr<std::optional<BodyPairGap>> closest =
      ClosestPair(scene, kAny, RunOptionsOf(options));
  if (!closest.ok()) return closest.status();
  const auto& [pair, gap] = **closest;
  data_->still_closest = {bodies[pair.a], bodies[pair.b], gap};
  return absl::OkStatus();
}

FrameAnswer SceneFrames::Run(size_t frame, const QueryOptions& options) const {
  FrameAnswer answer;
  absl::StatusOr<std::unique_ptr<Data::World>> world = data_->WorldAt(frame);
  answer.status = world.status();
  if (!world.ok()) return answer;
  answer = data_->Run((*world)->scene, options);
  const std::lock_guard lock(data_->mutex);
  data_->idle.push_back(*std::move(world));
  return answer;
}

ClashParameters SceneFrames::ParametersOf(size_t a, size_t b) const {
  return data_->WithLimits(
      data_->filter->LimitsOf(a, b, data_->parameters.limits()));
}

std::optional<size_t> SceneFrames::RuleOf(size_t a, size_t b) const {
  return data_->filter->RuleOf(a, b);
}

absl::StatusOr<PosedTree> SceneFrames::BodyAt(size_t body, size_t frame) const {
  return PosedTree::Create(data_->trees[body], data_->PoseAt(body, frame));
}

}  // namespace orbox::cli
