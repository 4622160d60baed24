// SPDX-License-Identifier: Apache-2.0

// Queries that are not valid: a plain query ends the program with the reason, a
// batch refuses them and names the first.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;

struct Plain {
  const char* message;
  std::function<void()> call;
};

void ExpectEnds(const std::vector<Plain>& questions) {
  GTEST_FLAG_SET(death_test_style, "fast");
  for (size_t i = 0; i < questions.size(); ++i) {
    EXPECT_DEATH(questions[i].call(), questions[i].message) << i;
  }
}

constexpr char kLimit[] = "max_distance is ";
constexpr char kLast[] = "max_t of the ray is ";

TEST(NotValidDeathTest, LargestDistances) {
  const Tree tree = trees::Make(meshes::Cube());
  const SignedDistanceField field = SignedDistanceField::Create(tree).value();
  const auto visit = [](const auto&) { return Visit::kContinue; };
  for (const double bad : {-1.0, kNan}) {
    const QueryOptions far{.max_distance = bad};
    const ClosestPairQuery closest{.max_distance = bad};
    const Vec3 p{0.5, 0.5, 0.5};
    const Ray ray{{5, 0.5, 0.5}, {-1, 0, 0}, 0, bad};
    ExpectEnds({
        {kLimit, [&] { ClosestPoint(tree, p, bad); }},
        {kLimit, [&] { KNearest(tree, p, 2, bad); }},
        {kLimit, [&] { field.ClosestPoint(p, bad); }},
        {kLimit, [&] { field.Distance(p, bad); }},
        {kLast, [&] { AnyHit(tree, ray); }},
        {kLast, [&] { CountHits(tree, ray); }},
        {kLast, [&] { ClosestHit(tree, ray); }},
        {kLast, [&] { AllHits(tree, ray); }},
        {kLast, [&] { VisitHits(tree, ray, visit); }},
        {kLimit, [&] { ClosestPair(tree, tree, closest); }},
        {"guess is .12, 0.",
         [&] {
           ClosestPair(tree, tree, {.guess = TrianglePair{12, 0}});
         }},
        {kLimit, [&] { AllClosestPairs(tree, tree, closest); }},
        {kLimit, [&] { ClosestPairWithError(tree, tree, {}, closest); }},
        {kLimit, [&] { RelationOfMeshes(tree, tree, far); }},
    });
  }
}

TEST(NotValidDeathTest, Distances) {
  const Tree tree = trees::Make(meshes::Cube());
  const auto visit = [](const auto&) { return Visit::kContinue; };
  constexpr char kMessage[] = "distance is ";
  for (const double bad : {-1.0, kNan}) {
    ExpectEnds({
        {kMessage, [&] { AnyWithin(tree, tree, bad); }},
        {kMessage, [&] { CountWithin(tree, tree, bad); }},
        {kMessage, [&] { AllWithin(tree, tree, bad); }},
        {kMessage, [&] { VisitWithin(tree, tree, bad, visit); }},
        {kMessage, [&] { AllClustersWithin(tree, tree, bad); }},
        {kMessage, [&] { AnySelfWithin(tree, bad); }},
        {kMessage, [&] { CountSelfWithin(tree, bad); }},
        {kMessage, [&] { AllSelfWithin(tree, bad); }},
    });
  }
}

TEST(NotValidTest, LargestDistancesAreRefused) {
  const Tree tree = trees::Make(meshes::Cube());
  const SignedDistanceField field = SignedDistanceField::Create(tree).value();
  const Vec3 p{0.5, 0.5, 0.5};
  const std::vector<Vec3> points(3, p);
  const RunOptions run;
  for (const double bad : {-1.0, kNan}) {
    for (const absl::Status& status : {ClosestPoint(tree, p, bad, run).status(),
                                       ClosestPoint(tree, points, bad).status(),
                                       KNearest(tree, p, 2, bad, run).status(),
                                       KNearest(tree, points, 2, bad).status(),
                                       field.ClosestPoint(p, bad, run).status(),
                                       field.ClosestPoint(points, bad).status(),
                                       field.Distance(p, bad, run).status(),
                                       field.Distance(points, bad).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr(kLimit));
    }
  }
}

const std::vector<Vec3>& BadPoints() {
  static const auto* const points =
      new std::vector<Vec3>{{kNan, 0, 0}, {0, kInf, 0}, {0, 0, -kInf}};
  return *points;
}
const std::vector<Ray>& BadRays() {
  static const auto* const rays = new std::vector<Ray>{
      {{kNan, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, kInf, 0}}, {{0, 0, 0}, {}}};
  return *rays;
}
const std::vector<SweptSphere>& BadBalls() {
  static const auto* const balls =
      new std::vector<SweptSphere>{{{0, 0, 0}, {1, 0, 0}, -1},
                                   {{0, 0, 0}, {1, 0, 0}, kInf},
                                   {{0, 0, kNan}, {1, 0, 0}, 1},
                                   {{0, 0, 0}, {1, kInf, 0}, 1}};
  return *balls;
}
const std::vector<Region>& BadRegions() {
  static const auto* const askew =
      new std::vector<HalfSpace>{{{0, kNan, 1}, 9}};
  static const auto* const nowhere =
      new std::vector<HalfSpace>{{{0, 0, 1}, kNan}};
  static const auto* const regions = new std::vector<Region>{
      Sphere{{0, 0, 0}, -1},
      Sphere{{0, 0, 0}, kNan},
      Sphere{{kInf, 0, 0}, 9},
      Aabb{{kNan, 0, 0}, {1, 1, 1}},
      Obb{.center = {0, 0, 0}, .half_extents = {1, -1, 1}},
      Obb{.center = {kNan, 0, 0}, .half_extents = {1, 1, 1}},
      Region(*askew),
      Region(*nowhere)};
  return *regions;
}

TEST(NotValidDeathTest, PointsRaysAndRegions) {
  const Tree tree = trees::Make(meshes::Cube());
  const SignedDistanceField field = SignedDistanceField::Create(tree).value();
  const WindingNumberField winding = WindingNumberField::Of(tree);
  for (const Vec3& p : BadPoints()) {
    constexpr char kMessage[] = "the point is ";
    ExpectEnds({{kMessage, [&] { ClosestPoint(tree, p); }},
                {kMessage, [&] { KNearest(tree, p, 2); }},
                {kMessage, [&] { IsInside(tree, p); }},
                {kMessage, [&] { field.ClosestPoint(p); }},
                {kMessage, [&] { field.Distance(p); }},
                {kMessage, [&] { field.IsInside(p); }},
                {kMessage, [&] { winding.At(p); }},
                {kMessage, [&] { winding.IsInside(p); }}});
  }
  for (const Ray& ray : BadRays()) {
    constexpr char kMessage[] = "of the ray is ";
    ExpectEnds({{kMessage, [&] { AnyHit(tree, ray); }},
                {kMessage, [&] { CountHits(tree, ray); }},
                {kMessage, [&] { ClosestHit(tree, ray); }},
                {kMessage, [&] { AllHits(tree, ray); }}});
  }
  for (const SweptSphere& ball : BadBalls()) {
    constexpr char kMessage[] = "the ball that moves is not valid";
    ExpectEnds({{kMessage, [&] { AnyHit(tree, ball); }},
                {kMessage, [&] { CountHits(tree, ball); }},
                {kMessage, [&] { ClosestHit(tree, ball); }},
                {kMessage, [&] { AllHits(tree, ball); }}});
  }
  for (const Region& region : BadRegions()) {
    constexpr char kMessage[] = "the region is not valid";
    ExpectEnds({{kMessage, [&] { AnyOverlap(tree, region); }},
                {kMessage, [&] { CountOverlaps(tree, region); }},
                {kMessage, [&] { AllOverlaps(tree, region); }}});
  }
}

// The second of two is not valid.
template <typename Question, typename Call>
void ExpectRefused(const Question& good, const std::vector<Question>& bad,
                   Call call) {
  for (const Question& q : bad) {
    const absl::Status status = call(std::vector<Question>{good, q}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("query 1: the "));
  }
}

TEST(NotValidTest, BatchesNameTheFirst) {
  const Tree tree = trees::Make(meshes::Cube());
  const SignedDistanceField field = SignedDistanceField::Create(tree).value();
  const WindingNumberField winding = WindingNumberField::Of(tree);
  using Points = std::vector<Vec3>;
  const auto points = [](auto call) {
    ExpectRefused(Vec3{0, 0, 0}, BadPoints(), call);
  };
  points([&](const Points& all) { return ClosestPoint(tree, all); });
  points([&](const Points& all) { return KNearest(tree, all, 2); });
  points([&](const Points& all) { return IsInside(tree, all); });
  points([&](const Points& all) { return field.ClosestPoint(all); });
  points([&](const Points& all) { return field.Distance(all); });
  points([&](const Points& all) { return winding.At(all); });
  points([&](const Points& all) { return winding.IsInside(all); });
  using Rays = std::vector<Ray>;
  const auto rays = [](auto call) {
    ExpectRefused(Ray{{0, 0, 0}, {1, 0, 0}}, BadRays(), call);
  };
  rays([&](const Rays& all) { return AnyHit(tree, all); });
  rays([&](const Rays& all) { return CountHits(tree, all); });
  rays([&](const Rays& all) { return ClosestHit(tree, all); });
  rays([&](const Rays& all) { return AllHits(tree, all); });
  using Balls = std::vector<SweptSphere>;
  const auto balls = [](auto call) {
    ExpectRefused(SweptSphere{{0, 0, 0}, {1, 0, 0}, 1}, BadBalls(), call);
  };
  balls([&](const Balls& all) { return AnyHit(tree, all); });
  balls([&](const Balls& all) { return CountHits(tree, all); });
  balls([&](const Balls& all) { return ClosestHit(tree, all); });
  balls([&](const Balls& all) { return AllHits(tree, all); });
  using Shapes = std::vector<Region>;
  const auto regions = [](auto call) {
    ExpectRefused(Region(Sphere{{0, 0, 0}, 1}), BadRegions(), call);
  };
  regions([&](const Shapes& all) { return AnyOverlap(tree, all); });
  regions([&](const Shapes& all) { return CountOverlaps(tree, all); });
  regions([&](const Shapes& all) { return AllOverlaps(tree, all); });
  const Pose poses[] = {{}};
  for (const double bad : {-1.0, kNan}) {
    for (const absl::Status& status :
         {AnyWithin(tree, poses, tree, bad).status(),
          CountWithin(tree, poses, tree, bad).status(),
          AllWithin(tree, poses, tree, bad).status(),
          AllClustersWithin(tree, poses, tree, bad).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr("distance is "));
    }
  }
}

}  // namespace
}  // namespace orbox
