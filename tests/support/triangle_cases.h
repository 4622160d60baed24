// SPDX-License-Identifier: Apache-2.0

// Triangles to test with, by kind: what a mesh holds, and what a mesh should
// not hold but will.
//
//   for (TriangleKind kind : kTriangleKinds) {
//     TriangleCases cases(kind, /*seed=*/1);
//     auto [s, t] = cases.Next();
//   }
#ifndef ORBOX_TESTS_SUPPORT_TRIANGLE_CASES_H_
#define ORBOX_TESTS_SUPPORT_TRIANGLE_CASES_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct TriangleCase {
  Triangle first;
  Triangle second;
};

enum class TriangleKind {
  kRandom,
  kLattice,       // corners of small integers: exact ties and contacts
  kTenthLattice,  // the same times 0.1: ties up to rounding
  kCoplanar,      // both in one lattice plane
  kSharedVertex,
  kSharedEdge,
  kTouching,  // a corner on the other's face, to within an ulp or exactly
  kParallel,  // one is the other, moved and rounded
  kSliver,    // corners nearly on a line
  kSegment,   // corners on a line, some coincide
  kPoint,
  kUneven,  // coordinates of all magnitudes; not to be scaled
};

// Those that can be scaled to either end of double's range.
constexpr TriangleKind kTriangleKinds[] = {
    TriangleKind::kRandom,       TriangleKind::kLattice,
    TriangleKind::kTenthLattice, TriangleKind::kCoplanar,
    TriangleKind::kSharedVertex, TriangleKind::kSharedEdge,
    TriangleKind::kTouching,     TriangleKind::kParallel,
    TriangleKind::kSliver,       TriangleKind::kSegment,
    TriangleKind::kPoint};

inline std::string NameOf(TriangleKind kind) {
  constexpr const char* kNames[] = {"Random",   "Lattice",      "TenthLattice",
                                    "Coplanar", "SharedVertex", "SharedEdge",
                                    "Touching", "Parallel",     "Sliver",
                                    "Segment",  "Point",        "Uneven"};
  return kNames[static_cast<size_t>(kind)];
}

// Calls check(kind, scale, shift) for each kind: unscaled; at 2^40, where
// shapes have 13 bits left; and at the ends of the range of models, where
// products of six lengths do not fit a double.
template <typename Check>
void ForEachKindAndPlace(Check check) {
  for (const TriangleKind kind : kTriangleKinds) {
    check(kind, 1.0, Vec3{});
    check(kind, 1.0, Vec3{0x1p40, -0x1p40, 3});
    for (const double scale : {1e-57, 1e-40, 1e40, 1e58}) {
      check(kind, scale, Vec3{});
    }
  }
}

// The largest coordinate of a corner.
inline double Reach(const Triangle& t) {
  return std::max({MaxCoordinate(Abs(t.a)), MaxCoordinate(Abs(t.b)),
                   MaxCoordinate(Abs(t.c))});
}

// Scale and translation of shapes. At 2^40 they have 13 bits left; at the ends
// of the range of models, products of six lengths do not fit a double.
struct Placing {
  double scale;
  Vec3 shift;
};
constexpr Placing kPlacings[] = {
    {1, {}},
    {1, {0x1p40, -0x1p40, 3}},
    {1e-57, {}},
    {1e58, {}},
    {0x1p-40, {1}},
    {0x1p-60, {1}},
    {1, {0x1p25, 0, 0}},
    {1e57, {1e59, 0, 0}},
};

// Scales, and distances from the origin along its diagonal: far away, small,
// large, and at the ends of the range of models.
struct Setting {
  double scale;
  double offset;
};
constexpr Setting kSettings[] = {
    {1, 0x1p20}, {1, 0x1p40}, {1e-3, 0}, {1e-3, 1e3}, {1e-12, 0},
    {1e12, 0},   {1e15, 0},   {1e58, 0}, {1e-57, 0},
};

// Returns the triangle with its corners in each order.
inline std::array<Triangle, 6> OrdersOf(const Triangle& t) {
  return {{{t.a, t.b, t.c},
           {t.b, t.c, t.a},
           {t.c, t.a, t.b},
           {t.a, t.c, t.b},
           {t.c, t.b, t.a},
           {t.b, t.a, t.c}}};
}

class TriangleCases {
 public:
  TriangleCases(TriangleKind kind, uint64_t seed)
      : kind_(kind), random_(seed) {}

  TriangleCase Next() {
    switch (kind_) {
      case TriangleKind::kRandom:
        return {Random(), Random()};
      case TriangleKind::kLattice:
        return {Lattice(1), Lattice(1)};
      case TriangleKind::kTenthLattice:
        return {Lattice(0.1), Lattice(0.1)};
      case TriangleKind::kCoplanar:
        return InOnePlane({Lattice(1), Lattice(1)});
      case TriangleKind::kSharedVertex: {
        const Triangle s = Random();
        return {s, {s.a, Gaussian(), Gaussian()}};
      }
      case TriangleKind::kSharedEdge: {
        const Triangle s = Random();
        return {s, {s.a, s.b, Gaussian()}};
      }
      case TriangleKind::kTouching:
        return Touching();
      case TriangleKind::kParallel: {
        const Triangle s = Random();
        const Vec3 shift = Gaussian();
        return {s, {s.a + shift, s.b + shift, s.c + shift}};
      }
      case TriangleKind::kSliver:
        return {Sliver(), Coin() ? Sliver() : Random()};
      case TriangleKind::kSegment:
        return {SegmentLike(), Coin() ? SegmentLike() : Lattice(1)};
      case TriangleKind::kPoint: {
        const Triangle s = Lattice(1);
        return {{s.a, s.a, s.a}, Lattice(1)};
      }
      case TriangleKind::kUneven: {
        const Triangle s = Uneven();
        return {s, Uneven()};
      }
    }
    return {};
  }

  Vec3 Gaussian() {
    // One statement each: the order of arguments is not fixed.
    const double x = gaussian_(random_);
    const double y = gaussian_(random_);
    const double z = gaussian_(random_);
    return {x, y, z};
  }

  // A whole number between lo and hi.
  int Whole(int lo, int hi) {
    return lo +
           static_cast<int>(random_() % static_cast<uint64_t>(hi - lo + 1));
  }
  bool Coin() { return Whole(0, 1) == 1; }

 private:
  Triangle Random() {
    const Vec3 shift = Gaussian();
    const Vec3 a = Gaussian();
    const Vec3 b = Gaussian();
    return {a + shift, b + shift, Gaussian() + shift};
  }

  Vec3 LatticePoint(double step) {
    const int x = Whole(-2, 2);
    const int y = Whole(-2, 2);
    return Vec3{x * 1.0, y * 1.0, Whole(-2, 2) * 1.0} * step;
  }

  Triangle Lattice(double step) {
    const Vec3 a = LatticePoint(step);
    const Vec3 b = LatticePoint(step);
    return {a, b, LatticePoint(step)};
  }

  TriangleCase InOnePlane(TriangleCase pair) {
    const int form = Whole(0, 2);
    for (Triangle* t : {&pair.first, &pair.second}) {
      for (size_t i = 0; i < 3; ++i) {
        Vec3& p = (*t)[i];
        if (form == 0) p.z = 1;
        if (form == 1) p.z = p.x + 2 * p.y;
        if (form == 2) p.y = p.x;
      }
    }
    return pair;
  }

  TriangleCase Touching() {
    const Triangle s = Coin() ? Random() : Lattice(1);
    // A point of s: at a corner, on an edge or inside, rounded.
    const double v = Whole(0, 4) / 4.0;
    const double w = Whole(0, static_cast<int>(4 - 4 * v)) / 4.0;
    Vec3 p = s.a + (v * (s.b - s.a) + w * (s.c - s.a));
    const int nudge = Whole(-1, 1);
    if (nudge != 0) {
      p.z =
          std::nextafter(p.z, nudge * std::numeric_limits<double>::infinity());
    }
    const Vec3 b = Gaussian();
    return {s, {p, b, Gaussian()}};
  }

  Triangle Sliver() {
    const Vec3 a = Gaussian();
    const Vec3 b = Gaussian();
    const double t = Whole(1, 9) / 10.0;
    const Vec3 offset = Gaussian() * std::ldexp(1.0, -Whole(20, 60));
    return {a, b, a + (t * (b - a) + offset)};
  }

  Triangle SegmentLike() {
    const Triangle t = Lattice(1);
    if (Coin()) return {t.a, t.b, t.b};
    return {t.a, t.a + (t.b - t.a) * 3, t.b};
  }

  // Most coordinates are small whole numbers, so that some corners are close
  // to each other where others are about as far as models can be.
  Vec3 UnevenPoint() {
    Vec3 p = LatticePoint(1);
    for (size_t k = 0; k < 3; ++k) {
      if (Whole(0, 3) != 0) continue;
      p[k] = std::ldexp(gaussian_(random_), Whole(0, 1) * Whole(-190, 190));
    }
    return p;
  }

  Triangle Uneven() {
    const Vec3 a = UnevenPoint();
    const Vec3 b = UnevenPoint();
    return {a, b, UnevenPoint()};
  }

  TriangleKind kind_;
  std::mt19937_64 random_;
  std::normal_distribution<double> gaussian_;
};

// The shape, scaled and then moved; each coordinate rounds.
inline Triangle Transformed(const Triangle& t, double scale,
                            const Vec3& shift) {
  return {t.a * scale + shift, t.b * scale + shift, t.c * scale + shift};
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_TRIANGLE_CASES_H_
