// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/ring_filter.h"

#include <array>
#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"

namespace orbox {
namespace {

// A point becomes (x, y, 0): x is its distance from the axis, y its height
// along the axis. A ring is a rectangle around what a triangle is there.
using Ring = Obb;

// The axis of a body that turns, as seen by one that does not. Sizes of bodies
// are within 2^+-500, so that products of two lengths are in range.
struct Axis {
  Vec3 center;
  Vec3 direction;  // of unit length
  // How far the axis moves at right angles to itself, and along itself, from
  // one end of the motion to the other.
  double aside = 0;
  double along = 0;
  // What coordinates may be off by.
  double error = 0;
};

Axis AxisOf(const MovingTree& turning, const MovingTree& other) {
  const RigidMotion& motion = turning.motion();
  Axis axis;
  axis.direction = DirectionOf(motion.axis);
  const Vec3 way = motion.translation - other.motion().translation;
  axis.along = Dot(way, axis.direction);
  axis.aside = SafeNorm(way - axis.direction * axis.along);
  axis.center = motion.center;
  // Errors of bodies are hundreds of units in the last place of the largest
  // coordinate involved, and tens are lost here.
  axis.error =
      2 * (turning.error() + other.error()) + 0x1p-45 * MaxCoordinate(Abs(way));
  return axis;
}

// A rectangle around some points, one side of which is along `way`.
Ring Around(const std::vector<Vec3>& points, const Vec3& way, double margin) {
  Vec3 along = DirectionOf(way);
  if (along == Vec3{}) along = {1, 0, 0};
  const Vec3 across{-along.y, along.x, 0};
  Vec3 lo{kInfinity, kInfinity, 0};
  Vec3 hi{-kInfinity, -kInfinity, 0};
  for (const Vec3& p : points) {
    const Vec3 q{Dot(along, p), Dot(across, p), 0};
    lo = Min(lo, q);
    hi = Max(hi, q);
  }
  const Vec3 middle = (lo + hi) * 0.5;
  const Vec3 half = (hi - lo) * 0.5;
  // The box has some thickness, so that no query asks what lies in one plane.
  return {.center = along * middle.x + across * middle.y,
          .axes = {along, across, {0, 0, 1}},
          .half_extents = {half.x + margin, half.y + margin,
                           half.x + half.y + margin}};
}

// A triangle as seen from an axis: its corners' heights, and ways from there.
struct Seen {
  std::array<double, 3> heights;
  Triangle sides;
};

// The distance from the axis is convex: between the corners it is at most the
// mean of theirs, and at least that of their parts along any direction at right
// angles to the axis, such as `outward`.
Ring RingOf(const Seen& seen, const Vec3& outward, const Axis& axis,
            bool turns) {
  std::vector<Vec3> points;
  Vec3 way;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const Vec3 farthest{SafeNorm(seen.sides[i]), seen.heights[i], 0};
    const Vec3 nearest{Dot(outward, seen.sides[i]), seen.heights[i], 0};
    points.insert(points.end(), {farthest, nearest});
    const Vec3 edge =
        Vec3{SafeNorm(seen.sides[j]), seen.heights[j], 0} - farthest;
    if (SafeNorm(edge) > SafeNorm(way)) way = edge;
    // Seen from the axis, what does not turn moves back.
    if (!turns && axis.along != 0) {
      const Vec3 back{0, -axis.along, 0};
      points.insert(points.end(), {farthest + back, nearest + back});
    }
  }
  return Around(points, way, axis.error + (turns ? 0 : axis.aside));
}

// The smaller of two: by the direction of the point that is nearest to the
// axis, and of the middle.
Ring RingOf(const Triangle& t, const Axis& axis, bool turns) {
  Seen seen;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 r = t[i] - axis.center;
    seen.heights[i] = Dot(axis.direction, r);
    seen.sides[i] = r - axis.direction * seen.heights[i];
  }
  const Triangle& s = seen.sides;
  const Vec3 nearest = GuessClosest(Vec3{}, s).feature.PointOn(s);
  const Ring x = RingOf(seen, DirectionOf(nearest), axis, turns);
  const Ring y = RingOf(seen, DirectionOf(s.a + s.b + s.c), axis, turns);
  const auto size = [](const Ring& ring) {
    return ring.half_extents.x * ring.half_extents.y;
  };
  return size(x) < size(y) ? x : y;
}

std::vector<Ring> RingsOf(const MovingTree& body, const Axis& axis) {
  const PosedTree start = body.At(0);
  const bool turns = body.motion().angle != 0;
  const auto count = static_cast<uint32_t>(body.tree().mesh().triangle_count());
  std::vector<Ring> rings(count);
  for (uint32_t id = 0; id < count; ++id) {
    rings[id] = RingOf(start.triangle(id), axis, turns);
  }
  return rings;
}

// A tree of rectangles: two triangles each.
absl::StatusOr<Tree> TreeOf(const std::vector<Ring>& rings) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  vertices.reserve(4 * rings.size());
  triangles.reserve(2 * rings.size());
  for (const Ring& r : rings) {
    const auto first = static_cast<uint32_t>(vertices.size());
    const Vec3 e = r.axes[0] * r.half_extents.x;
    const Vec3 f = r.axes[1] * r.half_extents.y;
    vertices.insert(vertices.end(), {r.center - e - f, r.center + e - f,
                                     r.center + e + f, r.center - e + f});
    triangles.push_back({first, first + 1, first + 2});
    triangles.push_back({first, first + 2, first + 3});
  }
  const absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (!mesh.ok()) return mesh.status();
  return Build(*mesh, {.quality = Quality::kFast, .threads = 1});
}

// Appends the ids of the rings that meet one in the tree; false where there is
// none.
bool GetNeighbors(const std::vector<Ring>& rings,
                  const absl::StatusOr<Tree>& others,
                  std::vector<uint32_t>* ids) {
  if (!others.ok()) return false;
  for (size_t i = 0; i < rings.size(); ++i) {
    if (AnyOverlap(*others, Region(rings[i]))) {
      ids->push_back(static_cast<uint32_t>(i));
    }
  }
  return true;
}

}  // namespace

std::optional<RingNeighbors> RingNeighborsOf(const MovingTree& a,
                                             const MovingTree& b) {
  const bool a_turns = a.motion().angle != 0;
  if (a_turns == (b.motion().angle != 0)) return std::nullopt;
  const Axis axis = a_turns ? AxisOf(a, b) : AxisOf(b, a);
  const std::vector<Ring> of_a = RingsOf(a, axis);
  const std::vector<Ring> of_b = RingsOf(b, axis);
  RingNeighbors neighbors;
  if (!GetNeighbors(of_a, TreeOf(of_b), &neighbors.of_a)) return std::nullopt;
  std::vector<Ring> near_a;
  for (const uint32_t id : neighbors.of_a) near_a.push_back(of_a[id]);
  if (near_a.empty()) return neighbors;
  if (!GetNeighbors(of_b, TreeOf(near_a), &neighbors.of_b)) {
    return std::nullopt;
  }
  return neighbors;
}

std::optional<PartOfBody> PartOfBody::Of(const MovingTree& whole,
                                         std::vector<uint32_t> ids) {
  const Mesh& mesh = whole.tree().mesh();
  std::vector<TriangleIndices> triangles;
  triangles.reserve(ids.size());
  for (const uint32_t id : ids) triangles.push_back(mesh.triangles()[id]);
  const absl::StatusOr<Mesh> part = Mesh::Create(
      {mesh.vertices().begin(), mesh.vertices().end()}, std::move(triangles));
  if (!part.ok()) return std::nullopt;
  const absl::StatusOr<Tree> tree = Build(*part, {.threads = 1});
  if (!tree.ok()) return std::nullopt;
  const absl::StatusOr<MovingTree> body =
      MovingTree::Create(*tree, whole.motion());
  if (!body.ok()) return std::nullopt;
  return PartOfBody{*body, std::move(ids)};
}

}  // namespace orbox
