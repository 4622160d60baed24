// SPDX-License-Identifier: Apache-2.0

// Every query of a single mesh and of two, on generated meshes, by the kind of
// volume. These times help to find code to improve; ratios to other libraries
// are in bench/peers.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Mesh& Knot() {
  static const Mesh knot = KnotMesh(100'000);
  return knot;
}

double Size() { return Norm(Knot().bounds().hi - Knot().bounds().lo); }

// In 1.5 times the box, or within 1 % of the size from the surface.
std::vector<Vec3> Points(bool near) {
  meshes::Random random(1);
  std::vector<Vec3> points;
  const Aabb& b = Knot().bounds();
  for (int i = 0; i < 4096; ++i) {
    if (near) {
      const Triangle t = Knot().triangle(random.Below(Knot().triangle_count()));
      points.push_back(t.a + random.Direction() *
                                 (0.01 * Size() * random.Uniform(0, 1)));
    } else {
      const Vec3 half = b.HalfExtents() * 1.5;
      const Vec3 u = random.Point(-1, 1);
      points.push_back(b.Center() +
                       Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
    }
  }
  return points;
}

void SetKindLabel(benchmark::State& state) {
  static const char* const names[] = {"mixed", "sphere", "aabb", "obb"};
  state.SetLabel(names[state.range(0)]);
}

template <typename Query>
void RunOverPoints(benchmark::State& state, bool near, Query query) {
  const Tree& tree = KnotTreeOf(state.range(0));
  const auto points = Points(near);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(query(tree, points[i++ % points.size()]));
  }
  SetKindLabel(state);
}

void BM_ClosestPointFar(benchmark::State& state) {
  RunOverPoints(state, false, [](const Tree& tree, const Vec3& p) {
    return ClosestPoint(tree, p);
  });
}
BENCHMARK(BM_ClosestPointFar)->DenseRange(0, 3);

void BM_ClosestPointNear(benchmark::State& state) {
  RunOverPoints(state, true, [](const Tree& tree, const Vec3& p) {
    return ClosestPoint(tree, p);
  });
}
BENCHMARK(BM_ClosestPointNear)->DenseRange(0, 3);

void BM_TenNearest(benchmark::State& state) {
  RunOverPoints(state, true, [](const Tree& tree, const Vec3& p) {
    return KNearest(tree, p, 10);
  });
}
BENCHMARK(BM_TenNearest)->DenseRange(0, 3);

void BM_SphereRange(benchmark::State& state) {
  const double r = Size() * static_cast<double>(state.range(1)) / 100;
  RunOverPoints(state, true, [r](const Tree& tree, const Vec3& p) {
    return AllOverlaps(tree, Sphere{p, r});
  });
}
BENCHMARK(BM_SphereRange)->ArgsProduct({{0, 1, 2, 3}, {1, 5}});

void BM_BoxRange(benchmark::State& state) {
  const double r = Size() * static_cast<double>(state.range(1)) / 100;
  RunOverPoints(state, true, [r](const Tree& tree, const Vec3& p) {
    return AllOverlaps(tree, Aabb{p - Vec3{r, r, r}, p + Vec3{r, r, r}});
  });
}
BENCHMARK(BM_BoxRange)->ArgsProduct({{0, 1, 2, 3}, {1, 5}});

// Random poses of the mesh about itself: `shift` is how far they move it, in
// sizes. At 0.3 all collide, at 2 none does.
template <typename Query>
void RunOverPoses(benchmark::State& state, double shift, Query query) {
  const Tree& tree = KnotTreeOf(state.range(0));
  meshes::Random random(2);
  std::vector<PosedTree> posed;
  for (int i = 0; i < 64; ++i) {
    const Vec3 move = random.Direction() * (shift * Size());
    posed.push_back(
        PosedTree::Create(tree, Pose::Rotation(random.Direction(),
                                               random.Uniform(0, 6), move))
            .value());
  }
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(query(posed[i++ % posed.size()], tree));
  }
  SetKindLabel(state);
}

void BM_MeshesOverlap(benchmark::State& state) {
  RunOverPoses(state, 0.3, [](const PosedTree& a, const Tree& b) {
    return AnyOverlap(a, b);
  });
}
BENCHMARK(BM_MeshesOverlap)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_OverlappingPairs(benchmark::State& state) {
  RunOverPoses(state, 0.3, [](const PosedTree& a, const Tree& b) {
    return AllOverlaps(a, b);
  });
}
BENCHMARK(BM_OverlappingPairs)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_MeshDistance(benchmark::State& state) {
  RunOverPoses(state, 1.2, [](const PosedTree& a, const Tree& b) {
    return *ClosestPair(a, b);
  });
}
BENCHMARK(BM_MeshDistance)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_MeshesWithin(benchmark::State& state) {
  RunOverPoses(state, 1.0, [](const PosedTree& a, const Tree& b) {
    return AnyWithin(a, b, 0.01 * Size());
  });
}
BENCHMARK(BM_MeshesWithin)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_PairsWithin(benchmark::State& state) {
  RunOverPoses(state, 0.3, [](const PosedTree& a, const Tree& b) {
    return AllWithin(a, b, 0.005 * Size());
  });
}
BENCHMARK(BM_PairsWithin)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_Build(benchmark::State& state) {
  BuildOptions options;
  options.volumes = static_cast<Volumes>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(Build(Knot(), options));
  }
  SetKindLabel(state);
}
BENCHMARK(BM_Build)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orbox
