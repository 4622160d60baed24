// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of the queries of one mesh: the tree's answers are those
// of asking every triangle, to the bit, and single triangles are checked
// against rational arithmetic. A violation aborts.
#ifndef ORBOX_TESTS_FUZZ_MESH_QUERIES_FUZZ_H_
#define ORBOX_TESTS_FUZZ_MESH_QUERIES_FUZZ_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/k_nearest.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/query/self_overlap.h"
#include "orbox/bvh/query/signed_distance.h"
#include "orbox/bvh/query/sweep_hit.h"
#include "orbox/bvh/query/winding_number.h"
#include "orbox/bvh/tree/tree_file.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/swept_sphere.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_place.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/special_numbers.h"
#include "tests/support/sweeps.h"

namespace orbox {

class MeshQueriesFuzz {
 public:
  MeshQueriesFuzz(FuzzInput& in, const Tree& tree)
      : in_(in), tree_(tree), mesh_(tree.mesh()) {}

  // One query, which the input chooses.
  void Ask();

 private:
  using Points = std::vector<SurfacePoint>;

  void AskBall();
  void AskBox();
  void AskObb();
  void AskHalfSpaces();
  void AskNearest();
  void AskRay();
  void AskSweep();
  void AskSigned();
  void AskWinding();
  void AskSelf();
  void AskBatch();

  Points AllNearest(const Vec3& p, double max_distance) const;
  template <typename Shape>
  void CheckRange(const Shape& shape, const std::vector<uint32_t>& expected);
  // At times: rational arithmetic costs more than all else together.
  bool IsJudged() { return in_.Below(4) == 0; }
  Triangle AnyTriangle() {
    return mesh_.triangle(in_.Byte() % mesh_.triangle_count());
  }

  FuzzInput& in_;
  const Tree& tree_;
  const Mesh& mesh_;
};

// A tree, as it was built, or read from its file, or refitted; nothing where
// the input has no mesh.
std::optional<Tree> FuzzedTree(FuzzInput& in, size_t most_triangles);

void FuzzMeshQueries(std::string_view bytes);

// Implementation.

template <typename Shape>
void MeshQueriesFuzz::CheckRange(const Shape& shape,
                                 const std::vector<uint32_t>& expected) {
  TraversalStatistics statistics;
  Require(AllOverlaps(tree_, shape) == expected, "what is in range");
  Require(AllOverlaps(tree_, shape, {.statistics = &statistics}) == expected,
          "what is in range, counted");
  Require(statistics.triangle_tests ==
              statistics.settled_by_float + statistics.settled_by_double +
                  statistics.settled_by_expansion + statistics.settled_by_exact,
          "each test is settled once");
  Require(CountOverlaps(tree_, shape) == expected.size(), "how much is");
  Require(AnyOverlap(tree_, shape) == !expected.empty(), "whether any is");
  std::vector<uint32_t> ids;
  AppendOverlaps(tree_, shape, &ids, IdOrder::kOfTree);
  std::sort(ids.begin(), ids.end());
  Require(ids == expected, "what is in range, in the tree's order");
}

inline void MeshQueriesFuzz::AskBall() {
  Sphere ball;
  ball.center = in_.PointNear(mesh_);
  ball.radius = in_.LengthNear(mesh_, ball.center);
  std::vector<uint32_t> expected;
  if (IsValid(ball)) {
    expected = brute_force::InRange(mesh_, ball);
    if (IsJudged()) {
      const Triangle t = AnyTriangle();
      const oracle::Rational r = ball.radius;
      Require(Overlaps(ball, t) ==
                  (oracle::SquaredDistance(ball.center, t) <= r * r),
              "a ball and a triangle, in rational arithmetic");
    }
  } else if (IsFinite(ball.center) && ball.radius == kInf) {
    ball.radius = kInf;
    for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) expected.push_back(i);
  }
  CheckRange(ball, expected);
}

inline void MeshQueriesFuzz::AskBox() {
  const Vec3 p = in_.PointNear(mesh_);
  const Vec3 q = in_.Below(4) == 0 ? p : in_.PointNear(mesh_);
  const Aabb box = in_.Below(16) == 0 ? Aabb{p, q} : Aabb{Min(p, q), Max(p, q)};
  // Infinite sides are beyond all vertices, and so is the largest double but
  // for vertices that have it.
  constexpr double kMost = std::numeric_limits<double>::max();
  Aabb finite = box;
  bool is_empty = false;
  for (size_t i = 0; i < 3; ++i) {
    is_empty = is_empty || !(box.lo[i] <= box.hi[i]) || box.lo[i] == kInf ||
               box.hi[i] == -kInf;
    finite.lo[i] = std::max(box.lo[i], -kMost);
    finite.hi[i] = std::min(box.hi[i], kMost);
  }
  std::vector<uint32_t> expected;
  if (!is_empty) {
    expected = brute_force::InRange(mesh_, finite);
    if (IsJudged()) {
      const Triangle t = AnyTriangle();
      Require(Overlaps(finite, t) == oracle::Overlaps(finite, t),
              "a box and a triangle, in rational arithmetic");
    }
  }
  CheckRange(box, expected);
}

inline void MeshQueriesFuzz::AskObb() {
  Obb box = in_.BoxNear(mesh_);
  for (size_t i = 0; i < 3; ++i) {
    if (!std::isfinite(box.half_extents[i])) box.half_extents[i] = 1;
  }
  std::vector<uint32_t> expected;
  if (IsValid(box)) {
    expected = brute_force::InRange(mesh_, box);
    if (IsJudged()) {
      const Triangle t = AnyTriangle();
      Require(Overlaps(box, t) == oracle::Overlaps(box, t),
              "an oriented box and a triangle, in rational arithmetic");
    }
  }
  CheckRange(box, expected);
}

inline void MeshQueriesFuzz::AskHalfSpaces() {
  std::vector<HalfSpace> set(in_.Below(8));
  for (HalfSpace& h : set) {
    h.normal = in_.Direction();
    const Vec3 p = in_.PointNear(mesh_);
    h.offset = in_.Nudged(Dot(h.normal, p));
    if (in_.Below(32) == 0) h.offset = in_.LengthNear(mesh_, p);
  }
  std::vector<HalfSpace> finite;
  bool is_empty = false;
  for (const HalfSpace& h : set) {
    if (IsFinite(h.normal) && h.offset == kInf) continue;
    is_empty = is_empty || !IsValid(h);
    finite.push_back(h);
  }
  CheckRange(HalfSpaces(set),
             is_empty ? std::vector<uint32_t>()
                      : brute_force::InRange(mesh_, HalfSpaces(finite)));
}

inline MeshQueriesFuzz::Points MeshQueriesFuzz::AllNearest(
    const Vec3& p, double max_distance) const {
  if (!IsFinite(p) || !(max_distance >= 0)) return {};
  return brute_force::Nearest(mesh_, p, max_distance);
}

// Any of the triangles that are equally near may be reported.
inline bool IsOneOf(const SurfacePoint& found, const Mesh& mesh, const Vec3& p,
                    double least) {
  if (found.distance != least || found.triangle >= mesh.triangle_count()) {
    return false;
  }
  const PointTriangleDistance d = Distance(p, mesh.triangle(found.triangle));
  return d.distance == least && d.closest == found.point;
}

inline bool AreSame(const SurfacePoint& x, const SurfacePoint& y) {
  return x.triangle == y.triangle && x.distance == y.distance &&
         x.point == y.point;
}

inline void MeshQueriesFuzz::AskNearest() {
  const Vec3 p = in_.PointNear(mesh_);
  const double most = in_.Below(2) == 0 ? kInf : in_.LengthNear(mesh_, p);
  Points expected = AllNearest(p, most);
  const auto closest = ClosestPoint(tree_, p, {.max_distance = most});
  Require(closest.has_value() == !expected.empty(), "whether any is near");
  if (closest) {
    Require(IsOneOf(*closest, mesh_, p, expected[0].distance),
            "the closest point");
  }
  if (IsFinite(p) && IsJudged()) {
    const Triangle t = AnyTriangle();
    Require(oracle::IsRoundedRoot(Distance(p, t).distance,
                                  oracle::SquaredDistance(p, t)),
            "a point's distance is correctly rounded");
  }
  const size_t k =
      in_.Below(4) == 0 ? std::numeric_limits<size_t>::max() : in_.Below(20);
  const Points nearest = KNearest(tree_, p, k, {.max_distance = most});
  if (expected.size() > k) expected.resize(k);
  Require(std::equal(nearest.begin(), nearest.end(), expected.begin(),
                     expected.end(), AreSame),
          "the k nearest triangles");
}

inline void MeshQueriesFuzz::AskRay() {
  Ray ray;
  ray.origin = in_.PointNear(mesh_);
  ray.direction =
      in_.Below(2) == 0 ? in_.Direction() : in_.PointNear(mesh_) - ray.origin;
  const double most_choices[] = {kInf, 1, 0.5, in_.AnyFinite()};
  const double most = most_choices[in_.Below(4)];
  std::vector<RayHit> expected;
  if (IsFinite(ray.origin) && IsFinite(ray.direction) &&
      ray.direction != Vec3{}) {
    for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) {
      const auto hit = Intersect(ray, mesh_.triangle(i), most);
      if (hit) expected.push_back({i, hit->t, hit->barycentric, hit->point});
    }
  }
  std::sort(expected.begin(), expected.end(),
            [&](const RayHit& x, const RayHit& y) {
              const int order = CompareHits(ray, mesh_.triangle(x.triangle),
                                            mesh_.triangle(y.triangle));
              return order != 0 ? order < 0 : x.triangle < y.triangle;
            });
  const auto are_same = [](const RayHit& x, const RayHit& y) {
    return x.triangle == y.triangle && x.t == y.t &&
           x.barycentric == y.barycentric && x.point == y.point;
  };
  Require(AnyHit(tree_, ray, {.max_distance = most}) == !expected.empty(),
          "any hit");
  const auto first = ClosestHit(tree_, ray, {.max_distance = most});
  Require(first.has_value() == !expected.empty(), "whether the ray hits");
  if (first) Require(are_same(*first, expected[0]), "the first hit");
  const std::vector<RayHit> all = AllHits(tree_, ray, {.max_distance = most});
  Require(std::equal(all.begin(), all.end(), expected.begin(), expected.end(),
                     are_same),
          "all hits");
}

inline void MeshQueriesFuzz::AskSweep() {
  SweptSphere ball;
  ball.from = in_.PointNear(mesh_);
  ball.to = in_.Below(8) == 0 ? ball.from : in_.PointNear(mesh_);
  ball.radius = in_.LengthNear(mesh_, ball.from);
  double earliest = 1;
  double latest = 1;
  bool is_touched = false;
  for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) {
    const auto c = FirstContact(ball, mesh_.triangle(i));
    if (!c) continue;
    is_touched = true;
    earliest = std::min(earliest, c->earliest);
    latest = std::min(latest, c->latest);
  }
  Require(AnyHit(tree_, ball) == is_touched, "any contact");
  const auto hit = ClosestHit(tree_, ball);
  Require(hit.has_value() == is_touched, "whether there is contact");
  if (!hit) return;
  const auto alone = FirstContact(ball, mesh_.triangle(hit->triangle));
  Require(alone.has_value(), "that the ball touches what it touches first");
  Require(hit->latest == alone->latest, "when it has touched");
  Require(hit->point == alone->point, "where it touches");
  Require(hit->earliest <= alone->earliest && hit->earliest <= latest,
          "when nothing is touched yet");
  if (ball.from == ball.to) return;
  const double together = oracle::Together(mesh_, ball);
  Require(hit->latest <= latest + together, "that it touches nothing sooner");
  Require(hit->earliest >= std::min(earliest, hit->latest - together),
          "how closely the contact is known");
}

inline void MeshQueriesFuzz::AskSigned() {
  const auto field = SignedDistanceField::Create(tree_);
  Require(field.ok() ||
              field.status().code() == absl::StatusCode::kFailedPrecondition,
          "a field, or a mesh that has no inside");
  const Vec3 p = in_.PointNear(mesh_);
  if (!field.ok()) return;
  Require(IsClosed(mesh_), "a mesh with an inside is closed");
  if (!IsFinite(p)) {
    Require(!field->IsInside(p) && std::isnan(field->Distance(p)),
            "no place is no place");
    return;
  }
  const SurfacePoint expected = AllNearest(p, kInf)[0];
  const oracle::Place place = oracle::PlaceOf(mesh_, p);
  Require(field->IsInside(p) == (place == oracle::Place::kInside), "inside");
  const double distance = field->Distance(p);
  Require(std::abs(distance) == expected.distance, "the distance's size");
  Require((distance == 0) == (place == oracle::Place::kOn), "on the surface");
  if (AnySelfOverlap(tree_)) return;
  Require((distance < 0) == (place == oracle::Place::kInside),
          "the distance's sign");
}

inline void MeshQueriesFuzz::AskWinding() {
  const Vec3 p = in_.PointNear(mesh_);
  const auto field = WindingNumberField::Of(tree_);
  const double sum = field.At(p, {.max_error = 0});
  const double rough = field.At(p, {.max_error = 0.01});
  Require(std::isnan(sum) == !IsFinite(p), "a number for every place");
  Require(std::isnan(rough) == !IsFinite(p), "a number for every place");
  if (!IsFinite(p)) return;
  // Next to the surface, rounding takes the one side for the other.
  const Aabb& b = mesh_.bounds();
  const double size = MaxCoordinate(Max(Abs(b.lo), Abs(b.hi)));
  const double distance = AllNearest(p, kInf)[0].distance;
  if (!(distance > 1e-6 * size) || size > 1e100 || size < 1e-100) return;
  Require(std::abs(sum - rough) <= 0.01 + 1e-6, "no more error than allowed");
}

inline void MeshQueriesFuzz::AskSelf() {
  const bool by_index = in_.Below(2) == 0;
  const auto shared =
      by_index ? SharedCorners::kByIndex : SharedCorners::kByPosition;
  std::vector<TrianglePair> expected;
  for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < mesh_.triangle_count(); ++j) {
      const Triangle s = mesh_.triangle(i);
      const Triangle t = mesh_.triangle(j);
      std::vector<Vec3> common;
      for (size_t k = 0; k < 3; ++k) {
        for (size_t l = 0; l < 3; ++l) {
          const bool is_common =
              by_index ? mesh_.triangles()[i][k] == mesh_.triangles()[j][l]
                       : s[k] == t[l];
          const bool is_known =
              std::find(common.begin(), common.end(), s[k]) != common.end();
          if (is_common && !is_known) common.push_back(s[k]);
        }
      }
      const size_t n = common.size();
      const bool are_equal =
          n != 0 && n == CornersOf(s).size() && n == CornersOf(t).size();
      if (are_equal || OverlapsBeyond(s, t, common)) {
        expected.push_back({i, j});
      }
    }
  }
  Require(AllSelfOverlaps(tree_, {.shared_corners = shared}) == expected,
          "self-intersections");
  Require(
      AnySelfOverlap(tree_, {.shared_corners = shared}) == !expected.empty(),
      "whether there are any");
}

inline void MeshQueriesFuzz::AskBatch() {
  std::vector<Vec3> points;
  for (size_t n = in_.Below(40); n > 0; --n) {
    points.push_back(in_.PointNear(mesh_));
  }
  const double most = in_.Below(4) == 0 ? in_.LengthNear(mesh_, {}) : kInf;
  const auto found =
      ClosestPoint(tree_, points, {.max_distance = most, .threads = 1});
  if (!(most >= 0)) {
    Require(found.status().code() == absl::StatusCode::kInvalidArgument,
            "a batch refuses a limit that is negative or no number");
    return;
  }
  Require(found.ok() && found->size() == points.size(), "a batch has answers");
  for (size_t i = 0; i < points.size(); ++i) {
    const Points expected = AllNearest(points[i], most);
    Require((*found)[i].has_value() == !expected.empty(), "whether any, each");
    if ((*found)[i]) {
      Require(IsOneOf(*(*found)[i], mesh_, points[i], expected[0].distance),
              "the closest point, each");
    }
  }
}

inline void MeshQueriesFuzz::Ask() {
  switch (in_.Below(16)) {
    case 0:
    case 1:
      return AskBall();
    case 2:
      return AskBox();
    case 3:
    case 4:
      return AskObb();
    case 5:
      return AskHalfSpaces();
    case 6:
    case 7:
    case 8:
      return AskNearest();
    case 9:
    case 10:
      return AskRay();
    case 11:
      return AskSweep();
    case 12:
      return AskSigned();
    case 13:
      return AskWinding();
    case 14:
      return AskSelf();
    default:
      return AskBatch();
  }
}

inline std::optional<Tree> FuzzedTree(FuzzInput& in, size_t most_triangles) {
  const std::optional<Mesh> mesh = in.SmallMesh(most_triangles);
  if (!mesh) return std::nullopt;
  auto tree = Build(*mesh, in.Options());
  RequireOk(tree.status(), "every mesh has a tree");
  switch (in.Below(8)) {
    case 0: {
      const auto file = EncodeTree(*tree, {.threads = 1});
      RequireOk(file.status(), "every tree has a file");
      tree = DecodeTree(*file, "fuzz", {.threads = 1});
      RequireOk(tree.status(), "which is read");
      break;
    }
    case 1: {
      std::vector<Vec3> moved(mesh->vertices().begin(), mesh->vertices().end());
      for (size_t n = in.Below(8); n > 0; --n) {
        const Vec3 p = in.PointNear(*mesh);
        if (IsFinite(p)) moved[in.Byte() % moved.size()] = p;
      }
      const auto after = Mesh::Create(
          moved, {mesh->triangles().begin(), mesh->triangles().end()});
      tree = Refit(*tree, *after, {.threads = 1});
      RequireOk(tree.status(), "every tree can be refitted");
      break;
    }
    default:
      break;
  }
  return *std::move(tree);
}

inline void FuzzMeshQueries(std::string_view bytes) {
  FuzzInput in(bytes);
  // Large meshes now and then, enough to have several levels of nodes.
  const std::optional<Tree> tree = FuzzedTree(in, in.Below(8) == 0 ? 60 : 12);
  if (!tree) return;
  MeshQueriesFuzz queries(in, *tree);
  for (int i = 0; i < 3 && !in.is_at_end(); ++i) queries.Ask();
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_MESH_QUERIES_FUZZ_H_
