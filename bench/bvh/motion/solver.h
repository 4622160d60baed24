// SPDX-License-Identifier: Apache-2.0

// Solver of the time at which two moving meshes first touch.
#ifndef ORBOX_BENCH_BVH_MOTION_SOLVER_H_
#define ORBOX_BENCH_BVH_MOTION_SOLVER_H_

#include <memory>
#include <optional>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/motion/rigid_motion.h"

namespace orbox::motion_bench {

class Solver {
 public:
  virtual ~Solver() = default;

  // The second mesh does not move. Returns nothing if the solver finds that
  // they stay apart.
  virtual std::optional<double> Solve(const RigidMotion& first) = 0;
};

// FCL's BVHModel of OBBRSS with its conservative advancement, to within `error`
// of the time; or with `samples` samples.
std::unique_ptr<Solver> MakeFclAdvancement(const Mesh& a, const Mesh& b,
                                           double error);
std::unique_ptr<Solver> MakeFclSamples(const Mesh& a, const Mesh& b,
                                       int samples);

}  // namespace orbox::motion_bench

#endif  // ORBOX_BENCH_BVH_MOTION_SOLVER_H_
