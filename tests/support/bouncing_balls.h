// SPDX-License-Identifier: Apache-2.0

// Balls that fly straight through each other and bounce off the walls of the
// unit cube: the scene that broad phases are compared by.
#ifndef ORBOX_TESTS_SUPPORT_BOUNCING_BALLS_H_
#define ORBOX_TESTS_SUPPORT_BOUNCING_BALLS_H_

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class BouncingBalls {
 public:
  // Diameters are between a half of `diameter` and all of it, and steps are up
  // to `step` along each axis.
  BouncingBalls(size_t count, double diameter, double step, unsigned seed)
      : random_(seed), balls_(count), velocities_(count) {
    for (size_t i = 0; i < count; ++i) {
      balls_[i].radius = diameter * (0.25 + 0.25 * Uniform());
      const double room = 1 - 2 * balls_[i].radius;
      for (size_t axis = 0; axis < 3; ++axis) {
        balls_[i].center[axis] = balls_[i].radius + room * Uniform();
        velocities_[i][axis] = step * (2 * Uniform() - 1);
      }
    }
  }

  size_t size() const { return balls_.size(); }

  Aabb Box(size_t i) const {
    const double r = balls_[i].radius;
    return {balls_[i].center - Vec3{r, r, r}, balls_[i].center + Vec3{r, r, r}};
  }

  void Step() {
    for (size_t i = 0; i < balls_.size(); ++i) {
      for (size_t axis = 0; axis < 3; ++axis) {
        double& x = balls_[i].center[axis];
        double& v = velocities_[i][axis];
        x += v;
        if (x < balls_[i].radius) v = std::abs(v);
        if (x > 1 - balls_[i].radius) v = -std::abs(v);
      }
    }
  }

  // Puts a ball somewhere else.
  void Throw(size_t i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      balls_[i].center[axis] = Uniform();
    }
  }

 private:
  double Uniform() {
    return std::uniform_real_distribution<double>(0, 1)(random_);
  }

  std::mt19937 random_;
  std::vector<Sphere> balls_;
  std::vector<Vec3> velocities_;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_BOUNCING_BALLS_H_
