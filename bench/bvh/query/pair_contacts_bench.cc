// SPDX-License-Identifier: Apache-2.0

// Two knots that cut each other: their contacts compared with the pairs alone,
// their relation, and the way out.
#include "orbox/bvh/query/pairs/pair_contacts.h"

#include <numbers>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/solids/penetration.h"
#include "tests/support/solids.h"

namespace orbox {
namespace {

const Tree& Knot() {
  static const Tree knot = KnotTree(20'000);
  return knot;
}

// Shares of the size along x: 0.1 cuts, 3 is apart.
PosedTree Moved(double share) {
  const double size = Norm(Knot().mesh().bounds().HalfExtents());
  return PosedTree::Create(
             Knot(), Pose::Rotation({0, 0.6, 0.8}, 0.3, {share * size, 0, 0}))
      .value();
}

void BM_Pairs(benchmark::State& state) {
  const PosedTree a = Moved(0.1);
  size_t pairs = 0;
  for (auto _ : state) pairs = AllOverlaps(a, Knot()).size();
  state.counters["pairs"] = static_cast<double>(pairs);
}
BENCHMARK(BM_Pairs)->Unit(benchmark::kMicrosecond);

void BM_Contacts(benchmark::State& state) {
  const PosedTree a = Moved(0.1);
  for (auto _ : state) benchmark::DoNotOptimize(AllContacts(a, Knot()));
}
BENCHMARK(BM_Contacts)->Unit(benchmark::kMicrosecond);

void BM_RelationOfApart(benchmark::State& state) {
  const PosedTree a = Moved(3);
  const MeshComponents components = MeshComponents::Of(Knot().mesh());
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        RelationOfApartMeshes(a, components, Knot(), components));
  }
}
BENCHMARK(BM_RelationOfApart)->Unit(benchmark::kMicrosecond);

void BM_MeshComponents(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(MeshComponents::Of(Knot().mesh()));
}
BENCHMARK(BM_MeshComponents)->Unit(benchmark::kMicrosecond);

void BM_Penetration(benchmark::State& state) {
  const PosedTree a = Moved(0.1);
  double depth = 0;
  for (auto _ : state) depth = PenetrationOf(a, Knot())->depth.upper;
  state.counters["depth"] = depth;
}
BENCHMARK(BM_Penetration)->Unit(benchmark::kMicrosecond);

// Two boxes that meet by two edges: the depth itself.
void BM_PenetrationOfRods(benchmark::State& state) {
  const Tree rod =
      Build(solids::Box({{-1, -0.05, -0.05}, {1, 0.05, 0.05}})).value();
  const Pose roll = Pose::Rotation({1, 0, 0}, std::numbers::pi / 4);
  const Pose cross =
      Pose::Rotation({0, 0, 1}, std::numbers::pi / 2, {0.1, 0.2, -0.12});
  const PosedTree a = PosedTree::Create(rod, roll).value();
  const PosedTree b = PosedTree::Create(rod, cross * roll).value();
  double depth = 0;
  for (auto _ : state) depth = PenetrationOf(a, b)->depth.upper;
  state.counters["depth"] = depth;
}
BENCHMARK(BM_PenetrationOfRods)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orbox
