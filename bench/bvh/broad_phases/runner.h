// SPDX-License-Identifier: Apache-2.0

// Subject of broad_phase_bench: a broad phase of ours or of a peer, frame by
// frame.
#ifndef ORBOX_BENCH_BVH_BROAD_PHASES_RUNNER_H_
#define ORBOX_BENCH_BVH_BROAD_PHASES_RUNNER_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::broad_bench {

// Coordinates and radii are multiples of 2^-12 and, of balls that are less than
// 2^11 from the origin, floats: the boxes of all peers are the same ones.
struct Ball {
  Vec3f center;
  float radius;

  Aabb Box() const {
    const double r = static_cast<double>(radius);
    const Vec3 c{static_cast<double>(center.x), static_cast<double>(center.y),
                 static_cast<double>(center.z)};
    return {c - Vec3{r, r, r}, c + Vec3{r, r, r}};
  }
};

class Runner {
 public:
  virtual ~Runner() = default;
  // Moves the bodies of these numbers, which are all that have changed since
  // the frame before, and finds the pairs whose boxes overlap. The first frame
  // inserts all. Returns the number of pairs, having visited each.
  virtual size_t Frame(std::span<const Ball> balls,
                       std::span<const BodyId> moved) = 0;
  // The pairs of the last frame, sorted.
  virtual std::vector<BodyPair> Pairs() const = 0;
};

struct RunnerRow {
  std::string name;
  bool is_peer;
  std::unique_ptr<Runner> (*make)(int variant);
  int variant;
};

// Ours, and of the peers that are built in.
std::vector<RunnerRow> Runners();
void AppendFclRunners(std::vector<RunnerRow>* rows);
void AppendBulletRunners(std::vector<RunnerRow>* rows);

}  // namespace orbox::broad_bench

#endif  // ORBOX_BENCH_BVH_BROAD_PHASES_RUNNER_H_
