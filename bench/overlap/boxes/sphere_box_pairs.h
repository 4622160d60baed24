// SPDX-License-Identifier: Apache-2.0

// The input of the sphere-box benchmarks: pairs of which a given share
// overlaps.
//
//   std::vector<SphereBoxPair<Aabbf>> pairs =
//       MakePairs<Aabbf>(2'000'000, /*percent=*/25, /*seed=*/1);
//
// Larsson, Akenine-Moller and Lengyel (2007, section 4) print the frequencies
// of overlap of their test data, but not how they made them. Here the centres
// of spheres and boxes are uniform in a unit cube, radii and half extents
// uniform between 0 and a size that is chosen for the frequency, OBBs turned at
// random. This is the one way among several that were tried whose share of
// false positives follows the paper's "Error" row (15, 10, 6, 2, 0.1 % against
// 17, 11, 4.3, 1.6, 0.3 %). The share of overlapping pairs is exact and their
// order random, so that branches are as hard to predict as the frequency makes
// them.
#ifndef ORBOX_BENCH_OVERLAP_BOXES_SPHERE_BOX_PAIRS_H_
#define ORBOX_BENCH_OVERLAP_BOXES_SPHERE_BOX_PAIRS_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "orbox/overlap/boxes/sphere_box_exact.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::bench {

// The frequencies of overlap of tables 1 and 2, in percent.
inline constexpr int kFrequencies[] = {5, 25, 50, 75, 95};

template <typename Box>
struct SphereBoxPair {
  Spheref sphere;
  Box box;
};

// Numbers in [0, 1) that are the same on every machine.
class Uniform {
 public:
  explicit Uniform(uint64_t seed) : bits_(seed) {}
  float operator()() { return static_cast<float>(bits_() >> 40) * 0x1p-24f; }
  Vec3f Point() {
    const float x = (*this)();
    const float y = (*this)();
    return {x, y, (*this)()};
  }

 private:
  std::mt19937_64 bits_;
};

inline Sphere ToDouble(const Spheref& s) {
  return {{s.center.x, s.center.y, s.center.z}, s.radius};
}
inline Aabb ToDouble(const Aabbf& b) {
  return {{b.lo.x, b.lo.y, b.lo.z}, {b.hi.x, b.hi.y, b.hi.z}};
}
inline Obb ToDouble(const Obbf& b) {
  Obb d{.center = {b.center.x, b.center.y, b.center.z},
        .half_extents = {b.half_extents.x, b.half_extents.y, b.half_extents.z}};
  for (size_t i = 0; i < 3; ++i) {
    d.axes[i] = {b.axes[i].x, b.axes[i].y, b.axes[i].z};
  }
  return d;
}

// The axes of a rotation by a uniformly distributed unit quaternion (Shoemake,
// "Uniform random rotations", Graphics Gems III, 1992), made in double.
inline std::array<Vec3f, 3> RandomAxes(Uniform& uniform) {
  constexpr double kTurn = 6.283185307179586;
  const double u = uniform();
  const double a = kTurn * uniform();
  const double b = kTurn * uniform();
  const double x = std::sqrt(1 - u) * std::sin(a);
  const double y = std::sqrt(1 - u) * std::cos(a);
  const double z = std::sqrt(u) * std::sin(b);
  const double w = std::sqrt(u) * std::cos(b);
  auto row = [](double p, double q, double r) {
    return Vec3f{static_cast<float>(p), static_cast<float>(q),
                 static_cast<float>(r)};
  };
  return {
      row(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      row(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      row(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))};
}

template <typename Box>
SphereBoxPair<Box> RandomPair(float size, Uniform& uniform) {
  SphereBoxPair<Box> pair;
  pair.sphere = {uniform.Point(), size * uniform()};
  const Vec3f center = uniform.Point();
  const Vec3f half = uniform.Point() * size;
  if constexpr (std::is_same_v<Box, Aabbf>) {
    pair.box = {center - half, center + half};
  } else {
    pair.box = {center, RandomAxes(uniform), half};
  }
  return pair;
}

// Returns true if the shapes of a pair overlap, decided exactly.
template <typename Box>
bool DoOverlap(const SphereBoxPair<Box>& pair) {
  return Overlaps(ToDouble(pair.sphere), ToDouble(pair.box));
}

// The size with which `percent` of random pairs overlap, by bisection on a
// sample: 20,000 pairs find the share to within half a percent.
template <typename Box>
float SizeForFrequency(int percent) {
  constexpr int kSample = 20'000;
  float lo = 0;
  float hi = 4;
  for (int step = 0; step < 16; ++step) {
    const float size = (lo + hi) / 2;
    Uniform uniform(/*seed=*/1);
    int overlapping = 0;
    for (int i = 0; i < kSample; ++i) {
      overlapping += DoOverlap(RandomPair<Box>(size, uniform));
    }
    (overlapping * 100 < percent * kSample ? lo : hi) = size;
  }
  return lo;
}

// `count` pairs of which exactly count * percent / 100 overlap.
template <typename Box>
std::vector<SphereBoxPair<Box>> MakePairs(size_t count, int percent,
                                          uint64_t seed) {
  const float size = SizeForFrequency<Box>(percent);
  Uniform uniform(seed);
  std::vector<SphereBoxPair<Box>> pairs(count);
  size_t left = count;
  size_t overlapping = count * static_cast<size_t>(percent) / 100;
  for (SphereBoxPair<Box>& pair : pairs) {
    // Draws without replacement which kind comes next, then a pair of it.
    const bool wanted =
        uniform() * static_cast<float>(left) < static_cast<float>(overlapping);
    do {
      pair = RandomPair<Box>(size, uniform);
    } while (DoOverlap(pair) != wanted);
    --left;
    overlapping -= wanted;
  }
  return pairs;
}

// A random order in which to visit `count` shapes, `length` steps long.
// Repeated walks in memory order would let a branch predictor learn a small
// table by heart.
inline std::vector<uint16_t> RandomOrder(size_t count, size_t length,
                                         uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::vector<uint16_t> order(length);
  for (uint16_t& i : order) i = static_cast<uint16_t>(bits() % count);
  return order;
}

}  // namespace orbox::bench

#endif  // ORBOX_BENCH_OVERLAP_BOXES_SPHERE_BOX_PAIRS_H_
