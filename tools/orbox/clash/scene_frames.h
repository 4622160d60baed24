// SPDX-License-Identifier: Apache-2.0

// Computes the relations of the bodies of a scene, frame by frame.
//
//   absl::StatusOr<SceneFrames> frames =
//       SceneFrames::Create(bodies, trees, motion, parameters, filter);
//   absl::Status status = frames->RunOnStillBodies({.threads = 2});
//   FrameAnswer answer = frames->Run(0, {.threads = 1});
//   for (const BodyClash& pair : answer.pairs) ...
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCENE_FRAMES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCENE_FRAMES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/clash/body_sets.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/clash/scene_motion.h"
#include "tools/report/body_clash.h"

namespace orbox::cli {

using report::BodyClash;

// Query of each pair of bodies (bvh/solids/clash.h).
struct ClashParameters {
  double tolerance = 0;
  bool exact = false;  // requires a tolerance of 0
  InsideRule inside = InsideRule::kWinding;
  double close_holes = 0;        // maximum length of holes to close
  std::optional<double> within;  // if absent, gaps are not reported
  bool volume = false;           // also compute the volumes of shared regions

  // Returns the options that decide the kind of a pair.
  ClashOptions Options() const;
  // Bodies beyond this distance are apart.
  double reach() const { return std::max(tolerance, within.value_or(0)); }
  PairLimits limits() const { return {tolerance, within.value_or(0)}; }
};

struct FrameAnswer {
  absl::Status status;
  std::vector<BodyClash> pairs;      // ascending by (a, b); without those apart
  std::optional<BodyClash> closest;  // the first one among ties

  // Memory of the answer, in items of 8 bytes.
  size_t size() const { return (pairs.size() + 1) * sizeof(BodyClash) / 8; }
};

// Frames of a scene. Without a motion there is a single frame, number 0.
class SceneFrames {
 public:
  // Queries only pairs that the filter wants. Requires a tree for each body.
  // Returns kInvalidArgument, with file and line, if a pose moves a body out of
  // the range of models. Refers to the bodies, the motion and the filter.
  static absl::StatusOr<SceneFrames> Create(std::span<const SceneBody> bodies,
                                            std::vector<Tree> trees,
                                            const std::optional<Motion>& motion,
                                            const ClashParameters& parameters,
                                            const PairFilter& filter);
  SceneFrames(SceneFrames&&) noexcept;
  SceneFrames& operator=(SceneFrames&&) noexcept;
  ~SceneFrames();

  size_t size() const;
  uint64_t number(size_t frame) const;

  // Queries the pairs of bodies that never move. Call it once, before any
  // frame. The option `progress` receives the finished fraction of the pairs.
  absl::Status RunOnStillBodies(const QueryOptions& options);

  // Returns the result of a frame. Requires frame < size(). The closest pair is
  // that of all bodies. If a distance is given, or if the filter excludes
  // pairs, it is that of the queried pairs that are not apart. Thread-safe, and
  // fastest in the order of frames. The result does not depend on the number of
  // threads.
  FrameAnswer Run(size_t frame, const QueryOptions& options) const;

  // Returns the parameters of a pair, with the limits of its rule.
  ClashParameters ParametersOf(size_t a, size_t b) const;
  // Returns the number of the rule that decides about a pair, if there is one.
  std::optional<size_t> RuleOf(size_t a, size_t b) const;

  // Returns the body in that frame. Errors are those of PosedTree::Create.
  absl::StatusOr<PosedTree> BodyAt(size_t body, size_t frame) const;

 private:
  struct Data;
  explicit SceneFrames(std::unique_ptr<Data> data);

  std::unique_ptr<Data> data_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCENE_FRAMES_H_
