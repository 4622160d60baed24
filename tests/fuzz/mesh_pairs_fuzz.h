// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of the queries of two meshes, posed: the results are
// those of testing every pair of moved triangles, to the bit, and single pairs
// are checked against rational arithmetic. A violation aborts.
#ifndef ORBOX_TESTS_FUZZ_MESH_PAIRS_FUZZ_H_
#define ORBOX_TESTS_FUZZ_MESH_PAIRS_FUZZ_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzzed_tree.h"
#include "tests/fuzz/mesh_queries_fuzz.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/special_numbers.h"

namespace orbox {

class MeshPairsFuzz {
 public:
  MeshPairsFuzz(FuzzInput& in, PosedTree a, PosedTree b, Mesh moved_a,
                Mesh moved_b)
      : in_(in),
        a_(std::move(a)),
        b_(std::move(b)),
        moved_a_(std::move(moved_a)),
        moved_b_(std::move(moved_b)) {}

  // One query, which the input chooses.
  void Run();

 private:
  void RunOverlap();
  void RunDistance();
  void RunWithin();
  void RunTies();
  void RunBounded();
  void RunRelation();
  void RunHausdorff();
  void RunPenetration();
  void RunBatch();

  double LengthNear();
  TrianglePair AnyPair() {
    return {static_cast<uint32_t>(in_.Byte() % moved_a_.triangle_count()),
            static_cast<uint32_t>(in_.Byte() % moved_b_.triangle_count())};
  }
  // At times: rational arithmetic costs more than all else together.
  bool IsJudged() { return in_.Below(4) == 0; }

  FuzzInput& in_;
  const PosedTree a_;
  const PosedTree b_;
  const Mesh moved_a_;
  const Mesh moved_b_;
};

// The mesh as the pose moves it; nothing if a number of the pose or a corner of
// a triangle is beyond the range of models.
std::optional<Mesh> MovedMesh(const Mesh& mesh, const Pose& pose);

void FuzzMeshPairs(std::string_view bytes);

// Implementation.

inline double MeshPairsFuzz::LengthNear() {
  if (in_.Below(3) == 0) {
    return in_.LengthNear(moved_b_, moved_a_.triangle(0).a);
  }
  const TrianglePair pair = AnyPair();
  const double distance =
      Distance(moved_a_.triangle(pair.a), moved_b_.triangle(pair.b)).distance;
  return std::max(in_.Nudged(distance), 0.0);
}

inline void MeshPairsFuzz::RunOverlap() {
  const auto expected = brute_force::Overlapping(moved_a_, moved_b_);
  Require(AnyOverlap(a_, b_) == !expected.empty(), "whether meshes meet");
  Require(AllOverlaps(a_, b_) == expected, "which triangles meet");
  std::vector<TrianglePair> contacts;
  for (const PairContact& contact : AllContacts(a_, b_)) {
    Require(!contact.contact.IsEmpty(), "a contact is somewhere");
    contacts.push_back(contact.triangles);
  }
  Require(contacts == expected, "which triangles have contacts");
  if (!IsJudged()) return;
  const TrianglePair pair = AnyPair();
  const Triangle s = moved_a_.triangle(pair.a);
  const Triangle t = moved_b_.triangle(pair.b);
  Require(Overlaps(s, t) == oracle::Overlaps(s, t),
          "two triangles meet, in rational arithmetic");
}

inline bool AreSame(const Witness& x, const Witness& y) {
  return x.distance == y.distance && x.triangles == y.triangles &&
         x.on_a == y.on_a && x.on_b == y.on_b;
}

// Any of the pairs that are equally near may be reported.
inline bool IsOneOf(const Witness& found, const Mesh& a, const Mesh& b,
                    double least) {
  if (found.distance != least || found.triangles.a >= a.triangle_count() ||
      found.triangles.b >= b.triangle_count()) {
    return false;
  }
  const TrianglePairDistance d =
      Distance(a.triangle(found.triangles.a), b.triangle(found.triangles.b));
  return d.distance == least && d.on_first == found.on_a &&
         d.on_second == found.on_b;
}

inline void MeshPairsFuzz::RunDistance() {
  Witness expected = brute_force::Closest(moved_a_, moved_b_);
  const bool is_far = expected.distance == kInf;
  const Witness found = *ClosestPair(a_, b_);
  Require(found.distance == expected.distance, "how far meshes are apart");
  Require(is_far || IsOneOf(found, moved_a_, moved_b_, expected.distance),
          "where they are closest");
  const Witness warm = *ClosestPair(a_, b_, {.guess = AnyPair()});
  Require(warm.distance == expected.distance, "how far, from a guess");
  Require(is_far || AreSame(warm, found), "where, from a guess");
  const double most = LengthNear();
  const auto within = ClosestPair(a_, b_, {.max_distance = most});
  if (is_far) return;
  const auto expected_within =
      brute_force::ClosestWithin(moved_a_, moved_b_, most);
  Require(within.has_value() == expected_within.has_value(), "whether within");
  if (within) {
    Require(IsOneOf(*within, moved_a_, moved_b_, expected_within->distance),
            "where, within");
  }
  if (!IsJudged()) return;
  const TrianglePair pair = AnyPair();
  const Triangle s = moved_a_.triangle(pair.a);
  const Triangle t = moved_b_.triangle(pair.b);
  Require(oracle::IsRoundedRoot(Distance(s, t).distance,
                                oracle::SquaredDistance(s, t)),
          "a pair's distance is correctly rounded");
}

inline void MeshPairsFuzz::RunWithin() {
  const double distance = LengthNear();
  const auto expected = brute_force::Within(moved_a_, moved_b_, distance);
  Require(AllWithin(a_, b_, distance) == expected, "pairs within a distance");
  Require(AnyWithin(a_, b_, distance) == !expected.empty(),
          "whether meshes are within it");
  Require(AllWithin(a_, b_, distance, {.threads = 2}).value() == expected,
          "pairs within it, in parts");
  Require(CountWithin(a_, b_, distance) == expected.size(),
          "how many are within it");
}

inline void MeshPairsFuzz::RunTies() {
  double least = kInf;
  std::vector<TrianglePair> expected;
  for (uint32_t i = 0; i < moved_a_.triangle_count(); ++i) {
    for (uint32_t j = 0; j < moved_b_.triangle_count(); ++j) {
      const double d =
          DistanceBetween(moved_a_.triangle(i), moved_b_.triangle(j));
      if (d < least) expected.clear();
      least = std::min(least, d);
      if (d == least) expected.push_back({i, j});
    }
  }
  Require(AllClosestPairs(a_, b_) == expected, "all closest pairs");
}

inline void MeshPairsFuzz::RunBounded() {
  const double least = brute_force::Closest(moved_a_, moved_b_).distance;
  if (least == kInf) return;
  DistanceError error;
  error.relative = static_cast<double>(in_.Below(5)) / 8;
  if (in_.Below(2) == 0) error.absolute = LengthNear();
  const BoundedDistance found = *ClosestPairWithError(a_, b_, error);
  const Witness& near = found.nearest;
  Require(near.distance == DistanceBetween(moved_a_.triangle(near.triangles.a),
                                           moved_b_.triangle(near.triangles.b)),
          "the pair has the distance reported");
  Require(found.lower <= least && least <= near.distance, "it is enclosed");
}

inline void MeshPairsFuzz::RunRelation() {
  const bool meet = AnyOverlap(a_, b_);
  const MeshRelation relation = RelationOfMeshes(a_, b_);
  Require((relation == MeshRelation::kMeet) == meet, "meshes that meet do");
  if (!IsClosed(moved_b_) || meet || moved_a_.triangle_count() > 12) return;
  // A mesh of one part is all on one side.
  if (relation != MeshRelation::kFirstInSecond) return;
  Require(oracle::PlaceOf(moved_b_, moved_a_.triangle(0).a) ==
              oracle::Place::kInside,
          "a mesh within another one is inside");
}

inline void MeshPairsFuzz::RunHausdorff() {
  const auto found = HausdorffDistance(a_, b_, {.max_parts = 64});
  Require(found.ok(), "there is a Hausdorff distance");
  Require(found->lower <= found->upper, "it is enclosed");
  for (uint32_t i = 0; i < moved_a_.triangle_count(); ++i) {
    const Vec3 p = moved_a_.triangle(i).a;
    Require(brute_force::Nearest(moved_b_, p)[0].distance <= found->upper,
            "no corner is farther away");
  }
}

inline void MeshPairsFuzz::RunPenetration() {
  const auto way = PenetrationOf(a_, b_);
  if (!way) return;
  Require(0 <= way->depth.lower && way->depth.lower <= way->depth.upper &&
              IsFinite(way->translation),
          "a way is a vector, and its length is enclosed");
  if (way->depth.upper == 0) return;
  Pose out = a_.pose();
  out.translation += way->translation;
  const auto moved = PosedTree::Create(a_.tree(), out);
  Require(moved.ok() == MovedMesh(a_.tree().mesh(), out).has_value(),
          "the way stays in range, or ends beyond it");
  if (!moved.ok()) return;
  Require(!AnyOverlap(*moved, b_), "the way leads out");
}

inline void MeshPairsFuzz::RunBatch() {
  const Pose poses[] = {in_.AnyPose(), a_.pose()};
  const auto pairs = AllOverlaps(a_.tree(), poses, b_, {.threads = 1});
  const auto gaps = ClosestPair(a_.tree(), poses, b_);
  const auto other = PosedTree::Create(a_.tree(), poses[0]);
  Require(pairs.ok() == other.ok() && gaps.ok() == other.ok(),
          "poses are refused alike");
  if (!other.ok()) return;
  const PosedTree* const posed[] = {&*other, &a_};
  for (size_t i = 0; i < 2; ++i) {
    const auto expected = AllOverlaps(*posed[i], b_);
    Require(std::equal(expected.begin(), expected.end(), (*pairs)[i].begin(),
                       (*pairs)[i].end()),
            "what meets at a pose");
    Require(AreSame(*(*gaps)[i], *ClosestPair(*posed[i], b_)),
            "how far it is at a pose");
  }
}

inline void MeshPairsFuzz::Run() {
  switch (in_.Below(16)) {
    case 0:
    case 1:
    case 2:
      return RunOverlap();
    case 3:
    case 4:
    case 5:
      return RunDistance();
    case 6:
    case 7:
    case 8:
      return RunWithin();
    case 9:
      return RunTies();
    case 10:
      return RunBounded();
    case 11:
      return RunRelation();
    case 12:
      return RunHausdorff();
    case 13:
      return RunPenetration();
    default:
      return RunBatch();
  }
}

inline std::optional<Mesh> MovedMesh(const Mesh& mesh, const Pose& pose) {
  if (IsBeyond(pose)) return std::nullopt;
  std::vector<bool> is_used(mesh.vertex_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t i : t) is_used[i] = true;
  }
  std::vector<Vec3> vertices(mesh.vertex_count());
  for (size_t i = 0; i < vertices.size(); ++i) {
    if (!is_used[i]) continue;
    vertices[i] = TinyAsZero(pose).Apply(mesh.vertices()[i]);
    if (IsBeyond(vertices[i])) return std::nullopt;
  }
  // Moved vertices may be below the range.
  return mesh_internal::MeshAccess::Of(
      std::move(vertices),
      std::vector<TriangleIndices>(mesh.triangles().begin(),
                                   mesh.triangles().end()));
}

inline void FuzzMeshPairs(std::string_view bytes) {
  FuzzInput in(bytes);
  // Large meshes now and then: the time of brute force grows with their
  // product.
  const size_t most = in.is_wild() ? 2 : in.Below(16) == 0 ? 12 : 4;
  const std::optional<Tree> a = MakeFuzzedTree(in, most);
  if (!a) return;
  const std::optional<Tree> b = in.Below(8) == 0 ? a : MakeFuzzedTree(in, most);
  if (!b) return;
  const Pose poses[] = {in.AnyPose(),
                        in.Below(2) == 0 ? in.AnyPose() : Pose::Identity()};
  const auto moved_a = MovedMesh(a->mesh(), poses[0]);
  const auto moved_b = MovedMesh(b->mesh(), poses[1]);
  const auto posed_a = PosedTree::Create(*a, poses[0]);
  const auto posed_b = PosedTree::Create(*b, poses[1]);
  Require(posed_a.ok() == moved_a.has_value() &&
              posed_b.ok() == moved_b.has_value(),
          "poses that leave the range of models are refused");
  if (!moved_a || !moved_b) return;
  MeshPairsFuzz queries(in, *posed_a, *posed_b, *moved_a, *moved_b);
  for (int i = 0; i < 2 && !in.is_at_end(); ++i) queries.Run();
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_MESH_PAIRS_FUZZ_H_
