// SPDX-License-Identifier: Apache-2.0

// The close bodies of a scene, frame by frame.
//
//   absl::StatusOr<SceneFrames> frames = SceneFrames::Create(bodies, trees,
//                                                            motion, within);
//   absl::Status status = frames->AskStillBodies({.threads = 2}, nullptr);
//   FrameAnswer answer = frames->Ask(0, {.threads = 1}, nullptr);
//   for (const CloseBodies& pair : answer.pairs) ...
#ifndef ORBOX_TOOLS_ORBOX_SCENE_FRAMES_H_
#define ORBOX_TOOLS_ORBOX_SCENE_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/scene_file.h"
#include "tools/orbox/scene_motion.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

using report::CloseBodies;

struct FrameAnswer {
  absl::Status status;
  std::vector<CloseBodies> pairs;      // ascending by (a, b)
  std::optional<CloseBodies> closest;  // of like ones the first

  // In items of 8 bytes.
  size_t size() const { return (pairs.size() + 1) * sizeof(CloseBodies) / 8; }
};

// Without a motion there is one frame, number 0.
class SceneFrames {
 public:
  // Requires a tree for each body. Two bodies are close if they are within the
  // distance, or without one if they overlap. kInvalidArgument, with file and
  // line, if a pose moves a body out of the range of double. Refers to the
  // bodies and the motion.
  static absl::StatusOr<SceneFrames> Create(std::span<const SceneBody> bodies,
                                            std::vector<Tree> trees,
                                            const std::optional<Motion>& motion,
                                            std::optional<double> within);
  SceneFrames(SceneFrames&&) noexcept;
  SceneFrames& operator=(SceneFrames&&) noexcept;
  ~SceneFrames();

  size_t size() const;
  uint64_t number(size_t frame) const;

  // Queries the bodies that no frame moves, once, before any frame.
  absl::Status AskStillBodies(const QueryOptions& options,
                              TraversalStatistics* statistics);

  // Requires frame < size(). The closest pair is that of all bodies; with a
  // distance, only of those within it. Thread-safe; fastest in the order of
  // frames. The answer does not depend on the number of threads.
  FrameAnswer Ask(size_t frame, const QueryOptions& options,
                  TraversalStatistics* statistics) const;

  // The body in that frame. Errors as PosedTree::Create.
  absl::StatusOr<PosedTree> BodyAt(size_t body, size_t frame) const;

 private:
  struct Data;
  explicit SceneFrames(std::unique_ptr<Data> data);

  std::unique_ptr<Data> data_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_SCENE_FRAMES_H_
