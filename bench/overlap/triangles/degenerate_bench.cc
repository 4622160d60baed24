// SPDX-License-Identifier: Apache-2.0

// Cost of triangle queries on degenerate data, in nanoseconds a call, compared
// with general position: points on a face, on an edge, on a vertex, and
// slightly off; pairs that touch, cross, share a plane, are slightly apart or
// identical; segments and points in place of triangles.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/point_distances.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// Few enough to stay in cache, enough for branches not to be learned.
constexpr size_t kCount = 500;

class Source {
 public:
  // Coordinates as in files of floats, or with all digits of a double.
  explicit Source(bool floats) : floats_(floats) {}

  double Uniform(double lo, double hi) {
    const double x = std::uniform_real_distribution<double>(lo, hi)(random_);
    return floats_ ? static_cast<double>(static_cast<float>(x)) : x;
  }
  Vec3 Point() {
    const double x = Uniform(-1, 1);
    const double y = Uniform(-1, 1);
    return {x, y, Uniform(-1, 1)};
  }
  Triangle Any() {
    const Vec3 a = Point();
    const Vec3 b = Point();
    return {a, b, Point()};
  }
  // A point of the triangle, rounded.
  Vec3 On(const Triangle& t) {
    double v = Uniform(0, 1);
    double w = Uniform(0, 1);
    if (v + w > 1) {
      v = 1 - v;
      w = 1 - w;
    }
    return t.a + v * (t.b - t.a) + w * (t.c - t.a);
  }

 private:
  std::mt19937_64 random_{1};
  bool floats_;
};

struct PointCase {
  Vec3 point;
  Triangle triangle;
};

Vec3 NormalOf(const Triangle& t) {
  return Normalized(Cross(t.b - t.a, t.c - t.a));
}

PointCase OnFace(Source& s) {
  const Triangle t = s.Any();
  return {s.On(t), t};
}
PointCase OnFlatFace(Source& s) {
  Triangle t = s.Any();
  t.a.z = t.b.z = t.c.z = 0;
  return {s.On(t), t};
}
PointCase OnEdge(Source& s) {
  const Triangle t = s.Any();
  return {(t.a + t.b) * 0.5, t};
}
PointCase OnFlatEdge(Source& s) {
  Triangle t = s.Any();
  t.a.z = t.b.z = t.c.z = 0;
  return {(t.a + t.b) * 0.5, t};
}
PointCase OnVertex(Source& s) {
  const Triangle t = s.Any();
  return {t.b, t};
}
PointCase HairOff(Source& s) {
  const Triangle t = s.Any();
  return {s.On(t) + 1e-12 * NormalOf(t), t};
}
PointCase OnSegment(Source& s) {
  const Vec3 a = s.Point();
  const Vec3 b = s.Point();
  return {(a + b) * 0.5, {a, b, b}};
}
PointCase NearPoint(Source& s) {
  const Vec3 a = s.Point();
  return {s.Point(), {a, a, a}};
}
PointCase General(Source& s) { return {s.Point(), s.Any()}; }

using PointSource = PointCase (*)(Source&);

void PointDistance(benchmark::State& state, PointSource make, bool floats) {
  Source source(floats);
  std::vector<PointCase> cases;
  while (cases.size() < kCount) cases.push_back(make(source));
  for (auto _ : state) {
    for (const PointCase& c : cases) {
      benchmark::DoNotOptimize(Distance(c.point, c.triangle));
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}

// Eight triangles at once, as a query has them.
void BatchedDistance(benchmark::State& state, PointSource make, bool floats) {
  Source source(floats);
  std::vector<PointCase> cases;
  while (cases.size() < kCount) cases.push_back(make(source));
  std::vector<Triangle> triangles(8);
  std::vector<PointTriangleDistance> results(8);
  for (auto _ : state) {
    for (const PointCase& c : cases) {
      triangles.assign(8, c.triangle);
      Distances(c.point, triangles, results);
      benchmark::DoNotOptimize(results.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount * 8);
}

struct PairCase {
  Triangle first;
  Triangle second;
};

Triangle Moved(const Triangle& t, const Vec3& way) {
  return {t.a + way, t.b + way, t.c + way};
}

PairCase Touching(Source& s) {
  const Triangle t = s.Any();
  const Vec3 p = s.On(t);
  const Vec3 up = NormalOf(t);
  return {t, {p, p + up + 0.3 * s.Point(), p + up + 0.3 * s.Point()}};
}
PairCase Crossing(Source& s) {
  const Triangle t = s.Any();
  const Vec3 p = s.On(t);
  const Vec3 up = NormalOf(t);
  return {t,
          {p - 0.5 * up, p + up + 0.3 * s.Point(), p + up + 0.3 * s.Point()}};
}
// Whole sixteenths in a plane aslant: in one plane exactly.
Triangle Aslant(Source& s) {
  Triangle t;
  for (size_t i = 0; i < 3; ++i) {
    t[i].x = std::round(s.Uniform(-64, 64)) / 16;
    t[i].y = std::round(s.Uniform(-64, 64)) / 16;
    t[i].z = 2 * t[i].x - 0.5 * t[i].y + 0.25;
  }
  return t;
}
PairCase Coplanar(Source& s) {
  for (;;) {
    const Triangle first = Aslant(s);
    const Triangle second = Aslant(s);
    if (Overlaps(first, second)) return {first, second};
  }
}
PairCase CoplanarFlat(Source& s) {
  for (;;) {
    Triangle first = s.Any();
    Triangle second = s.Any();
    for (size_t i = 0; i < 3; ++i) first[i].z = second[i].z = 0.25;
    if (Overlaps(first, second)) return {first, second};
  }
}
PairCase SmallGap(Source& s) {
  const Triangle t = s.Any();
  return {t, Moved(t, 1e-15 * NormalOf(t))};
}
PairCase FlatGap(Source& s) {
  Triangle first = s.Any();
  Triangle second = s.Any();
  for (size_t i = 0; i < 3; ++i) {
    first[i].z = 0.25;
    second[i].z = 0.25 + 1e-3;
  }
  return {first, second};
}
PairCase Identical(Source& s) {
  const Triangle t = s.Any();
  return {t, t};
}
PairCase Segments(Source& s) {
  const Vec3 a = s.Point();
  const Vec3 b = s.Point();
  const Triangle t = s.Any();
  return {{a, b, b}, t};
}
PairCase CrossingSegment(Source& s) {
  const Triangle t = s.Any();
  const Vec3 p = s.On(t);
  const Vec3 way = 0.3 * s.Point();
  return {{p - way, p + way, p - way}, t};
}
PairCase SegmentInPlane(Source& s) {
  const Triangle t = s.Any();
  return {{t.a, (t.a + t.b) * 0.5, (t.a + t.b) * 0.5}, t};
}
PairCase PointOf(Source& s) {
  const Vec3 a = s.Point();
  return {{a, a, a}, s.Any()};
}
PairCase GeneralPair(Source& s) {
  const Triangle t = s.Any();
  return {Moved(t, {3, 0, 0}), s.Any()};
}

using PairSource = PairCase (*)(Source&);

template <typename Question>
void RunPairs(benchmark::State& state, PairSource make, bool floats,
              Question call) {
  Source source(floats);
  std::vector<PairCase> cases;
  while (cases.size() < kCount) cases.push_back(make(source));
  for (auto _ : state) {
    for (const PairCase& c : cases) {
      benchmark::DoNotOptimize(call(c.first, c.second));
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}

// Rays that hit both of two triangles at the corner or edge that they share.
void CompareAtEdge(benchmark::State& state) {
  Source source(true);
  struct Case {
    Ray ray;
    Triangle s;
    Triangle t;
  };
  std::vector<Case> cases;
  while (cases.size() < kCount) {
    const Triangle t = source.Any();
    const Vec3 origin = source.Point() * 2;
    cases.push_back(
        {{origin, (t.a + t.b) * 0.5 - origin}, t, {t.b, t.a, source.Point()}});
    const Case& c = cases.back();
    if (!Overlaps(c.ray, c.s) || !Overlaps(c.ray, c.t)) cases.pop_back();
  }
  for (auto _ : state) {
    for (const Case& c : cases) {
      benchmark::DoNotOptimize(CompareHits(c.ray, c.s, c.t));
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}
BENCHMARK(CompareAtEdge);

void HitAtEdge(benchmark::State& state) {
  Source source(true);
  std::vector<std::pair<Ray, Triangle>> cases;
  while (cases.size() < kCount) {
    const Triangle t = source.Any();
    const Vec3 origin = source.Point() * 2;
    cases.push_back({{origin, (t.a + t.b) * 0.5 - origin}, t});
  }
  for (auto _ : state) {
    for (const auto& [ray, triangle] : cases) {
      benchmark::DoNotOptimize(Intersect(ray, triangle));
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}
BENCHMARK(HitAtEdge);

void HitInPlane(benchmark::State& state) {
  Source source(true);
  std::vector<std::pair<Ray, Triangle>> cases;
  while (cases.size() < kCount) {
    Triangle t = source.Any();
    t.a.z = t.b.z = t.c.z = 0;
    Vec3 origin = source.Point() * 2;
    origin.z = 0;
    cases.push_back({{origin, source.On(t) - origin}, t});
  }
  for (auto _ : state) {
    for (const auto& [ray, triangle] : cases) {
      benchmark::DoNotOptimize(Intersect(ray, triangle));
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}
BENCHMARK(HitInPlane);

template <typename Kind>
struct Row {
  const char* name;
  Kind make;
};

void RegisterAll() {
  const Row<PointSource> points[] = {
      {"OnFace", OnFace},       {"OnFlatFace", OnFlatFace},
      {"OnEdge", OnEdge},       {"OnFlatEdge", OnFlatEdge},
      {"OnVertex", OnVertex},   {"HairOff", HairOff},
      {"OnSegment", OnSegment}, {"NearPoint", NearPoint},
      {"General", General}};
  const Row<PairSource> pairs[] = {{"Touching", Touching},
                                   {"Crossing", Crossing},
                                   {"Coplanar", Coplanar},
                                   {"CoplanarFlat", CoplanarFlat},
                                   {"SmallGap", SmallGap},
                                   {"FlatGap", FlatGap},
                                   {"Identical", Identical},
                                   {"Segment", Segments},
                                   {"CrossingSegment", CrossingSegment},
                                   {"SegmentInPlane", SegmentInPlane},
                                   {"Point", PointOf},
                                   {"General", GeneralPair}};
  for (const bool floats : {true, false}) {
    const std::string digits = floats ? "Floats" : "Doubles";
    for (const auto& [name, make] : points) {
      benchmark::RegisterBenchmark(
          ("PointDistance/" + digits + "/" + name).c_str(), PointDistance, make,
          floats);
      benchmark::RegisterBenchmark(
          ("BatchedDistance/" + digits + "/" + name).c_str(), BatchedDistance,
          make, floats);
    }
    for (const auto& [name, make] : pairs) {
      const auto add = [&, make = make](const char* question, auto call) {
        benchmark::RegisterBenchmark(
            (std::string(question) + "/" + digits + "/" + name).c_str(),
            [make, floats, call](benchmark::State& state) {
              RunPairs(state, make, floats, call);
            });
      };
      add("PairDistance",
          [](const Triangle& s, const Triangle& t) { return Distance(s, t); });
      add("DistanceBetween", [](const Triangle& s, const Triangle& t) {
        return DistanceBetween(s, t);
      });
      add("Within", [](const Triangle& s, const Triangle& t) {
        return WithinDistance(s, t, 0);
      });
      add("Overlaps",
          [](const Triangle& s, const Triangle& t) { return Overlaps(s, t); });
      add("ContactOf",
          [](const Triangle& s, const Triangle& t) { return ContactOf(s, t); });
    }
  }
}

[[maybe_unused]] const bool registered = (RegisterAll(), true);

}  // namespace
}  // namespace orbox
