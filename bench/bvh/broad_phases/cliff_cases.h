// SPDX-License-Identifier: Apache-2.0

// Positions of bodies in which a broad phase may be much slower than it is in
// general position, each a row of one table.
//
//   for (const CliffCase& c : kCliffCases) Measure(c.name, c.make(10'000));
#ifndef ORBOX_BENCH_BVH_BROAD_PHASES_CLIFF_CASES_H_
#define ORBOX_BENCH_BVH_BROAD_PHASES_CLIFF_CASES_H_

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox::broad_bench {

struct CliffCase {
  const char* name;
  // About n boxes.
  std::vector<Aabb> (*make)(size_t n);
};

// Random numbers of the cases, equal for equal n.
class CliffRandom {
 public:
  explicit CliffRandom(size_t n) : random_(n) {}

  double Uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  Vec3 Point(double lo, double hi) {
    const double x = Uniform(lo, hi), y = Uniform(lo, hi);
    return {x, y, Uniform(lo, hi)};
  }

 private:
  std::mt19937_64 random_;
};

inline Aabb BoxAt(const Vec3& center, const Vec3& half) {
  return {center - half, center + half};
}
inline Aabb CubeAt(const Vec3& center, double half) {
  return BoxAt(center, {half, half, half});
}

// Cubes of edge 1 in a cube: each meets one or two others.
inline std::vector<Aabb> GeneralPosition(size_t n) {
  CliffRandom random(n);
  const double edge = std::cbrt(6 * static_cast<double>(n));
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < n; ++i) {
    boxes.push_back(CubeAt(random.Point(0, edge), 0.5));
  }
  return boxes;
}

// Squares of edge 1 in one plane, whose extent along z is 0, or of rounding.
inline std::vector<Aabb> InOnePlane(size_t n, double jitter) {
  CliffRandom random(n);
  const double edge = std::sqrt(3 * static_cast<double>(n));
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < n; ++i) {
    Vec3 center = random.Point(0, edge);
    center.z = 5 + random.Uniform(0, jitter);
    boxes.push_back(BoxAt(center, {0.5, 0.5, 0}));
  }
  return boxes;
}
inline std::vector<Aabb> FlatInAPlane(size_t n) { return InOnePlane(n, 0); }
inline std::vector<Aabb> NearlyFlat(size_t n) { return InOnePlane(n, 1e-9); }

// Cubes that stand on the floor.
inline std::vector<Aabb> CubesInAPlane(size_t n) {
  std::vector<Aabb> boxes = InOnePlane(n, 0);
  for (Aabb& box : boxes) box.hi.z += 1;
  return boxes;
}

// Along a diagonal.
inline std::vector<Aabb> InALine(size_t n) {
  CliffRandom random(n);
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < n; ++i) {
    const double x = random.Uniform(0, 2 * static_cast<double>(n));
    boxes.push_back(CubeAt({x, x, x}, 0.5));
  }
  return boxes;
}

// A row of plates, one behind the other.
inline std::vector<Aabb> StackOfPlates(size_t n) {
  CliffRandom random(n);
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < n; ++i) {
    const double z = random.Uniform(0, 2 * static_cast<double>(n));
    boxes.push_back(BoxAt({0, 0, z}, {1000, 1000, 0.5}));
  }
  return boxes;
}

// Sixteen at a time on one spot each; a sixteenth of n pairs for each.
inline std::vector<Aabb> SpotsOfSixteen(size_t n) {
  std::vector<Aabb> boxes;
  for (const Aabb& box : GeneralPosition(n / 16 + 1)) {
    boxes.insert(boxes.end(), 16, box);
  }
  return boxes;
}

// All boxes in one spot. Only about 4 sqrt(n) of them, which keeps the number
// of pairs linear in n.
inline std::vector<Aabb> OnOneSpot(size_t n) {
  const auto few = static_cast<size_t>(std::sqrt(16 * static_cast<double>(n)));
  return std::vector<Aabb>(few, CubeAt({1, 2, 3}, 0.5));
}

inline std::vector<Aabb> OneFarAway(size_t n) {
  std::vector<Aabb> boxes = GeneralPosition(n);
  boxes[n / 2] = CubeAt({1e12, -1e12, 1e12}, 0.5);
  return boxes;
}

// Half a dozen far away, in all directions and at all distances.
inline std::vector<Aabb> SomeFarAway(size_t n) {
  std::vector<Aabb> boxes = GeneralPosition(n);
  for (size_t i = 0; i < 6 && i < n; ++i) {
    Vec3 place;
    place[i % 3] = (i % 2 == 0 ? 1 : -1) * std::pow(10, 3 * i);
    boxes[i * (n / 6)] = CubeAt(place, 0.5);
  }
  return boxes;
}

inline std::vector<Aabb> OneAroundAll(size_t n) {
  std::vector<Aabb> boxes = GeneralPosition(n);
  const double edge = std::cbrt(6 * static_cast<double>(n));
  boxes[n / 2] = {{-1, -1, -1}, {edge + 1, edge + 1, edge + 1}};
  return boxes;
}

// A box around all that is itself far larger.
inline std::vector<Aabb> OneHugeAroundAll(size_t n) {
  std::vector<Aabb> boxes = GeneralPosition(n);
  boxes[n / 2] = CubeAt({0, 0, 0}, 1e9);
  return boxes;
}

// Boxes with sizes from 1 to e^-30, at distances from the origin in proportion
// to their size. No grid of floats separates the small ones.
inline std::vector<Aabb> SizesOfAllScales(size_t n) {
  CliffRandom random(n);
  // Chosen so that as many boxes overlap as in general position.
  const double spread = std::cbrt(static_cast<double>(n));
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < n; ++i) {
    const double size = std::exp(-random.Uniform(0, 30));
    boxes.push_back(CubeAt(random.Point(-spread, spread) * size, size / 2));
  }
  return boxes;
}

// Boxes of these sizes anywhere in a cube.
inline std::vector<Aabb> SizesAnywhere(size_t n) {
  CliffRandom random(n);
  const double edge = std::cbrt(6 * static_cast<double>(n) / 30);
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < n; ++i) {
    const double size = std::exp(-random.Uniform(0, 30));
    boxes.push_back(CubeAt(random.Point(0, edge), size / 2));
  }
  return boxes;
}

// Cubes in a building with many floors, which are as wide as all of it.
inline std::vector<Aabb> Floors(size_t n) {
  std::vector<Aabb> boxes = GeneralPosition(n);
  const double edge = std::cbrt(6 * static_cast<double>(n));
  for (size_t i = 0; i < n; i += 100) {
    const double z = edge * static_cast<double>(i) / static_cast<double>(n);
    boxes[i] = {{0, 0, z}, {edge, edge, z}};
  }
  return boxes;
}

// Two crowds of different scale, far from each other.
inline std::vector<Aabb> TwoCrowds(size_t n) {
  std::vector<Aabb> boxes = GeneralPosition(n);
  for (size_t i = 0; i < n / 2; ++i) {
    boxes[i] = {boxes[i].lo * 1e-9 + Vec3{-1e6, 0, 0},
                boxes[i].hi * 1e-9 + Vec3{-1e6, 0, 0}};
  }
  return boxes;
}

// The others are compared with the first.
inline constexpr CliffCase kCliffCases[] = {
    {"general position", GeneralPosition},
    {"flat in a plane", FlatInAPlane},
    {"nearly flat", NearlyFlat},
    {"cubes in a plane", CubesInAPlane},
    {"in a line", InALine},
    {"stack of plates", StackOfPlates},
    {"sixteen on a spot", SpotsOfSixteen},
    {"all on one spot", OnOneSpot},
    {"one far away", OneFarAway},
    {"some far away", SomeFarAway},
    {"one around all", OneAroundAll},
    {"a huge one around all", OneHugeAroundAll},
    {"sizes of all scales", SizesOfAllScales},
    {"sizes anywhere", SizesAnywhere},
    {"floors", Floors},
    {"two crowds", TwoCrowds},
};

}  // namespace orbox::broad_bench

#endif  // ORBOX_BENCH_BVH_BROAD_PHASES_CLIFF_CASES_H_
