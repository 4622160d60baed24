// SPDX-License-Identifier: Apache-2.0

// Chunks of several sizes compared with one tree over the same triangles, on
// one core: the cost of a mesh in chunks, all of them mapped. Times are for one
// query of a batch, or for one query of pairs.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr size_t kTriangles = 1'000'000;
constexpr size_t kQueries = 200'000;

const Tree& OneTree() {
  static const Tree tree = KnotTree(kTriangles);
  return tree;
}

// A folder of this process, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "orbox-bench-XXXXXX")
            .string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string Path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

const ChunkedTree& Chunks(int64_t size) {
  static const Folder folder;
  static std::map<int64_t, ChunkedTree> trees;
  const auto found = trees.find(size);
  if (found != trees.end()) return found->second;
  const std::string mesh = folder.Path("knot.ply");
  if (trees.empty() && !WriteMeshFile(OneTree().mesh(), mesh).ok()) {
    std::abort();
  }
  const ChunkedTree tree =
      BuildChunked({&mesh, 1}, folder.Path(std::to_string(size)),
                   {.chunk_triangles = static_cast<size_t>(size)})
          .value();
  return trees.emplace(size, tree).first->second;
}

// Within 1 % of the size from the surface, and in its box.
const std::vector<Vec3>& Points() {
  static const std::vector<Vec3> points = [] {
    const Mesh& mesh = OneTree().mesh();
    const Vec3 half = mesh.bounds().HalfExtents();
    meshes::Random random(1);
    std::vector<Vec3> made;
    for (size_t i = 0; i < kQueries; ++i) {
      if (i % 2 == 0) {
        const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
        made.push_back(t.a + random.Direction() *
                                 (0.02 * Norm(half) * random.Uniform(0, 1)));
      } else {
        const Vec3 u = random.Point(-1, 1);
        made.push_back(mesh.bounds().Center() +
                       Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
      }
    }
    return made;
  }();
  return points;
}

std::vector<Sphere> Balls() {
  const double r = 0.01 * Norm(OneTree().mesh().bounds().HalfExtents());
  std::vector<Sphere> balls;
  for (const Vec3& p : Points()) balls.push_back({p, r});
  return balls;
}

std::vector<Ray> Rays() {
  meshes::Random random(2);
  std::vector<Ray> rays;
  for (const Vec3& p : Points()) rays.push_back({p, random.Direction()});
  return rays;
}

// Queries one tree if the argument is 0, else chunks of that size, verified and
// mapped before.
template <typename Call>
void Measure(benchmark::State& state, size_t queries, Call call) {
  const int64_t size = state.range(0);
  if (size == 0) {
    for (auto _ : state) benchmark::DoNotOptimize(call(OneTree()));
  } else {
    const ChunkedTree& chunks = Chunks(size);
    benchmark::DoNotOptimize(call(chunks));
    for (auto _ : state) benchmark::DoNotOptimize(call(chunks));
  }
  state.counters["query"] =
      benchmark::Counter(static_cast<double>(queries),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

void BM_ClosestPoints(benchmark::State& state) {
  Measure(state, kQueries,
          [](const auto& tree) { return ClosestPoint(tree, Points()); });
}
void BM_Nearest(benchmark::State& state) {
  Measure(state, kQueries,
          [](const auto& tree) { return KNearest(tree, Points(), 8); });
}
void BM_Balls(benchmark::State& state) {
  const std::vector<Sphere> balls = Balls();
  Measure(state, kQueries,
          [&](const auto& tree) { return AllOverlaps(tree, balls); });
}
void BM_ClosestHits(benchmark::State& state) {
  const std::vector<Ray> rays = Rays();
  Measure(state, kQueries,
          [&](const auto& tree) { return ClosestHit(tree, rays); });
}
void BM_SelfOverlaps(benchmark::State& state) {
  Measure(state, 1, [](const auto& tree) { return CountSelfOverlaps(tree); });
}

void Sizes(benchmark::internal::Benchmark* b) {
  b->ArgName("chunk")
      ->Arg(0)
      ->Arg(16384)
      ->Arg(65536)
      ->Arg(131072)
      ->Arg(262144)
      ->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_ClosestPoints)->Apply(Sizes);
BENCHMARK(BM_Nearest)->Apply(Sizes);
BENCHMARK(BM_Balls)->Apply(Sizes);
BENCHMARK(BM_ClosestHits)->Apply(Sizes);
BENCHMARK(BM_SelfOverlaps)->Apply(Sizes);

}  // namespace
}  // namespace orbox
