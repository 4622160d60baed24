// SPDX-License-Identifier: Apache-2.0

// Builds and refits, by quality, kind of volume, threads and input, the hostile
// ones included. Counters: triangles a second; bytes of the tree and of the
// build's peak a triangle; how full lanes are; visits of queries from afar.
#include "orbox/bvh/build/build.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/meshes.h"

namespace {

// Bytes allocated, counted by this program's own operator new.
std::size_t allocated_bytes = 0;
std::size_t most_allocated_bytes = 0;
constexpr std::size_t kHeader = 64;

void* Allocate(std::size_t size, std::size_t alignment) {
  const std::size_t space = alignment > kHeader ? alignment : kHeader;
  const std::size_t rounded = (size + space + kHeader - 1) / kHeader * kHeader;
  void* const raw =
      std::aligned_alloc(space, (rounded + space - 1) / space * space);
  if (raw == nullptr) throw std::bad_alloc();
  auto* const bytes = static_cast<char*>(raw) + space;
  reinterpret_cast<std::size_t*>(bytes)[-1] = size;
  reinterpret_cast<std::size_t*>(bytes)[-2] = space;
  const std::size_t now =
      __atomic_add_fetch(&allocated_bytes, size, __ATOMIC_RELAXED);
  std::size_t most = __atomic_load_n(&most_allocated_bytes, __ATOMIC_RELAXED);
  while (now > most &&
         !__atomic_compare_exchange_n(&most_allocated_bytes, &most, now, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return bytes;
}

void Release(void* p) {
  if (p == nullptr) return;
  auto* const bytes = static_cast<char*>(p);
  __atomic_sub_fetch(&allocated_bytes,
                     reinterpret_cast<std::size_t*>(bytes)[-1],
                     __ATOMIC_RELAXED);
  std::free(bytes - reinterpret_cast<std::size_t*>(bytes)[-2]);
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { Release(p); }
void operator delete(void* p, std::size_t) noexcept { Release(p); }
void operator delete(void* p, std::align_val_t) noexcept { Release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  Release(p);
}

namespace orbox {
namespace {

constexpr const char* kVolumesNames[] = {"mixed", "sphere", "aabb", "obb"};
constexpr const char* kQualityNames[] = {"fast", "balanced", "best"};

const Mesh& Generated(const std::string& shape, size_t triangles) {
  static std::map<std::pair<std::string, size_t>, Mesh> meshes;
  const auto key = std::pair(shape, triangles);
  auto it = meshes.find(key);
  if (it == meshes.end()) {
    GenerateOptions options;
    options.shape = shape;
    options.triangles = triangles;
    it = meshes.emplace(key, GenerateMesh(options).value()).first;
  }
  return it->second;
}

void Describe(benchmark::State& state, const Tree& tree) {
  const auto triangles = static_cast<double>(tree.mesh().triangle_count());
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(tree.mesh().triangle_count()));
  size_t children = 0;
  for (const Node& node : tree.nodes()) children += node.count;
  state.counters["children/node"] =
      static_cast<double>(children) / static_cast<double>(tree.nodes().size());
  state.counters["triangles/leaf"] =
      triangles / static_cast<double>(tree.leaves().size());
  state.counters["depth"] = tree.depth();
  state.counters["tree_bytes"] =
      static_cast<double>(tree.nodes().size_bytes() +
                          tree.leaves().size_bytes()) /
      triangles;
}

// Nodes and leaves visited by queries of points in 1.5 times the box.
void CountVisits(benchmark::State& state, const Tree& tree) {
  meshes::Random random(1);
  const Aabb& b = tree.mesh().bounds();
  const Vec3 half = b.HalfExtents() * 1.5;
  TraversalStatistics statistics;
  constexpr int kQueries = 1000;
  for (int i = 0; i < kQueries; ++i) {
    const Vec3 u = random.Point(-1, 1);
    ClosestPoint(tree,
                 b.Center() + Vec3{u.x * half.x, u.y * half.y, u.z * half.z},
                 {.statistics = &statistics})
        .value();
  }
  state.counters["far_nodes"] =
      static_cast<double>(statistics.Total().nodes_visited) / kQueries;
  state.counters["far_leaves"] =
      static_cast<double>(statistics.leaves_visited) / kQueries;
}

// Peak memory of a build in addition to the mesh, for each triangle.
double PeakBytes(const Mesh& mesh, const BuildOptions& options) {
  const size_t before = allocated_bytes;
  most_allocated_bytes = before;
  Build(mesh, options).value();
  return static_cast<double>(most_allocated_bytes - before) /
         static_cast<double>(mesh.triangle_count());
}

void RunBuild(benchmark::State& state, const Mesh& mesh,
              const BuildOptions& options) {
  state.counters["peak_bytes"] = PeakBytes(mesh, options);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Build(mesh, options));
  }
  const Tree tree = Build(mesh, options).value();
  Describe(state, tree);
  CountVisits(state, tree);
}

void BM_BuildByQuality(benchmark::State& state) {
  const BuildOptions options{.quality = static_cast<Quality>(state.range(0)),
                             .threads = 1};
  RunBuild(state, Generated("torus_knot", 200'000), options);
  state.SetLabel(kQualityNames[state.range(0)]);
}
BENCHMARK(BM_BuildByQuality)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void BM_BuildByVolumes(benchmark::State& state) {
  const BuildOptions options{.volumes = static_cast<Volumes>(state.range(0)),
                             .threads = 1};
  RunBuild(state, Generated("torus_knot", 200'000), options);
  state.SetLabel(kVolumesNames[state.range(0)]);
}
BENCHMARK(BM_BuildByVolumes)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

// By wall clock: threads, then quality.
void BM_BuildByThreads(benchmark::State& state) {
  const BuildOptions options{.quality = static_cast<Quality>(state.range(1)),
                             .threads = static_cast<int>(state.range(0))};
  const Mesh& mesh = Generated("torus_knot", 1'000'000);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Build(mesh, options));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(mesh.triangle_count()));
  state.SetLabel(kQualityNames[state.range(1)]);
}
BENCHMARK(BM_BuildByThreads)
    ->ArgsProduct({{1, 2, 0}, {0, 1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

Mesh Hostile(int64_t which) {
  constexpr size_t kTriangles = 1'000'000;
  switch (which) {
    case 0:
      return meshes::Identical(kTriangles);
    case 1: {
      // Centroids that coincide, in boxes that do not.
      std::vector<Triangle> triangles;
      meshes::Random random(1);
      for (size_t i = 0; i < kTriangles; ++i) {
        const Vec3 a = random.Point(-1, 1);
        triangles.push_back({a, a * -1, {0, 0, 0}});
      }
      return meshes::FromTriangles(triangles);
    }
    case 2:
      return meshes::Needles(kTriangles);
    default: {
      const Mesh half = Generated("torus_knot", kTriangles / 2);
      return meshes::Joined(
          half, meshes::Moved(half, Pose::Translation({1e12, 0, 0})));
    }
  }
}

void BM_BuildOfHostileMeshes(benchmark::State& state) {
  static constexpr const char* kNames[] = {"identical", "one centre", "needles",
                                           "two clusters"};
  const Mesh mesh = Hostile(state.range(0));
  const BuildOptions options{.quality = static_cast<Quality>(state.range(1)),
                             .threads = 1};
  state.counters["peak_bytes"] = PeakBytes(mesh, options);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Build(mesh, options));
  }
  Describe(state, Build(mesh, options).value());
  state.SetLabel(std::string(kNames[state.range(0)]) + ", " +
                 kQualityNames[state.range(1)]);
}
BENCHMARK(BM_BuildOfHostileMeshes)
    ->ArgsProduct({{0, 1, 2, 3}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

void BM_Refit(benchmark::State& state) {
  const Mesh& mesh = Generated("torus_knot", 200'000);
  const Tree tree = Build(mesh).value();
  const Mesh moved = meshes::Moved(
      mesh, Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.5, {1, 2, 3}));
  for (auto _ : state) {
    benchmark::DoNotOptimize(Refit(tree, moved, {.threads = 1}));
  }
  Describe(state, tree);
  state.counters["expected_visits"] =
      ExpectedVisits(Refit(tree, moved).value());
}
BENCHMARK(BM_Refit)->Unit(benchmark::kMillisecond);

void BM_ExpectedVisits(benchmark::State& state) {
  const Tree tree = Build(Generated("torus_knot", 200'000)).value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(ExpectedVisits(tree));
  }
}
BENCHMARK(BM_ExpectedVisits)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orbox
