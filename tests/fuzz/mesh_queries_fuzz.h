// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of the queries of one mesh: the tree's results are those
// of testing every triangle, to the bit, and single triangles are checked
// against rational arithmetic. A violation aborts.
#ifndef ORBOX_TESTS_FUZZ_MESH_QUERIES_FUZZ_H_
#define ORBOX_TESTS_FUZZ_MESH_QUERIES_FUZZ_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/swept_sphere.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzzed_tree.h"
#include "tests/fuzz/region_queries_fuzz.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_place.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/special_numbers.h"
#include "tests/support/sweeps.h"

namespace orbox {

class MeshQueriesFuzz : private FuzzedTree {
 public:
  using FuzzedTree::FuzzedTree;

  // One query, which the input chooses.
  void Run();

 private:
  using Points = std::vector<SurfacePoint>;

  void RunNearest();
  void RunRay();
  void RunSweep();
  void RunSigned();
  void RunWinding();
  void RunOnSelf();
  void RunBatch();

  Points AllNearest(const Vec3& p, double max_distance) const;
};

void FuzzMeshQueries(std::string_view bytes);

// Implementation.

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

// Returns the least diagonal of the tree and of its detail trees.
inline double LeastDiagonal(const Tree& tree) {
  std::vector<Vec3> corners;
  for (size_t i = 0; i < tree.leaf_count(); ++i) {
    for (const uint32_t id : tree.leaf_ids(i)) {
      if (id == kNoTriangle) continue;
      const Triangle t = tree.mesh().triangle(id);
      corners.insert(corners.end(), {t.a, t.b, t.c});
    }
  }
  Aabb box{corners[0], corners[0]};
  for (const Vec3& p : corners) box = {Min(box.lo, p), Max(box.hi, p)};
  double least = SafeNorm(box.hi - box.lo);
  if (tree.detail_trees() == nullptr) return least;
  for (const DetailTrees::Detail& part : tree.detail_trees()->all()) {
    least = std::min(least, LeastDiagonal(part.tree));
  }
  return least;
}

// From far away, any of the triangles whose distances round to one may be
// reported (k_nearest.h).
inline bool AreNearest(const std::vector<SurfacePoint>& found,
                       const std::vector<SurfacePoint>& expected,
                       const Tree& tree, const Vec3& p) {
  const Mesh& mesh = tree.mesh();
  const double diagonal = SafeNorm(mesh.bounds().hi - mesh.bounds().lo);
  if (expected.empty() || !(expected[0].distance > 32 * diagonal) ||
      !(expected[0].distance > 0x1p33 * LeastDiagonal(tree))) {
    return std::equal(found.begin(), found.end(), expected.begin(),
                      expected.end(), AreSame);
  }
  std::set<uint32_t> ids;
  for (size_t i = 0; i < found.size(); ++i) {
    if (i >= expected.size() || !ids.insert(found[i].triangle).second ||
        !IsOneOf(found[i], mesh, p, expected[i].distance)) {
      return false;
    }
  }
  return found.size() == expected.size();
}

inline void MeshQueriesFuzz::RunNearest() {
  const Vec3 p = in_.PointNear(mesh_);
  const double most = in_.Below(2) == 0 ? kInf : in_.LengthNear(mesh_, p);
  Points expected = AllNearest(p, most);
  const auto closest = ClosestPoint(tree_, p, most);
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
  const Points nearest = KNearest(tree_, p, k, most);
  if (expected.size() > k) expected.resize(k);
  Require(AreNearest(nearest, expected, tree_, p), "the k nearest triangles");
}

inline void MeshQueriesFuzz::RunRay() {
  Ray ray;
  ray.origin = in_.PointNear(mesh_);
  ray.direction =
      in_.Below(2) == 0 ? in_.Direction() : in_.PointNear(mesh_) - ray.origin;
  const double most_choices[] = {kInf, 1, 0.5, std::abs(in_.AnyFinite())};
  ray.max_t = most_choices[in_.Below(4)];
  const double min_choices[] = {0, 0.25, 0.5, 1};
  ray.min_t = min_choices[in_.Below(4)];
  if (in_.Below(4) == 0) ray.skip = in_.Below(mesh_.triangle_count());
  // A batch refuses what ends a plain query.
  if (!CheckQuery(ray).ok()) {
    Require(!AnyHit(tree_, std::span<const Ray>(&ray, 1)).ok(),
            "a batch refuses a ray that is not valid");
    return;
  }
  std::vector<RayHit> expected;
  for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) {
    const auto hit = Intersect(ray, mesh_.triangle(i));
    if (!hit || i == ray.skip) continue;
    expected.push_back({i, hit->t, hit->barycentric, hit->point});
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
  Require(AnyHit(tree_, ray) == !expected.empty(), "any hit");
  const auto first = ClosestHit(tree_, ray);
  Require(first.has_value() == !expected.empty(), "whether the ray hits");
  if (first) Require(are_same(*first, expected[0]), "the first hit");
  const std::vector<RayHit> all = AllHits(tree_, ray);
  Require(std::equal(all.begin(), all.end(), expected.begin(), expected.end(),
                     are_same),
          "all hits");
}

inline void MeshQueriesFuzz::RunSweep() {
  SweptSphere ball;
  ball.from = in_.PointNear(mesh_);
  ball.to = in_.Below(8) == 0 ? ball.from : in_.PointNear(mesh_);
  ball.radius = in_.LengthNear(mesh_, ball.from);
  if (!IsValid(ball)) {
    Require(!AnyHit(tree_, std::span<const SweptSphere>(&ball, 1)).ok(),
            "a batch refuses a ball that is not valid");
    return;
  }
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

inline void MeshQueriesFuzz::RunSigned() {
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

inline void MeshQueriesFuzz::RunWinding() {
  const Vec3 p = in_.PointNear(mesh_);
  const auto field = WindingNumberField::Of(tree_);
  const double sum = field.At(p, 0);
  const double rough = field.At(p, 0.01);
  Require(std::isnan(sum) == !IsFinite(p), "a number for every place");
  Require(std::isnan(rough) == !IsFinite(p), "a number for every place");
  if (!IsFinite(p)) return;
  // Next to the surface, rounding takes the one side for the other.
  const Aabb& b = mesh_.bounds();
  const double size = MaxCoordinate(Max(Abs(b.lo), Abs(b.hi)));
  const double distance = AllNearest(p, kInf)[0].distance;
  if (!(distance > 1e-6 * size)) return;
  Require(std::abs(sum - rough) <= 0.01 + 1e-6, "no more error than allowed");
}

inline void MeshQueriesFuzz::RunOnSelf() {
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
  Require(AllSelfOverlaps(tree_, shared) == expected, "self-intersections");
  Require(AnySelfOverlap(tree_, shared) == !expected.empty(),
          "whether there are any");
}

inline void MeshQueriesFuzz::RunBatch() {
  std::vector<Vec3> points;
  for (size_t n = in_.Below(40); n > 0; --n) {
    points.push_back(in_.PointNear(mesh_));
  }
  const double most = in_.Below(4) == 0 ? in_.LengthNear(mesh_, {}) : kInf;
  const auto found = ClosestPoint(tree_, points, most, {.threads = 1});
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

inline void MeshQueriesFuzz::Run() {
  RegionQueriesFuzz regions(in_, tree_);
  switch (in_.Below(16)) {
    case 0:
    case 1:
      return regions.RunBall();
    case 2:
      return regions.RunBox();
    case 3:
    case 4:
      return regions.RunObb();
    case 5:
      return regions.RunHalfSpaces();
    case 6:
    case 7:
    case 8:
      return RunNearest();
    case 9:
    case 10:
      return RunRay();
    case 11:
      return RunSweep();
    case 12:
      return RunSigned();
    case 13:
      return RunWinding();
    case 14:
      return RunOnSelf();
    default:
      return RunBatch();
  }
}

inline void FuzzMeshQueries(std::string_view bytes) {
  FuzzInput in(bytes);
  // Large meshes now and then, enough to have several levels of nodes.
  const std::optional<Tree> tree =
      MakeFuzzedTree(in, in.Below(8) == 0 ? 60 : 12);
  if (!tree) return;
  MeshQueriesFuzz queries(in, *tree);
  for (int i = 0; i < 3 && !in.is_at_end(); ++i) queries.Run();
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_MESH_QUERIES_FUZZ_H_
