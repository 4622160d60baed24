// SPDX-License-Identifier: Apache-2.0

// Batches: many spheres and boxes, one box against eight, one shape against
// eight triangles, each compared with the scalar loop that has equal results.
// Data stay in L1 or L2; `items_per_second` counts single tests, `reported` is
// the percentage that overlap.
#include "orbox/overlap/boxes/batch.h"

#include <benchmark/benchmark.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "bench/overlap/boxes/sphere_box_pairs.h"
#include "orbox/overlap/boxes/box_batch.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/triangles/triangle_batch.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox::bench {
namespace {

void Report(benchmark::State& state, size_t tests, size_t hits) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(tests));
  state.counters["reported"] =
      100.0 * static_cast<double>(hits) / static_cast<double>(tests);
}

size_t Count(const std::vector<uint64_t>& bits) {
  size_t hits = 0;
  for (uint64_t word : bits) hits += static_cast<size_t>(std::popcount(word));
  return hits;
}

// Spheres and boxes, a quarter of them in contact as pairs.
template <typename Box, typename Table>
struct SphereBoxTables {
  static constexpr size_t kSize = 512;

  SphereBoxTables() {
    std::vector<Spheref> ball;
    std::vector<Box> box;
    for (const auto& pair : MakePairs<Box>(kSize, /*percent=*/25, /*seed=*/1)) {
      ball.push_back(pair.sphere);
      box.push_back(pair.box);
    }
    first = ball.front();
    first_box = box.front();
    spheres = SphereTable(ball);
    boxes = Table(box);
  }
  Spheref first;
  Box first_box;
  SphereTable spheres;
  Table boxes;
};

enum class Shape { kPairs, kOneToMany, kManyToOne };

template <typename Box, typename Table>
void RunSpheres(benchmark::State& state, Shape shape, AnswerKind answer) {
  const SphereBoxTables<Box, Table> data;
  constexpr size_t kSize = SphereBoxTables<Box, Table>::kSize;
  std::vector<uint64_t> bits(WordsFor(kSize));
  for (auto _ : state) {
    if (shape == Shape::kPairs) {
      TestPairs(answer, data.spheres.view(), data.boxes.view(), bits);
    } else if (shape == Shape::kOneToMany) {
      TestOneToMany(answer, data.first, data.boxes.view(), bits);
    } else {
      TestManyToOne(answer, data.spheres.view(), data.first_box, bits);
    }
    benchmark::DoNotOptimize(bits.data());
    benchmark::ClobberMemory();
  }
  Report(state, kSize, Count(bits));
}

void BM_SphereAabb(benchmark::State& state, Shape shape, AnswerKind answer) {
  RunSpheres<Aabbf, AabbTable>(state, shape, answer);
}
void BM_SphereObb(benchmark::State& state, Shape shape, AnswerKind answer) {
  RunSpheres<Obbf, ObbTable>(state, shape, answer);
}

#define ORBOX_BENCH_SPHERES(name, shape)                             \
  BENCHMARK_CAPTURE(BM_SphereAabb, name, shape, AnswerKind::kExact); \
  BENCHMARK_CAPTURE(BM_SphereAabb, name##Conservative, shape,        \
                    AnswerKind::kConservative);                      \
  BENCHMARK_CAPTURE(BM_SphereObb, name, shape, AnswerKind::kExact);  \
  BENCHMARK_CAPTURE(BM_SphereObb, name##Conservative, shape,         \
                    AnswerKind::kConservative)
ORBOX_BENCH_SPHERES(Pairs, Shape::kPairs);
ORBOX_BENCH_SPHERES(OneToMany, Shape::kOneToMany);
ORBOX_BENCH_SPHERES(ManyToOne, Shape::kManyToOne);
#undef ORBOX_BENCH_SPHERES

constexpr size_t kBlocks = 64;

// Boxes in a unit cube, of a size at which about a quarter meet.
struct BoxBlocks {
  BoxBlocks() {
    Uniform uniform(/*seed=*/3);
    for (size_t n = 0; n < kBlocks; ++n) {
      one[n] = Random(uniform);
      for (size_t i = 0; i < 8; ++i) {
        many[n][i] = Random(uniform);
        Put(many[n][i], i, obbs[n].rows);
        Put(Hull(many[n][i]), i, aabbs[n].rows);
      }
    }
  }
  static Obbf Random(Uniform& uniform) {
    return {uniform.Point(), RandomAxes(uniform), uniform.Point() * 0.4f};
  }
  static Aabbf Hull(const Obbf& b) {
    return {b.center - b.half_extents, b.center + b.half_extents};
  }
  template <typename Box, size_t rows>
  static void Put(const Box& box, size_t lane, float (&to)[rows][8]) {
    float values[rows];
    static_assert(sizeof(values) == sizeof(box));
    std::memcpy(values, &box, sizeof(box));
    for (size_t row = 0; row < rows; ++row) to[row][lane] = values[row];
  }

  std::array<Obbf, kBlocks> one;
  std::array<std::array<Obbf, 8>, kBlocks> many;
  std::array<ObbBlock<8>, kBlocks> obbs;
  std::array<AabbBlock<8>, kBlocks> aabbs;
};

// `test` returns the results of all eight of block n, as bits.
template <typename Test>
void Run(benchmark::State& state, Test test) {
  size_t hits = 0;
  for (auto _ : state) {
    hits = 0;
    for (size_t n = 0; n < kBlocks; ++n) {
      hits += static_cast<size_t>(std::popcount(uint32_t{test(n)}));
    }
    benchmark::DoNotOptimize(hits);
  }
  Report(state, 8 * kBlocks, hits);
}

template <typename Test>
uint32_t OneByOne(Test test) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 8; ++i) bits |= uint32_t{test(i)} << i;
  return bits;
}

void BM_AabbAgainst8Aabbs(benchmark::State& state) {
  const BoxBlocks d;
  Run(state, [&](size_t n) {
    return TestBlock(BoxBlocks::Hull(d.one[n]), d.aabbs[n]);
  });
}
void BM_AabbAgainst8Obbs(benchmark::State& state, Sat axes) {
  const BoxBlocks d;
  Run(state, [&](size_t n) {
    return TestBlock(axes, BoxBlocks::Hull(d.one[n]), d.obbs[n]);
  });
}
void BM_ObbAgainst8Aabbs(benchmark::State& state, Sat axes) {
  const BoxBlocks d;
  Run(state, [&](size_t n) { return TestBlock(axes, d.one[n], d.aabbs[n]); });
}
void BM_ObbAgainst8Obbs(benchmark::State& state, Sat axes) {
  const BoxBlocks d;
  Run(state, [&](size_t n) { return TestBlock(axes, d.one[n], d.obbs[n]); });
}
void BM_ObbAgainst8ObbsScalar(benchmark::State& state, Sat axes) {
  const BoxBlocks d;
  Run(state, [&](size_t n) {
    return OneByOne([&](size_t i) {
      return axes == Sat::kFull ? OverlapsSat(d.one[n], d.many[n][i])
                                : OverlapsSatLite(d.one[n], d.many[n][i]);
    });
  });
}
BENCHMARK(BM_AabbAgainst8Aabbs);
BENCHMARK_CAPTURE(BM_AabbAgainst8Obbs, full, Sat::kFull);
BENCHMARK_CAPTURE(BM_AabbAgainst8Obbs, lite, Sat::kLite);
BENCHMARK_CAPTURE(BM_ObbAgainst8Aabbs, full, Sat::kFull);
BENCHMARK_CAPTURE(BM_ObbAgainst8Aabbs, lite, Sat::kLite);
BENCHMARK_CAPTURE(BM_ObbAgainst8Obbs, full, Sat::kFull);
BENCHMARK_CAPTURE(BM_ObbAgainst8Obbs, lite, Sat::kLite);
BENCHMARK_CAPTURE(BM_ObbAgainst8ObbsScalar, full, Sat::kFull);
BENCHMARK_CAPTURE(BM_ObbAgainst8ObbsScalar, lite, Sat::kLite);

// Triangles of size 1, as in a leaf, and one at a `gap` from them (in percent
// of their size): 0 is in the midst of them.
struct TriangleBlocks {
  explicit TriangleBlocks(int64_t gap) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> gaussian;
    const auto point = [&] {
      const double x = gaussian(random);
      const double y = gaussian(random);
      return Vec3{x, y, gaussian(random)} * 0.3;
    };
    for (size_t n = 0; n < kBlocks; ++n) {
      std::array<Triangle, 8> eight;
      for (Triangle& t : eight) {
        const Vec3 at = point();
        t = {at + point(), at + point(), at + point()};
      }
      blocks.emplace_back(eight);
      const Vec3 at{0.01 * static_cast<double>(gap), 0, 0};
      one.push_back({at + point(), at + point(), at + point()});
    }
  }
  std::vector<Triangle> one;
  std::vector<TriangleBlock> blocks;
};

constexpr double kNear = 0.1;

void BM_TriangleOverlap(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) { return TestBlock(d.one[n], d.blocks[n]); });
}
void BM_TriangleOverlapScalar(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) {
    return OneByOne(
        [&](size_t i) { return Overlaps(d.one[n], d.blocks[n][i]); });
  });
}
void BM_TriangleWithin(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state,
      [&](size_t n) { return TestBlockWithin(d.one[n], d.blocks[n], kNear); });
}
void BM_TriangleWithinScalar(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) {
    return OneByOne([&](size_t i) {
      return WithinDistance(d.one[n], d.blocks[n][i], kNear);
    });
  });
}
void BM_TriangleDistances(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  std::array<double, 8> distances;
  Run(state, [&](size_t n) {
    return DistancesToBlock(d.one[n], d.blocks[n], kNear, distances);
  });
}
void BM_TriangleDistancesScalar(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) {
    return OneByOne([&](size_t i) {
      return Distance(d.one[n], d.blocks[n][i]).distance <= kNear;
    });
  });
}
void BM_SphereTriangles(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) {
    return TestBlock(Sphere{d.one[n].a, kNear}, d.blocks[n]);
  });
}
void BM_SphereTrianglesScalar(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) {
    return OneByOne([&](size_t i) {
      return Overlaps(Sphere{d.one[n].a, kNear}, d.blocks[n][i]);
    });
  });
}
void BM_AabbTriangles(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state,
      [&](size_t n) { return TestBlock(BoundsOf(d.one[n]), d.blocks[n]); });
}
void BM_AabbTrianglesScalar(benchmark::State& state) {
  const TriangleBlocks d(state.range(0));
  Run(state, [&](size_t n) {
    return OneByOne(
        [&](size_t i) { return Overlaps(BoundsOf(d.one[n]), d.blocks[n][i]); });
  });
}
void BM_MakeTriangleBlock(benchmark::State& state) {
  const TriangleBlocks d(0);
  std::array<Triangle, 8> eight;
  for (size_t i = 0; i < 8; ++i) eight[i] = d.blocks[0][i];
  for (auto _ : state) {
    benchmark::DoNotOptimize(eight.data());
    TriangleBlock block(eight);
    benchmark::DoNotOptimize(&block);
  }
}
BENCHMARK(BM_TriangleOverlap)->Arg(0)->Arg(100);
BENCHMARK(BM_TriangleOverlapScalar)->Arg(0)->Arg(100);
BENCHMARK(BM_TriangleWithin)->Arg(0)->Arg(100);
BENCHMARK(BM_TriangleWithinScalar)->Arg(0)->Arg(100);
BENCHMARK(BM_TriangleDistances)->Arg(0)->Arg(100);
BENCHMARK(BM_TriangleDistancesScalar)->Arg(0)->Arg(100);
BENCHMARK(BM_SphereTriangles)->Arg(0)->Arg(100);
BENCHMARK(BM_SphereTrianglesScalar)->Arg(0)->Arg(100);
BENCHMARK(BM_AabbTriangles)->Arg(0)->Arg(100);
BENCHMARK(BM_AabbTrianglesScalar)->Arg(0)->Arg(100);
BENCHMARK(BM_MakeTriangleBlock);

}  // namespace
}  // namespace orbox::bench
