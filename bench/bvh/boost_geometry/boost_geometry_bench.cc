// SPDX-License-Identifier: Apache-2.0

// TriangleIndex compared with Boost's rtree over the same values, on a
// generated mesh: making it, boxes of some sizes, the nearest, by query() and
// by iterators; and the cost of exact results about the triangles.
#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/bvh/boost_geometry/boost_geometry.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/generate.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;
using Point = bg::model::point<double, 3, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Box, uint32_t>;
using Rtree = bgi::rtree<Value, bgi::rstar<16>>;
using Index = TriangleIndex<Value>;

const Tree& Knot() {
  static const Tree tree = [] {
    GenerateOptions options;
    options.triangles = 100'000;
    return Build(GenerateMesh(options).value()).value();
  }();
  return tree;
}

const std::vector<Value>& Values() {
  static const std::vector<Value> values = [] {
    std::vector<Value> made;
    uint32_t id = 0;
    for (const Triangle& t : TrianglesOf(Knot().mesh())) {
      made.emplace_back(bg::return_envelope<Box>(t), id++);
    }
    return made;
  }();
  return values;
}

// The rtree is packed when it is made from all values at once.
template <typename AnyIndex>
const AnyIndex& Made() {
  if constexpr (std::is_same_v<AnyIndex, Rtree>) {
    static const Rtree rtree(Values());
    return rtree;
  } else {
    static const Index index(Knot());
    return index;
  }
}

struct Queries {
  std::vector<Box> boxes;
  std::vector<Point> points;
};

// Boxes about points of the surface, of a size in thousandths of the mesh's.
Queries MakeQueries(int64_t thousandths) {
  meshes::Random random(1);
  const Mesh& mesh = Knot().mesh();
  const Vec3 size = mesh.bounds().hi - mesh.bounds().lo;
  const Vec3 half = size * (static_cast<double>(thousandths) / 2000);
  Queries queries;
  for (int i = 0; i < 4096; ++i) {
    const Vec3 p = mesh.triangle(random.Below(mesh.triangle_count())).a;
    queries.boxes.push_back({{p.x - half.x, p.y - half.y, p.z - half.z},
                             {p.x + half.x, p.y + half.y, p.z + half.z}});
    const Vec3 near = p + random.Direction() * (0.02 * Norm(size));
    queries.points.emplace_back(near.x, near.y, near.z);
  }
  return queries;
}

template <typename Call>
void Run(benchmark::State& state, const Call& call) {
  const Queries queries = MakeQueries(state.range(0));
  std::vector<Value> found;
  size_t i = 0;
  size_t results = 0;
  for (auto _ : state) {
    found.clear();
    call(queries.boxes[i % 4096], queries.points[i % 4096], &found);
    results += found.size();
    ++i;
  }
  state.counters["results"] =
      static_cast<double>(results) / static_cast<double>(i);
}

template <typename AnyIndex>
void BM_Intersects(benchmark::State& state) {
  const AnyIndex& index = Made<AnyIndex>();
  Run(state, [&](const Box& box, const Point&, std::vector<Value>* found) {
    index.query(bgi::intersects(box), std::back_inserter(*found));
  });
}

template <typename AnyIndex>
void BM_IntersectsByIterator(benchmark::State& state) {
  const AnyIndex& index = Made<AnyIndex>();
  Run(state, [&](const Box& box, const Point&, std::vector<Value>* found) {
    std::copy(index.qbegin(bgi::intersects(box)), index.qend(),
              std::back_inserter(*found));
  });
}

template <typename AnyIndex>
void BM_Nearest(benchmark::State& state) {
  const AnyIndex& index = Made<AnyIndex>();
  const auto k = static_cast<unsigned>(state.range(0));
  Run(state, [&](const Box&, const Point& p, std::vector<Value>* found) {
    index.query(bgi::nearest(p, k), std::back_inserter(*found));
  });
}

void BM_ExactIntersects(benchmark::State& state) {
  const auto exact = Made<Index>().exact();
  Run(state, [&](const Box& box, const Point&, std::vector<Value>* found) {
    exact.query(bgi::intersects(box), std::back_inserter(*found));
  });
}

void BM_ExactNearest(benchmark::State& state) {
  const auto exact = Made<Index>().exact();
  const auto k = static_cast<unsigned>(state.range(0));
  Run(state, [&](const Box&, const Point& p, std::vector<Value>* found) {
    exact.query(bgi::nearest(p, k), std::back_inserter(*found));
  });
}

void BM_MakeRtree(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Rtree(Values()).size());
}
// From the mesh, and from a tree that is there for other queries as well.
void BM_MakeIndexAndTree(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(Index(Build(Knot().mesh()).value()).size());
  }
}
void BM_MakeIndex(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Index(Knot()).size());
}

BENCHMARK(BM_Intersects<Rtree>)->Arg(1)->Arg(10)->Arg(100);
BENCHMARK(BM_Intersects<Index>)->Arg(1)->Arg(10)->Arg(100);
BENCHMARK(BM_ExactIntersects)->Arg(1)->Arg(10)->Arg(100);
BENCHMARK(BM_IntersectsByIterator<Rtree>)->Arg(1)->Arg(10)->Arg(100);
BENCHMARK(BM_IntersectsByIterator<Index>)->Arg(1)->Arg(10)->Arg(100);
BENCHMARK(BM_Nearest<Rtree>)->Arg(1)->Arg(10);
BENCHMARK(BM_Nearest<Index>)->Arg(1)->Arg(10);
BENCHMARK(BM_ExactNearest)->Arg(1)->Arg(10);
BENCHMARK(BM_MakeRtree)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_MakeIndexAndTree)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_MakeIndex)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orbox
