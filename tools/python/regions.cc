// SPDX-License-Identifier: Apache-2.0

// Which triangles overlap balls, boxes, oriented boxes and frustums.
#include <nanobind/nanobind.h>

#include <limits>
#include <string>
#include <vector>

#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/region_overlap.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"

namespace orbox::python {

namespace {

// What every batch of regions asks in the same way.
template <typename Ask>
auto Batch(const Regions& regions, int threads, const nb::object& progress,
           TraversalStatistics* statistics, const Ask& ask) {
  return ValueOf(
      Run({.progress = progress, .watched = regions.size() > kWatchedQueries},
          [&](Control& control) {
            QueryOptions options{.statistics = statistics, .threads = threads};
            control.Steer(options);
            return ask(options);
          }));
}

nb::object AnyOf(const Tree& tree, const Regions& regions, int threads,
                 const nb::object& progress, TraversalStatistics* statistics) {
  return NumpyBools(Batch(regions, threads, progress, statistics,
                          [&](const QueryOptions& options) {
                            return AnyOverlap(tree, regions, options);
                          }));
}

nb::object CountOf(const Tree& tree, const Regions& regions, int threads,
                   const nb::object& progress,
                   TraversalStatistics* statistics) {
  return NumpyCounts(Batch(regions, threads, progress, statistics,
                           [&](const QueryOptions& options) {
                             return CountOverlaps(tree, regions, options);
                           }));
}

nb::object AllOf(const Tree& tree, const Regions& regions, int threads,
                 const nb::object& progress, TraversalStatistics* statistics) {
  const Lists<uint32_t> lists = Batch(
      regions, threads, progress, statistics, [&](const QueryOptions& options) {
        return AllOverlaps(tree, regions, options);
      });
  return nb::make_tuple(Numpy(Offsets(lists)),
                        NumpyIds(std::span<const uint32_t>(lists.values)));
}

enum class Find { kAll, kAny, kCount };

nb::object Ask(Find find, const Tree& tree, const Regions& regions, int threads,
               const nb::object& progress, TraversalStatistics* statistics) {
  switch (find) {
    case Find::kAny:
      return AnyOf(tree, regions, threads, progress, statistics);
    case Find::kCount:
      return CountOf(tree, regions, threads, progress, statistics);
    case Find::kAll:
      break;
  }
  return AllOf(tree, regions, threads, progress, statistics);
}

// A row of the array is the numbers of a Shape in their order.
template <typename Shape>
nb::object InShapes(const Tree& tree, const DoubleRows<Rows<Shape>::kWidth>& a,
                    Find find, int threads, const nb::object& progress,
                    TraversalStatistics* statistics) {
  const Rows<Shape> shapes(a);
  return Ask(find, tree, Regions(shapes.span()), threads, progress, statistics);
}

using Frustums = nb::ndarray<const double, nb::shape<-1, -1, 4>, nb::c_contig,
                             nb::device::cpu>;

nb::object InFrustums(const Tree& tree, const Frustums& a, Find find,
                      int threads, const nb::object& progress,
                      TraversalStatistics* statistics) {
  const size_t planes = a.shape(1);
  const Rows<HalfSpace> all(a.data(), a.shape(0) * planes);
  std::vector<HalfSpaces> sets(a.shape(0));
  for (size_t i = 0; i < sets.size(); ++i) {
    sets[i] = all.span().subspan(i * planes, planes);
  }
  return Ask(find, tree, Regions(sets), threads, progress, statistics);
}

}  // namespace

void BindRegions(nb::module_& m) {
  nb::enum_<Find>(m, "Find")
      .value("all", Find::kAll)
      .value("any", Find::kAny)
      .value("count", Find::kCount);
  const auto define = [&](const char* name, auto function) {
    m.def(name, function, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg("statistics").none());
  };
  define("in_balls", InShapes<Sphere>);
  define("in_boxes", InShapes<Aabb>);
  define("in_obbs", InShapes<Obb>);
  define("in_frustums", InFrustums);
}

}  // namespace orbox::python
