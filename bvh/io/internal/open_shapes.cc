// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstdint>

#include "orbox/bvh/io/internal/shapes.h"
#include "orbox/bvh/io/internal/surface.h"

namespace orbox::mesh_internal {
namespace {

// Returns a pseudo-random number in [0, 1) for each point of a lattice.
double LatticeNoise(uint64_t seed, uint64_t x, uint64_t y) {
  const uint64_t bits =
      Random::Mix(Random::Mix(seed + x * Random::kGolden) + y);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// Lattice noise, interpolated by 3 t^2 - 2 t^3, whose slope is 0 at both ends.
double SmoothNoise(uint64_t seed, double x, double y) {
  const double x0 = std::floor(x);
  const double y0 = std::floor(y);
  const auto i = static_cast<uint64_t>(x0);
  const auto j = static_cast<uint64_t>(y0);
  auto blend = [](double t) { return t * t * (3 - 2 * t); };
  const double u = blend(x - x0);
  const double v = blend(y - y0);
  const double low =
      LatticeNoise(seed, i, j) * (1 - u) + LatticeNoise(seed, i + 1, j) * u;
  const double high = LatticeNoise(seed, i, j + 1) * (1 - u) +
                      LatticeNoise(seed, i + 1, j + 1) * u;
  return low * (1 - v) + high * v;
}

void AddLoose(const Vec3& a, const Vec3& b, const Vec3& c, Surface& out) {
  const size_t first = out.vertices.size();
  out.vertices.insert(out.vertices.end(), {a, b, c});
  out.Add(first, first + 1, first + 2);
}

}  // namespace

void Plane(const GenerateOptions& options, Surface& out) {
  AddSheet(
      NearestGrid(options.triangles, {.ratio = 1}),
      [](double, double) { return 0.0; }, out);
}

// Sum of octaves of noise. Each octave has twice the frequency and half the
// height of the previous one.
void Terrain(const GenerateOptions& options, Surface& out) {
  constexpr int kOctaves = 8;
  auto height = [&](double x, double y) {
    double sum = 0;
    double cells = 4;
    double amplitude = 0.125;
    for (int octave = 0; octave < kOctaves; ++octave) {
      const uint64_t seed =
          Random::Mix(options.seed + static_cast<uint64_t>(octave));
      sum += amplitude * SmoothNoise(seed, x * cells, y * cells);
      cells *= 2;
      amplitude /= 2;
    }
    return sum;
  };
  AddSheet(NearestGrid(options.triangles, {.ratio = 1}), height, out);
}

// Random triangles. Their size is proportional to the cube root of 1 / n, so
// that the number of triangles that overlap a given one hardly depends on n.
void Soup(const GenerateOptions& options, Surface& out) {
  size_t root = 1;
  while (root * root * root < options.triangles) ++root;
  const double size = 1 / static_cast<double>(root);
  Random random(options.seed);
  for (size_t i = 0; i < options.triangles; ++i) {
    const Vec3 a = (random.Offset() + Vec3{1, 1, 1}) * 0.5;
    const Vec3 b = a + random.Offset() * size;
    const Vec3 c = a + random.Offset() * size;
    AddLoose(a, b, c, out);
  }
}

// Triangles that are half a unit long and 2^-10 to 2^-40 wide.
void Needles(const GenerateOptions& options, Surface& out) {
  Random random(options.seed);
  for (size_t i = 0; i < options.triangles; ++i) {
    const Vec3 a = (random.Offset() + Vec3{1, 1, 1}) * 0.5;
    const Vec3 b = a + random.Offset() * 0.5;
    const int exponent = 10 + static_cast<int>(random.Bits() % 31);
    AddLoose(a, b, b + random.Offset() * std::ldexp(1.0, -exponent), out);
  }
}

}  // namespace orbox::mesh_internal
