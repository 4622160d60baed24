// SPDX-License-Identifier: Apache-2.0

// A summary of a piece of surface: its area, its centre, and the spread of the
// surface and of its normals. Frames are computed from it. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_MOMENTS_H_
#define ORBOX_BVH_BUILD_INTERNAL_MOMENTS_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A symmetric matrix as xx, yy, zz, xy, yz, zx.
using Symmetric = std::array<double, 6>;
inline constexpr size_t kSymmetricPairs[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                                 {0, 1}, {1, 2}, {2, 0}};

// All zero if there is no area. Not initialized by default, because each node
// has eight.
struct SurfaceMoments {
  double area;  // doubled
  Vec3 mean;
  Symmetric spread;   // integral of (p - mean) (p - mean)^T
  Symmetric normals;  // integral of n n^T, n of unit length

  // Sets these moments to those of both pieces together. Their spreads add up
  // with the spread of the two means (the parallel axis theorem).
  void Add(const SurfaceMoments& other) {
    const double sum = area + other.area;
    if (!(sum > 0)) return;
    const Vec3 d = other.mean - mean;
    const double w = area * (other.area / sum);
    for (size_t k = 0; k < 6; ++k) {
      const auto [i, j] = kSymmetricPairs[k];
      spread[k] += other.spread[k] + w * d[i] * d[j];
      normals[k] += other.normals[k];
    }
    mean += d * (other.area / sum);
    area = sum;
  }
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_MOMENTS_H_
