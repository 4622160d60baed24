// SPDX-License-Identifier: Apache-2.0

// A mesh that twists a little more with every frame: the cost of a frame by
// moving its tree, by refitting a new one and by building one, and the cost of
// a query after it.
#include "orbox/bvh/build/deforming_tree.h"

#include <cmath>
#include <span>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Mesh& Knot() {
  static const Mesh mesh =
      GenerateMesh({.shape = "torus_knot", .triangles = 100'000}).value();
  return mesh;
}

std::vector<Vec3> Twisted(double angle) {
  std::vector<Vec3> vertices(Knot().vertices().begin(),
                             Knot().vertices().end());
  for (Vec3& v : vertices) {
    const double c = std::cos(angle * v.z);
    const double s = std::sin(angle * v.z);
    v = {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
  }
  return vertices;
}

// A turn per unit of height after a hundred frames.
std::vector<Vec3> Frame(int64_t i) {
  return Twisted(0.0628 * static_cast<double>(i % 100));
}

Mesh MeshOf(const std::vector<Vec3>& vertices) {
  return Mesh::Create(vertices,
                      {Knot().triangles().begin(), Knot().triangles().end()})
      .value();
}

void BM_Move(benchmark::State& state) {
  const double growth = static_cast<double>(state.range(0)) / 100;
  DeformingTree deforming =
      DeformingTree::Create(Knot(),
                            {.build = {.threads = 1}, .most_growth = growth})
          .value();
  int64_t frame = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const std::vector<Vec3> vertices = Frame(frame++);
    state.ResumeTiming();
    if (!deforming.Move(vertices).ok()) state.SkipWithError("not moved");
  }
  const auto frames = static_cast<double>(frame);
  state.counters["builds"] = static_cast<double>(deforming.builds()) / frames;
  state.counters["frames chosen"] =
      static_cast<double>(deforming.frame_choices()) / frames;
}
BENCHMARK(BM_Move)->Arg(130)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void BM_Refit(benchmark::State& state) {
  const Tree tree = Build(Knot()).value();
  int64_t frame = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const std::vector<Vec3> vertices = Frame(frame++);
    state.ResumeTiming();
    benchmark::DoNotOptimize(Refit(tree, MeshOf(vertices), {.threads = 1}));
  }
}
BENCHMARK(BM_Refit)->Unit(benchmark::kMillisecond);

void BM_Build(benchmark::State& state) {
  int64_t frame = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const std::vector<Vec3> vertices = Frame(frame++);
    state.ResumeTiming();
    benchmark::DoNotOptimize(Build(MeshOf(vertices), {.threads = 1}));
  }
}
BENCHMARK(BM_Build)->Unit(benchmark::kMillisecond);

// Queries after a number of frames, with the tree that was moved and with a new
// one.
void Query(benchmark::State& state, const Tree& tree) {
  meshes::Random random(1);
  const Aabb& box = tree.mesh().bounds();
  for (auto _ : state) {
    const Vec3 share = random.Point(0, 1);
    const Vec3 edges = box.hi - box.lo;
    benchmark::DoNotOptimize(
        ClosestPoint(tree, box.lo + Vec3{share.x * edges.x, share.y * edges.y,
                                         share.z * edges.z}));
  }
}

void BM_QueryMoved(benchmark::State& state) {
  DeformingTree deforming =
      DeformingTree::Create(
          Knot(), {.most_growth = static_cast<double>(state.range(1)) / 100})
          .value();
  for (int64_t i = 0; i <= state.range(0); ++i) {
    if (!deforming.Move(Frame(i)).ok()) state.SkipWithError("not moved");
  }
  Query(state, deforming.tree());
  state.counters["growth"] = deforming.growth();
}
BENCHMARK(BM_QueryMoved)->ArgsProduct({{1, 10, 50}, {130, 1'000'000}});

void BM_QueryBuilt(benchmark::State& state) {
  Query(state, Build(MeshOf(Frame(state.range(0)))).value());
}
BENCHMARK(BM_QueryBuilt)->Arg(1)->Arg(10)->Arg(50);

void BM_SelfWithin(benchmark::State& state) {
  const Tree tree = Build(Knot()).value();
  const double size = Norm(Knot().bounds().hi - Knot().bounds().lo);
  const double distance = 1e-3 * static_cast<double>(state.range(0)) * size;
  size_t pairs = 0;
  for (auto _ : state) pairs = AllSelfWithin(tree, distance).size();
  state.counters["pairs"] = static_cast<double>(pairs);
}
BENCHMARK(BM_SelfWithin)->Arg(0)->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orbox
