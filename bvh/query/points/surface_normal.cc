// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/surface_normal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "orbox/bvh/posed/internal/mirrors.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

Vec3 UnitOf(Vec3 v) {
  const double largest = MaxCoordinate(Abs(v));
  if (largest == 0) return {};
  v = v * (1 / largest);
  return v * (1 / Norm(v));
}

// Returns the unit normal, or 0. Each coordinate of the cross product is
// rounded once, so needles have precise normals, too.
Vec3 NormalOf(const Triangle& t) {
  const auto cross_of = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      const auto n = Cross(exact::Difference<Number>(points[1], points[0]),
                           exact::Difference<Number>(points[2], points[0]));
      const Number one = 1;
      return Vec3{judge.RoundedQuotient(n.x, one),
                  judge.RoundedQuotient(n.y, one),
                  judge.RoundedQuotient(n.z, one)};
    };
  };
  return UnitOf(DecideScaled<3>({t.a, t.b, t.c}, cross_of, nullptr));
}

double AngleAt(const Triangle& t, size_t corner) {
  const Vec3 u = t[(corner + 1) % 3] - t[corner];
  const Vec3 v = t[(corner + 2) % 3] - t[corner];
  return std::atan2(Norm(Cross(u, v)), Dot(u, v));
}

// Returns the index of p among the corners, or 3.
size_t CornerAt(const Triangle& t, const Vec3& p) {
  for (size_t i = 0; i < 3; ++i) {
    if (t[i] == p) return i;
  }
  return 3;
}

}  // namespace

Vec3 BarycentricAt(TreeAtPose tree, uint32_t triangle, const Vec3& point) {
  const Triangle t = tree.triangle(triangle);
  double largest = 0;
  for (size_t i = 0; i < 3; ++i) {
    largest = std::max(largest, MaxCoordinate(Abs(t[i])));
  }
  const double near = 0x1p-46 * largest;
  Vec3 weights;
  size_t nearest = 0;
  for (size_t i = 1; i < 3; ++i) {
    if (Norm(point - t[i]) < Norm(point - t[nearest])) nearest = i;
  }
  if (Norm(point - t[nearest]) <= near) {
    weights[nearest] = 1;
    return weights;
  }
  for (size_t i = 0; i < 3; ++i) {
    const size_t next = (i + 1) % 3;
    const Vec3 edge = t[next] - t[i];
    const double length = Norm(edge);
    const double along = Dot(point - t[i], edge) / length;
    // False for an edge without length.
    if (along > 0 && along < length &&
        Norm(point - t[i] - edge * (along / length)) <= near) {
      weights[next] = along / length;
      weights[i] = 1 - weights[next];
      return weights;
    }
  }
  const Feature feature = GuessClosest(point, t).feature;
  double rest = 1;
  for (size_t i = 1; i < feature.size; ++i) {
    weights[feature.corner[i]] = feature.coefficient[i - 1];
    rest -= feature.coefficient[i - 1];
  }
  weights[feature.corner[0]] = std::max(rest, 0.0);
  return weights;
}

Vec3 TriangleNormal(TreeAtPose tree, uint32_t triangle) {
  const Vec3 normal = NormalOf(tree.triangle(triangle));
  return Mirrors(tree) ? -normal : normal;
}

Vec3 FeatureNormal(TreeAtPose tree, uint32_t triangle, const Vec3& weights) {
  const Mesh& mesh = tree.tree().mesh();
  const Triangle t = mesh.triangle(triangle);
  size_t count = 0;
  size_t corners[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    if (weights[i] != 0) corners[count++] = i;
  }
  if (count == 0 || count == 3) return TriangleNormal(tree, triangle);
  const Vec3& from = t[corners[0]];
  const Vec3& to = t[corners[count - 1]];
  Vec3 sum;
  double total = 0;
  for (const uint32_t id : AllOverlaps(tree.tree(), Sphere{from, 0})) {
    const Triangle other = mesh.triangle(id);
    const size_t corner = CornerAt(other, from);
    if (corner == 3 || CornerAt(other, to) == 3) continue;
    const Triangle moved = tree.Move(other);
    const double weight = from == to ? AngleAt(moved, corner) : 1;
    sum += NormalOf(moved) * weight;
    total += weight;
  }
  if (Norm(sum) <= 0x1p-40 * total) return {};
  return UnitOf(Mirrors(tree) ? -sum : sum);
}

}  // namespace orbox
