// SPDX-License-Identifier: Apache-2.0

// Poses of a scene's bodies, frame by frame.
//
//   frame,body,r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz
//   0,wheel,1,0,0,0.5,0,1,0,0,0,0,1,0
//   2,wheel,1,0,0,0.6,0,1,0,0,0,0,1,0
//
//   absl::StatusOr<Motion> motion = ReadMotion("poses.csv", bodies);
//   for (const MotionFrame& frame : motion->frames) move(frame.steps);
//
// The format of the lines is that of rows.h. Frame numbers are whole and must
// not decrease. A body is identified by its name or its number. A body that a
// frame does not contain keeps its last pose. Its first pose is that of the
// scene.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCENE_MOTION_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCENE_MOTION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/clash/scene_file.h"

namespace orbox::cli {

struct MotionStep {
  size_t body = 0;
  Pose pose;
  size_t line = 0;  // in the file
};

struct MotionFrame {
  uint64_t number = 0;
  std::vector<MotionStep> steps;  // at most one per body, in file order
};

struct Motion {
  std::string name;                 // name of the file in messages
  std::vector<MotionFrame> frames;  // ascending, at least one
};

// The largest whole number that all JSON readers represent exactly.
inline constexpr uint64_t kLargestFrame = uint64_t{1} << 53;

// Reads a motion. `path` "-" is standard input. Errors are those of rows, with
// file and line. A singular pose is an error unless `flatten`.
absl::StatusOr<Motion> ReadMotion(const std::string& path,
                                  std::span<const SceneBody> bodies,
                                  bool flatten = false);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCENE_MOTION_H_
