// SPDX-License-Identifier: Apache-2.0

// Volumes that unions of boxes share: the enclosure holds in each of thousands
// of random pairs, aligned, turned together, and turned each on its own.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "boost/multiprecision/cpp_int.hpp"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using Rational = boost::multiprecision::cpp_rational;

// Pairs of each kind. Sanitizers take a hundred times as long.
constexpr int kAligned = kSanitized ? 100 : 2000;
constexpr int kTurned = kSanitized ? 30 : 500;
constexpr int kTurnedApart = kSanitized ? 5 : 100;

using Boxes = std::vector<Aabb>;

Mesh MeshOf(const Boxes& boxes) {
  Mesh mesh = solids::Box(boxes[0]);
  for (size_t i = 1; i < boxes.size(); ++i) {
    mesh = meshes::Joined(mesh, solids::Box(boxes[i]));
  }
  return mesh;
}

PosedTree At(const Boxes& boxes, const Pose& pose) {
  return PosedTree::Create(trees::Make(MeshOf(boxes)), pose).value();
}

// The coordinates along each axis from which boxes take theirs, ascending. Few,
// so that faces are often flush.
using Palette = std::array<std::vector<double>, 3>;

bool ShareInterior(const Aabb& x, const Aabb& y) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (x.hi[axis] <= y.lo[axis] || y.hi[axis] <= x.lo[axis]) return false;
  }
  return true;
}

class RandomBoxes {
 public:
  explicit RandomBoxes(uint64_t seed) : random_(seed) {}

  meshes::Random& random() { return random_; }

  // Steps of very different length: plates and handles as well as blocks.
  Palette MakePalette() {
    Palette palette;
    for (std::vector<double>& along : palette) {
      const size_t count = 5 + random_.Below(4);
      double at = random_.Uniform(-20, 20);
      for (size_t i = 0; i < count; ++i) {
        along.push_back(at);
        const double step = random_.Uniform(0.01, 1);
        at += random_.Below(3) == 0 ? step * step * step : step;
      }
    }
    return palette;
  }

  // Boxes whose interiors are apart; some are flush with others.
  Boxes MakeApart(const Palette& palette) {
    const size_t wanted = 1 + random_.Below(4);
    Boxes boxes;
    for (int attempt = 0; attempt < 60 && boxes.size() < wanted; ++attempt) {
      const Aabb box = MakeOne(palette);
      const bool is_apart = std::none_of(
          boxes.begin(), boxes.end(),
          [&](const Aabb& other) { return ShareInterior(box, other); });
      if (is_apart) boxes.push_back(box);
    }
    return boxes;
  }

 private:
  Aabb MakeOne(const Palette& palette) {
    Aabb box;
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::vector<double>& along = palette[axis];
      size_t i = random_.Below(along.size());
      size_t j = random_.Below(along.size() - 1);
      if (j >= i) ++j;
      box.lo[axis] = along[std::min(i, j)];
      box.hi[axis] = along[std::max(i, j)];
    }
    return box;
  }

  meshes::Random random_;
};

// The exact volume of what two unions share, cell by cell of the palette.
Rational ExactShared(const Boxes& a, const Boxes& b, const Palette& palette) {
  const auto is_in = [](const Boxes& boxes, const Vec3& p) {
    return std::any_of(boxes.begin(), boxes.end(), [&](const Aabb& box) {
      return box.lo.x <= p.x && p.x < box.hi.x && box.lo.y <= p.y &&
             p.y < box.hi.y && box.lo.z <= p.z && p.z < box.hi.z;
    });
  };
  Rational sum = 0;
  const auto& [x, y, z] = palette;
  for (size_t i = 0; i + 1 < x.size(); ++i) {
    for (size_t j = 0; j + 1 < y.size(); ++j) {
      for (size_t k = 0; k + 1 < z.size(); ++k) {
        const Vec3 corner{x[i], y[j], z[k]};
        if (!is_in(a, corner) || !is_in(b, corner)) continue;
        sum += (Rational(x[i + 1]) - Rational(x[i])) *
               (Rational(y[j + 1]) - Rational(y[j])) *
               (Rational(z[k + 1]) - Rational(z[k]));
      }
    }
  }
  return sum;
}

Aabb Hull(const Boxes& boxes) {
  Aabb hull = boxes[0];
  for (const Aabb& box : boxes) hull = Union(hull, box);
  return hull;
}

double SurfaceOf(const Boxes& boxes) {
  double sum = 0;
  for (const Aabb& box : boxes) {
    const Vec3 size = box.hi - box.lo;
    sum += 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
  }
  return sum;
}

// Upper bound of the change of a volume by turning coordinates up to 32. Each
// vertex moves by less than 2^-44, so the volume changes by at most that times
// the surface area.
double TurnedSlack(const Boxes& a, const Boxes& b) {
  return 0x1p-44 * (SurfaceOf(a) + SurfaceOf(b));
}

// Checks that the bounds are no wider than requested: a hundredth, or an amount
// that is negligible in the common bounds, or the rounding of a plate that is
// 10^-6 thick.
void ExpectNarrow(const MeasureBounds& volume, const Boxes& a, const Boxes& b) {
  const Vec3 size = Min(Hull(a).hi, Hull(b).hi) - Max(Hull(a).lo, Hull(b).lo);
  const double common =
      std::max(size.x, 0.0) * std::max(size.y, 0.0) * std::max(size.z, 0.0);
  EXPECT_LE(volume.upper - volume.lower,
            0.010001 * volume.lower + 0x1p-23 * common + 5e-6);
}

TEST(VolumeSearchTest, TopsWithHandles) {
  const Boxes a{
      {{12.683073, -1.938923, 0.7239}, {14.246173, -1.138823, 0.762}},
      {{13.973123, -1.957973, 0.5334}, {14.074723, -1.932573, 0.5461}}};
  const Boxes b{
      {{14.232414, -1.938923, 0.7239}, {15.795514, -1.138823, 0.762}},
      {{15.522464, -1.957973, 0.5334}, {15.624064, -1.932573, 0.5461}}};
  const double exact =
      (14.246173 - 14.232414) * (1.938923 - 1.138823) * (0.762 - 0.7239);
  for (const Pose& pose :
       {Pose{}, Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7)}) {
    for (const double relative : {0.05, 0.01, 0.001, 1e-6}) {
      SCOPED_TRACE(relative);
      const MeasureBounds volume =
          VolumeOfShared(At(a, pose), At(b, pose), {.relative = relative});
      EXPECT_LE(volume.lower, exact * (1 + 1e-12));
      EXPECT_GE(volume.upper, exact * (1 - 1e-12));
      EXPECT_LE(volume.upper, volume.lower * (1 + 1.01 * relative));
    }
  }
}

TEST(VolumeSearchTest, UnionsOfBoxesAreEnclosed) {
  RandomBoxes boxes(1);
  for (int i = 0; i < kAligned; ++i) {
    SCOPED_TRACE(i);
    const Palette palette = boxes.MakePalette();
    const Boxes a = boxes.MakeApart(palette);
    const Boxes b = boxes.MakeApart(palette);
    const Rational exact = ExactShared(a, b, palette);
    const MeasureBounds volume = VolumeOfShared(At(a, {}), At(b, {}));
    EXPECT_LE(Rational(volume.lower), exact);
    EXPECT_LE(exact, Rational(volume.upper));
    ExpectNarrow(volume, a, b);
  }
}

TEST(VolumeSearchTest, UnionsOfBoxesTurnedTogetherAreEnclosed) {
  RandomBoxes boxes(2);
  for (int i = 0; i < kTurned; ++i) {
    SCOPED_TRACE(i);
    const Palette palette = boxes.MakePalette();
    const Boxes a = boxes.MakeApart(palette);
    const Boxes b = boxes.MakeApart(palette);
    const double exact = ExactShared(a, b, palette).convert_to<double>();
    const Pose pose = meshes::RandomRigidPose(boxes.random(), 10);
    const MeasureBounds volume = VolumeOfShared(At(a, pose), At(b, pose));
    const double slack = TurnedSlack(a, b);
    EXPECT_LE(volume.lower, exact + slack);
    EXPECT_GE(volume.upper, exact - slack);
    EXPECT_LE(volume.lower, volume.upper);
    ExpectNarrow(volume, a, b);
  }
}

using Wide = std::array<long double, 3>;

Wide Widened(const Vec3& p) { return {p.x, p.y, p.z}; }

long double DotOf(const Wide& x, const Wide& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

Wide Minus(const Wide& x, const Wide& y) {
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

using Ring = std::vector<Wide>;

// A box at a pose of its own. The volume common to two of them follows from the
// divergence theorem over the faces of each, clipped to the other. Requires
// that they have no face in common.
class TurnedBox {
 public:
  TurnedBox(const Aabb& box, const Pose& pose) {
    for (size_t i = 0; i < 8; ++i) {
      corners_[i] =
          Widened(pose.Apply(Vec3{(i & 1) != 0 ? box.hi.x : box.lo.x,
                                  (i & 2) != 0 ? box.hi.y : box.lo.y,
                                  (i & 4) != 0 ? box.hi.z : box.lo.z}));
    }
  }

  // Six times the cones from `apex` to what of the faces is in `other`.
  long double ConesWithin(const TurnedBox& other, const Wide& apex) const {
    long double sum = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t u = 1u << axis;
      const size_t v = 1u << (axis + 1) % 3;
      const size_t w = 1u << (axis + 2) % 3;
      const Wide normal = Minus(corners_[u], corners_[0]);
      for (const size_t at : {size_t{0}, u}) {
        Ring ring{corners_[at], corners_[at | v], corners_[at | v | w],
                  corners_[at | w]};
        other.Clip(&ring);
        const long double sign = at == 0 ? -1 : 1;
        for (size_t i = 1; i + 1 < ring.size(); ++i) {
          sum += sign * AreaByLength(ring[0], ring[i], ring[i + 1], normal) *
                 DotOf(normal, Minus(ring[0], apex));
        }
      }
    }
    return sum;
  }

  const Wide& corner() const { return corners_[0]; }

 private:
  // Twice the area of a triangle, over the length of the face's normal.
  static long double AreaByLength(const Wide& a, const Wide& b, const Wide& c,
                                  const Wide& normal) {
    const Wide p = Minus(b, a);
    const Wide q = Minus(c, a);
    const Wide cross{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                     p[0] * q[1] - p[1] * q[0]};
    const long double along = DotOf(cross, normal) / DotOf(normal, normal);
    return along < 0 ? -along : along;
  }

  void Clip(Ring* ring) const {
    for (size_t axis = 0; axis < 3; ++axis) {
      const Wide normal = Minus(corners_[1u << axis], corners_[0]);
      const long double length = DotOf(normal, normal);
      for (const long double sign : {-1.0L, 1.0L}) {
        const auto height = [&](const Wide& p) {
          const long double at = DotOf(normal, Minus(p, corners_[0]));
          return sign < 0 ? -at : at - length;
        };
        Ring kept;
        for (size_t i = 0; i < ring->size(); ++i) {
          const Wide& p = (*ring)[i];
          const Wide& q = (*ring)[(i + 1) % ring->size()];
          const long double hp = height(p);
          const long double hq = height(q);
          if (hp <= 0) kept.push_back(p);
          if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
            const long double at = hp / (hp - hq);
            kept.push_back({p[0] + (q[0] - p[0]) * at,
                            p[1] + (q[1] - p[1]) * at,
                            p[2] + (q[2] - p[2]) * at});
          }
        }
        *ring = kept;
      }
    }
  }

  std::array<Wide, 8> corners_;
};

TEST(VolumeSearchTest, UnionsOfBoxesTurnedApartAreEnclosed) {
  RandomBoxes boxes(3);
  for (int i = 0; i < kTurnedApart; ++i) {
    SCOPED_TRACE(i);
    const Palette palette = boxes.MakePalette();
    const Boxes a = boxes.MakeApart(palette);
    const Boxes b = boxes.MakeApart(palette);
    // About a point of both, so that they still meet.
    const Vec3 center = a[0].Center();
    Pose turn = Pose::Rotation(boxes.random().Direction(),
                               boxes.random().Uniform(0, 3));
    turn.translation = center - turn.Apply(center);
    long double sixfold = 0;
    for (const Aabb& x : a) {
      for (const Aabb& y : b) {
        const TurnedBox p(x, turn);
        const TurnedBox q(y, {});
        sixfold += p.ConesWithin(q, p.corner()) + q.ConesWithin(p, p.corner());
      }
    }
    const auto exact = static_cast<double>(sixfold / 6);
    const MeasureBounds volume = VolumeOfShared(At(a, turn), At(b, {}));
    const double slack = TurnedSlack(a, b);
    EXPECT_LE(volume.lower, exact + slack);
    EXPECT_GE(volume.upper, exact - slack);
    EXPECT_LE(volume.lower, volume.upper);
  }
}

}  // namespace
}  // namespace orbox
