#include "tools/orbox/scene_frames.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "orbox/bvh/scene/box_gap.h"
#include "orbox/bvh/scene/scene.h"
#include "tools/orbox/poses.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

// From this frame on, a body has this pose.
struct Change {
  size_t frame = 0;
  const Pose* pose = nullptr;
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
          MeshDistance(scene.body(pair.a), scene.body(pair.b), statistics)};
}

// Of neighbours along the x axis those whose bounds are closest: their distance
// is an upper bound of the smallest.
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

// Requires two bodies.
CloseBodies ClosestOf(const Scene& scene, TraversalStatistics* statistics) {
  const BodyPair first = CloseNeighbours(scene);
  CloseBodies best = DistanceOf(scene, first, statistics);
  std::vector<std::pair<double, BodyPair>> candidates;
  for (const BodyPair& pair :
       BoundsWithin(scene, best.nearest.distance, {.threads = 1})) {
    if (pair == first) continue;
    candidates.emplace_back(GapOf(scene.bounds(pair.a), scene.bounds(pair.b)),
                            pair);
  }
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [gap, pair] : candidates) {
    if (gap > best.nearest.distance) break;
    const std::optional<MeshDistanceResult> nearest =
        MeshDistanceWithin(scene.body(pair.a), scene.body(pair.b),
                           best.nearest.distance, statistics);
    if (!nearest.has_value()) continue;
    const CloseBodies found{pair.a, pair.b, *nearest};
    if (IsCloser(found, best)) best = found;
  }
  return best;
}

}  // namespace

struct SceneFrames::Data {
  // The bodies as they are in one frame; their numbers are those of the scene
  // file.
  struct World {
    Scene scene;
    std::vector<const Pose*> poses;
  };

  std::vector<Tree> trees;
  std::vector<std::vector<Change>> changes;  // of each body, ascending
  std::vector<uint64_t> numbers;             // of the frames
  std::optional<double> within;

  // Those that nobody is using: a thread that asks frame after frame moves
  // those bodies that move.
  std::mutex mutex;
  std::vector<std::unique_ptr<World>> idle;

  const Pose& PoseAt(size_t body, size_t frame) const {
    const std::vector<Change>& of_body = changes[body];
    const auto next = std::upper_bound(
        of_body.begin(), of_body.end(), frame,
        [](size_t f, const Change& change) { return f < change.frame; });
    return *std::prev(next)->pose;
  }

  absl::StatusOr<std::unique_ptr<World>> WorldAt(size_t frame);
  FrameAnswer Ask(const Scene& scene, const SceneOptions& options,
                  TraversalStatistics* statistics) const;
};

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
  for (size_t i = 0; i < trees.size(); ++i) {
    const Pose& pose = PoseAt(i, frame);
    absl::Status status;
    if (i == world->poses.size()) {
      status = world->scene.Add(trees[i], pose).status();
      world->poses.push_back(&pose);
    } else if (world->poses[i] != &pose) {
      status = world->scene.Move(static_cast<BodyId>(i), pose);
      world->poses[i] = &pose;
    }
    if (!status.ok()) return status;
  }
  world->scene.Update();
  return world;
}

FrameAnswer SceneFrames::Data::Ask(const Scene& scene,
                                   const SceneOptions& options,
                                   TraversalStatistics* statistics) const {
  FrameAnswer answer;
  for (const BodyGap& gap :
       BodiesWithin(scene, within.value_or(0), options, statistics)) {
    answer.pairs.push_back({gap.bodies.a, gap.bodies.b, gap.gap});
  }
  const auto closest =
      std::min_element(answer.pairs.begin(), answer.pairs.end(), IsCloser);
  if (closest != answer.pairs.end()) {
    answer.closest = *closest;
  } else if (!within.has_value() && trees.size() > 1) {
    answer.closest = ClosestOf(scene, statistics);
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
    const std::optional<Motion>& motion, std::optional<double> within) {
  auto data = std::make_unique<Data>();
  data->within = within;
  for (const SceneBody& body : bodies) {
    data->changes.push_back({Change{0, &body.pose}});
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
  data->trees = std::move(trees);
  return SceneFrames(std::move(data));
}

FrameAnswer SceneFrames::Ask(size_t frame, const SceneOptions& options,
                             TraversalStatistics* statistics) const {
  FrameAnswer answer;
  absl::StatusOr<std::unique_ptr<Data::World>> world = data_->WorldAt(frame);
  answer.status = world.status();
  if (!world.ok()) return answer;
  answer = data_->Ask((*world)->scene, options, statistics);
  const std::lock_guard lock(data_->mutex);
  data_->idle.push_back(*std::move(world));
  return answer;
}

absl::StatusOr<PosedTree> SceneFrames::BodyAt(size_t body, size_t frame) const {
  return PosedTree::Create(data_->trees[body], data_->PoseAt(body, frame));
}

}  // namespace orbox::cli
