// SPDX-License-Identifier: Apache-2.0

// Cost of the side of a point compared with its distance: signed distance, the
// exact inside, winding numbers; and ranges by a view frustum.
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Tree& Knot() {
  static const Tree knot = KnotTree(100'000);
  return knot;
}

const SignedDistanceField& Field() {
  static const SignedDistanceField field =
      SignedDistanceField::Create(Knot()).value();
  return field;
}

const WindingNumberField& Windings() {
  static const WindingNumberField field = WindingNumberField::Of(Knot());
  return field;
}

double Size() {
  const Aabb& b = Knot().mesh().bounds();
  return Norm(b.hi - b.lo);
}

// Within 1 % of the size from the surface where the argument is 1, else
// anywhere in the box.
std::vector<Vec3> Points(bool near) {
  const Mesh& mesh = Knot().mesh();
  meshes::Random random(1);
  std::vector<Vec3> points;
  for (int i = 0; i < 4096; ++i) {
    if (near) {
      const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
      points.push_back(t.a + random.Direction() *
                                 (0.01 * Size() * random.Uniform(0, 1)));
    } else {
      const Vec3 half = mesh.bounds().HalfExtents();
      const Vec3 u = random.Point(-1, 1);
      points.push_back(mesh.bounds().Center() +
                       Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
    }
  }
  return points;
}

template <typename Call>
void RunOverPoints(benchmark::State& state, Call call) {
  const std::vector<Vec3> points = Points(state.range(0) != 0);
  call(points[0]);  // builds its data
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(call(points[i++ % points.size()]));
  }
}

void BM_ClosestPoint(benchmark::State& state) {
  RunOverPoints(state, [](const Vec3& p) { return ClosestPoint(Knot(), p); });
}
BENCHMARK(BM_ClosestPoint)->ArgName("near")->Arg(0)->Arg(1);

void BM_SignedDistance(benchmark::State& state) {
  RunOverPoints(state, [](const Vec3& p) { return Field().Distance(p); });
}
BENCHMARK(BM_SignedDistance)->ArgName("near")->Arg(0)->Arg(1);

void BM_IsInside(benchmark::State& state) {
  RunOverPoints(state, [](const Vec3& p) { return Field().IsInside(p); });
}
BENCHMARK(BM_IsInside)->ArgName("near")->Arg(0)->Arg(1);

void BM_IsInsideByWindingNumber(benchmark::State& state) {
  RunOverPoints(state, [](const Vec3& p) { return Windings().IsInside(p); });
}
BENCHMARK(BM_IsInsideByWindingNumber)->ArgName("near")->Arg(0)->Arg(1);

void BM_WindingNumber(benchmark::State& state) {
  RunOverPoints(state, [](const Vec3& p) { return Windings().At(p, 1e-2); });
}
BENCHMARK(BM_WindingNumber)->ArgName("near")->Arg(0)->Arg(1);

void BM_CreateSignedDistance(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(SignedDistanceField::Create(Knot()));
  }
}
BENCHMARK(BM_CreateSignedDistance)->Unit(benchmark::kMillisecond);

void BM_CreateWindingNumbers(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(WindingNumberField::Of(Knot()));
  }
}
BENCHMARK(BM_CreateWindingNumbers)->Unit(benchmark::kMillisecond);

// From random points, up to half the size away, 30 degrees to each side.
void BM_Frustum(benchmark::State& state) {
  meshes::Random random(2);
  std::vector<std::vector<HalfSpace>> frusta;
  for (int i = 0; i < 64; ++i) {
    const Vec3 eye =
        Knot().mesh().bounds().Center() + random.Direction() * Size() * 0.5;
    const Vec3 to = random.Direction();
    const Vec3 side = Normalized(Cross(to, random.Direction()));
    const Vec3 up = Cross(side, to);
    std::vector<HalfSpace> set = {{-to, -Dot(to, eye)},
                                  {to, Dot(to, eye) + 0.5 * Size()}};
    for (const Vec3& s : {side, up, -side, -up}) {
      const Vec3 n = s - 0.577 * to;
      set.push_back({n, Dot(n, eye)});
    }
    frusta.push_back(set);
  }
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(AllOverlaps(Knot(), frusta[i++ % frusta.size()]));
  }
}
BENCHMARK(BM_Frustum)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orbox
