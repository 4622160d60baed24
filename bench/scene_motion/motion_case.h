// SPDX-License-Identifier: Apache-2.0

// A part that moves through a scene of many bodies with its own mesh; equal on
// each run.
//
// Bodies are turned at random, near the points of a lattice. The part moves
// past and through them along straight lines between random points, and turns
// on the way: some poses are free, some near, some collide.
#ifndef ORBOX_BENCH_SCENE_MOTION_MOTION_CASE_H_
#define ORBOX_BENCH_SCENE_MOTION_MOTION_CASE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::scene_motion {

struct MotionCase {
  std::string name;
  Mesh part;  // scaled to a diagonal of 1
  std::vector<Pose> bodies;
  std::vector<Pose> poses;
};

struct CaseOptions {
  std::string mesh;  // a file; generated where empty
  size_t side = 10;  // bodies along each axis of the lattice
  double spacing = 1.5;
  size_t poses = 10'000;
  double step = 0.002;  // from pose to pose
};

// Ends the process with a message where the mesh cannot be read.
MotionCase MakeCase(const CaseOptions& options);

// FCL's DynamicAABBTreeCollisionManager over bodies that share one
// BVHModel<OBBRSS>; where it was found.
class FclScene {
 public:
  explicit FclScene(const MotionCase& motion);
  ~FclScene();
  FclScene(const FclScene&) = delete;
  FclScene& operator=(const FclScene&) = delete;

  static bool IsHere();

  // In the order of the poses.
  std::vector<uint8_t> OverlapsAt(const std::vector<Pose>& poses);
  std::vector<std::vector<uint32_t>> BodiesMeeting(
      const std::vector<Pose>& poses);
  // For each pose: 1 if the distance query, with `distance` as its first bound,
  // finds less.
  std::vector<uint8_t> Within(const std::vector<Pose>& poses, double distance);
  std::vector<double> Distances(const std::vector<Pose>& poses);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace orbox::scene_motion

#endif  // ORBOX_BENCH_SCENE_MOTION_MOTION_CASE_H_
