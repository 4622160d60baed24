// SPDX-License-Identifier: Apache-2.0

#include "bench/exactness/decisions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/peers/pair_case.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "tests/support/meshes.h"

namespace orbox::exactness {
namespace {

constexpr size_t kPoints = 2000;
constexpr size_t kRanges = 400;

// A box with sides along the axes of a random turn.
Obb Turned(const Vec3& center, double half, meshes::Random& random) {
  const Pose turn = Pose::Rotation(random.Direction(), random.Uniform(0, 6));
  Obb box{.center = center, .half_extents = {half, half, half}};
  for (size_t i = 0; i < 3; ++i) {
    Vec3 unit{};
    unit[i] = 1;
    box.axes[i] = turn.Apply(unit);
  }
  return box;
}

HalfSpace Through(const Vec3& p, const Vec3& normal) {
  return {normal, Dot(normal, p)};
}

PairQuestions PairsAtRandom(const peers::MeshCase& mesh) {
  peers::PairCase pairs(mesh.name, mesh.mesh, mesh.mesh);
  const auto first = [](std::vector<Pose> poses, size_t count) {
    poses.resize(std::min(poses.size(), count));
    return poses;
  };
  return {Build(pairs.a()).value(), Build(pairs.b()).value(),
          pairs.HalfMeeting(),      first(pairs.Meeting(), 50),
          pairs.NearlyMeeting(),    pairs.Apart()};
}

PairQuestions PairsAtCoincidences(const peers::MeshCase& mesh) {
  const Tree tree = Build(mesh.mesh).value();
  const Aabb& box = mesh.mesh.bounds();
  const Vec3 size = box.hi - box.lo;
  std::vector<Pose> poses{Pose()};
  for (size_t axis = 0; axis < 3; ++axis) {
    for (const double factor : {-1.0, -0.5, 0.5, 1.0}) {
      Vec3 by{};
      by[axis] = factor * size[axis];
      poses.push_back(Pose::Translation(by));
    }
  }
  return {tree, tree, poses, poses, poses, poses};
}

// A vertex, or the middle of an edge.
Vec3 CornerOrMiddle(const Mesh& mesh, meshes::Random& random) {
  const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
  return random.Below(2) == 0 ? t.a : t.a + (t.b - t.a) * 0.5;
}

}  // namespace

Questions AtRandom(const peers::MeshCase& mesh) {
  Questions q{.name = mesh.name,
              .tree = Build(mesh.mesh).value(),
              .diagonal = mesh.diagonal,
              .pairs = PairsAtRandom(mesh)};
  meshes::Random random(3);
  for (size_t i = 0; i < kPoints; ++i) {
    q.far.push_back(mesh.far[i]);
    q.near.push_back(mesh.near[i]);
    q.rays.push_back(mesh.rays[i]);
  }
  for (size_t i = 0; i < kRanges; ++i) {
    const Vec3& p = mesh.near[i];
    const double half = 0.01 * mesh.diagonal;
    q.small_balls.push_back({p, half});
    q.large_balls.push_back({p, 5 * half});
    q.boxes.push_back({p - Vec3{half, half, half}, p + Vec3{half, half, half}});
    q.turned_boxes.push_back(Turned(p, half, random));
    std::vector<HalfSpace> wedge;
    for (int k = 0; k < 5; ++k) {
      const Vec3 n = random.Direction();
      wedge.push_back(Through(p + n * (2 * half), n));
    }
    q.wedges.push_back(std::move(wedge));
  }
  return q;
}

Questions AtCoincidences(const peers::MeshCase& mesh) {
  Questions q{.name = mesh.name,
              .tree = Build(mesh.mesh).value(),
              .diagonal = mesh.diagonal,
              .pairs = PairsAtCoincidences(mesh)};
  meshes::Random random(3);
  const Mesh& m = mesh.mesh;
  for (size_t i = 0; i < kPoints; ++i) {
    const Vec3 p = CornerOrMiddle(m, random);
    q.far.push_back(mesh.far[i]);
    q.near.push_back(p);
    q.rays.push_back({mesh.rays[i].origin, p - mesh.rays[i].origin});
  }
  for (size_t i = 0; i < kRanges; ++i) {
    const Triangle t = m.triangle(random.Below(m.triangle_count()));
    const Triangle u = m.triangle(random.Below(m.triangle_count()));
    const double edge = Norm(t.b - t.a);
    q.small_balls.push_back({t.a, edge});
    q.large_balls.push_back({t.a, 3 * edge});
    q.boxes.push_back(BoundsOf(t));
    q.turned_boxes.push_back(
        Obb{.center = t.a, .half_extents = {edge, edge, edge}});
    // Beyond the planes of the axes through one corner, on one side of a face.
    const Vec3 n = Cross(u.b - u.a, u.c - u.a);
    q.wedges.push_back({Through(t.a, {1, 0, 0}), Through(t.b, {0, -1, 0}),
                        Through(t.c, {0, 0, 1}), Through(u.a, n)});
  }
  return q;
}

namespace {

template <auto Member>
void Range(const Questions& q, size_t i, TraversalStatistics* s) {
  std::vector<uint32_t> ids;
  AppendOverlaps(q.tree, (q.*Member)[i], &ids, IdOrder::kOfTree,
                 {.statistics = s})
      .IgnoreError();
}

using S = TraversalStatistics;
using Q = Questions;
using P = PairQuestions;

constexpr Work kWorks[] = {
    {"triangles in a ball, 1 %", CountOf<&Q::small_balls>,
     Range<&Q::small_balls>},
    {"triangles in a ball, 5 %", CountOf<&Q::large_balls>,
     Range<&Q::large_balls>},
    {"triangles in a box", CountOf<&Q::boxes>, Range<&Q::boxes>},
    {"triangles in a turned box", CountOf<&Q::turned_boxes>,
     Range<&Q::turned_boxes>},
    {"triangles in half-spaces", CountOf<&Q::wedges>, Range<&Q::wedges>},
    {"inside or not", CountOf<&Q::near>,
     [](const Q& q, size_t i, S* s) { CrossingsFrom(q.tree, q.near[i], s); }},
    {"hit by a ray, any", CountOf<&Q::rays>,
     [](const Q& q, size_t i, S* s) {
       AnyHit(q.tree, q.rays[i], {.statistics = s}).value();
     }},
    {"hit by a ray, closest", CountOf<&Q::rays>,
     [](const Q& q, size_t i, S* s) {
       ClosestHit(q.tree, q.rays[i], {.statistics = s}).value();
     }},
    {"hit by a ray, all", CountOf<&Q::rays>,
     [](const Q& q, size_t i, S* s) {
       AllHits(q.tree, q.rays[i], {.statistics = s}).value();
     }},
    {"self-intersections", [](const Q&) { return size_t{1}; },
     [](const Q& q, size_t, S* s) {
       AllSelfOverlaps(q.tree, {}, {.statistics = s}).value();
     }},
    {"meshes meet", CountOfPairs<&P::half_meeting>,
     [](const Q& q, size_t i, S* s) {
       AnyOverlap(Posed<&P::half_meeting>(q, i), q.pairs.b, {.statistics = s})
           .value();
     }},
    {"all meeting pairs", CountOfPairs<&P::meeting>,
     [](const Q& q, size_t i, S* s) {
       AllOverlaps(Posed<&P::meeting>(q, i), q.pairs.b, {.statistics = s})
           .value();
     }},
    {"meshes within 1 %", CountOfPairs<&P::nearly_meeting>,
     [](const Q& q, size_t i, S* s) {
       AnyWithin(Posed<&P::nearly_meeting>(q, i), q.pairs.b, 0.01,
                 {.statistics = s})
           .value();
     }},
    {"pairs within 1 %", CountOfPairs<&P::nearly_meeting>,
     [](const Q& q, size_t i, S* s) {
       VisitWithin(Posed<&P::nearly_meeting>(q, i), q.pairs.b, 0.01,
                   [](const PairDistance&) { return Visit::kContinue; },
                   {.statistics = s})
           .IgnoreError();
     }},
    {"closest point, near", CountOf<&Q::near>,
     [](const Q& q, size_t i, S* s) {
       ClosestPoint(q.tree, q.near[i], {.statistics = s}).value();
     }},
    {"closest point, far", CountOf<&Q::far>,
     [](const Q& q, size_t i, S* s) {
       ClosestPoint(q.tree, q.far[i], {.statistics = s}).value();
     }},
    {"ten nearest", CountOf<&Q::near>,
     [](const Q& q, size_t i, S* s) {
       KNearest(q.tree, q.near[i], 10, {.statistics = s}).value();
     }},
    {"distance of meshes, near", CountOfPairs<&P::nearly_meeting>,
     [](const Q& q, size_t i, S* s) {
       ClosestPair(Posed<&P::nearly_meeting>(q, i), q.pairs.b, {},
                   {.statistics = s})
           .value();
     }},
    {"distance of meshes, far", CountOfPairs<&P::apart>,
     [](const Q& q, size_t i, S* s) {
       ClosestPair(Posed<&P::apart>(q, i), q.pairs.b, {}, {.statistics = s})
           .value();
     }},
};

}  // namespace

std::span<const Work> Works() { return kWorks; }

}  // namespace orbox::exactness
