// SPDX-License-Identifier: Apache-2.0

// Cost of a triangle test, in nanoseconds a call: far apart, near (gaps of a
// hundredth of the size), touching (a corner on the other's face, rounded),
// overlapping, and on a lattice of small integers, full of exact ties.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/predicates.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

enum class Placement { kFar, kNear, kTouching, kMeeting, kLattice };

struct Pairs {
  std::vector<Triangle> first;
  std::vector<Triangle> second;
};

class Source {
 public:
  Vec3 Gaussian() {
    const double x = gaussian_(random_);
    const double y = gaussian_(random_);
    return {x, y, gaussian_(random_)};
  }
  Triangle Random(const Vec3& shift) {
    const Vec3 a = Gaussian();
    const Vec3 b = Gaussian();
    return {a + shift, b + shift, Gaussian() + shift};
  }
  Triangle Lattice() {
    const auto whole = [this] { return static_cast<double>(random_() % 5); };
    Triangle t;
    for (size_t i = 0; i < 9; ++i) t[i / 3][i % 3] = whole();
    return t;
  }

 private:
  std::mt19937_64 random_{1};
  std::normal_distribution<double> gaussian_;
};

Pairs MakePairs(Placement placement) {
  // Few enough to stay in cache, enough for branches not to be learned.
  constexpr size_t kCount = 1000;
  Source source;
  Pairs pairs;
  while (pairs.first.size() < kCount) {
    Triangle s = source.Random({});
    Triangle t = source.Random({});
    switch (placement) {
      case Placement::kFar:
        t = source.Random({10, 0, 0});
        break;
      case Placement::kNear:
      case Placement::kTouching: {
        const Vec3 n = Normalized(Cross(s.b - s.a, s.c - s.a));
        const double gap = placement == Placement::kNear ? 0.01 : 0;
        t.a = s.a + 0.3 * (s.b - s.a) + 0.3 * (s.c - s.a) + n * gap;
        // The rest of it is above.
        for (Vec3* p : {&t.b, &t.c}) {
          const double height = Dot(n, *p - t.a);
          if (height < 0) *p -= n * (2 * height);
        }
        break;
      }
      case Placement::kMeeting:
        if (!Overlaps(s, t)) continue;
        break;
      case Placement::kLattice:
        s = source.Lattice();
        t = source.Lattice();
        break;
    }
    pairs.first.push_back(s);
    pairs.second.push_back(t);
  }
  return pairs;
}

template <typename Test>
void Run(benchmark::State& state, Test test) {
  const Pairs pairs = MakePairs(static_cast<Placement>(state.range(0)));
  ArithmeticCounts counts;
  for (size_t i = 0; i < pairs.first.size(); ++i) {
    test(pairs.first[i], pairs.second[i], &counts);
  }
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(test(pairs.first[i], pairs.second[i], nullptr));
    if (++i == pairs.first.size()) i = 0;
  }
  constexpr const char* kNames[] = {"far", "near", "touching", "meeting",
                                    "lattice"};
  state.SetLabel(kNames[state.range(0)]);
  state.counters["exact_percent"] =
      100.0 * static_cast<double>(counts.by_exact) /
      static_cast<double>(counts.by_exact + counts.by_double);
}

void AllPlacements(benchmark::internal::Benchmark* bench) {
  for (int i = 0; i < 5; ++i) bench->Arg(i);
}

#define ORBOX_TRIANGLE_BENCH(name, expression)                       \
  void name(benchmark::State& state) {                               \
    Run(state, [](const Triangle& s, const Triangle& t,              \
                  ArithmeticCounts* counts) { return expression; }); \
  }                                                                  \
  BENCHMARK(name)->Apply(AllPlacements)

ORBOX_TRIANGLE_BENCH(PointTriangleDistance, Distance(s.a, t, counts));
ORBOX_TRIANGLE_BENCH(TriangleTriangleDistance, Distance(s, t, counts));
ORBOX_TRIANGLE_BENCH(TriangleTriangleOverlaps, Overlaps(s, t, counts));
ORBOX_TRIANGLE_BENCH(TriangleTriangleWithinTenth,
                     WithinDistance(s, t, 0.1, counts));
ORBOX_TRIANGLE_BENCH(TriangleTriangleContact, ContactOf(s, t, counts));
ORBOX_TRIANGLE_BENCH(SegmentTriangleOverlaps,
                     Overlaps(Segment{s.a, s.b}, t, counts));
ORBOX_TRIANGLE_BENCH(SphereTriangleOverlaps,
                     Overlaps(Sphere{s.a, 0.1}, t, counts));
ORBOX_TRIANGLE_BENCH(AabbTriangleOverlaps,
                     Overlaps(Aabb{Min(s.a, s.b), Max(s.a, s.b)}, t, counts));
ORBOX_TRIANGLE_BENCH(ObbTriangleOverlaps,
                     Overlaps(Obb{s.a,
                                  {{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}},
                                  Abs(s.b - s.a)},
                              t, counts));
ORBOX_TRIANGLE_BENCH(TriangleContainsPoint, Contains(t, s.a, counts));

#undef ORBOX_TRIANGLE_BENCH

void PoseApply(benchmark::State& state) {
  Source source;
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i) points.push_back(source.Gaussian());
  const Pose turned =
      Pose::Rotation(Normalized(source.Gaussian()), 1, source.Gaussian());
  const Pose pose = state.range(0) == 0 ? Pose::Translation({1, 2, 3}) : turned;
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(pose.Apply(points[i]));
    if (++i == points.size()) i = 0;
  }
  state.SetLabel(state.range(0) == 0 ? "translation" : "rotation");
}
BENCHMARK(PoseApply)->Arg(0)->Arg(1);

}  // namespace
}  // namespace orbox
