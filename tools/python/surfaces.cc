// SPDX-License-Identifier: Apache-2.0

// Hausdorff distance and deviation of two surfaces; a surface and itself.
#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "orbox/bvh/query/hausdorff.h"
#include "orbox/bvh/query/self_overlap.h"
#include "orbox/bvh/query/self_within.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/poses.h"

namespace orbox::python {

namespace {

HausdorffOptions OptionsOf(double tolerance, double relative_tolerance,
                           int threads) {
  HausdorffOptions options{.relative_tolerance = relative_tolerance,
                           .threads = threads};
  // A negative one stands for none.
  if (!(tolerance < 0)) options.tolerance = tolerance;
  return options;
}

nb::tuple ResultOf(const HausdorffResult& h) {
  Column<double> on_a(3);
  Column<double> on_b(3);
  Put(on_a, 0, h.on_a);
  Put(on_b, 0, h.on_b);
  return nb::make_tuple(h.lower, h.upper,
                        nb::make_tuple(h.triangle_a, h.triangle_b),
                        Numpy(std::move(on_a)), Numpy(std::move(on_b)));
}

nb::tuple Hausdorff(const PosedTree& a, const PosedTree& b, double tolerance,
                    double relative_tolerance, int threads,
                    const nb::object& progress,
                    TraversalStatistics* statistics) {
  HausdorffOptions options = OptionsOf(tolerance, relative_tolerance, threads);
  options.statistics = statistics;
  return ResultOf(ValueOf(
      Run({.progress = progress, .watched = true}, [&](Control& control) {
        control.Steer(options);
        return HausdorffDistance(a, b, options);
      })));
}

nb::tuple Deviation(const PosedTree& a, const PosedTree& b, double tolerance,
                    double relative_tolerance, int threads,
                    const nb::object& progress,
                    TraversalStatistics* statistics) {
  HausdorffOptions options = OptionsOf(tolerance, relative_tolerance, threads);
  options.statistics = statistics;
  const std::vector<TriangleDeviation> field = ValueOf(
      Run({.progress = progress, .watched = true}, [&](Control& control) {
        control.Steer(options);
        return DeviationField(a, b, options);
      }));
  Column<double> nearest(field.size());
  Column<double> lower(field.size());
  Column<double> upper(field.size());
  for (size_t i = 0; i < field.size(); ++i) {
    nearest[i] = field[i].nearest;
    lower[i] = field[i].farthest_lower;
    upper[i] = field[i].farthest_upper;
  }
  return nb::make_tuple(Numpy(std::move(nearest)), Numpy(std::move(lower)),
                        Numpy(std::move(upper)));
}

template <typename Ask>
auto Self(const Tree& tree, bool by_index, int threads,
          const nb::object& progress, TraversalStatistics* statistics,
          const Ask& ask) {
  return Run({.progress = progress,
              .watched = tree.mesh().triangle_count() > kWatchedTriangles},
             [&](Control& control) {
               SelfOptions options{
                   .shared_corners = by_index ? SharedCorners::kByIndex
                                              : SharedCorners::kByPosition,
                   .statistics = statistics,
                   .threads = threads};
               control.Steer(options);
               return ask(options);
             });
}

nb::object SelfOverlaps(const Tree& tree, bool by_index, int threads,
                        const nb::object& progress,
                        TraversalStatistics* statistics) {
  return NumpyPairs(Self(tree, by_index, threads, progress, statistics,
                         [&](const SelfOptions& options) {
                           return AllSelfOverlaps(tree, options);
                         }));
}

nb::object SelfWithin(const Tree& tree, double distance, bool by_index,
                      int threads, const nb::object& progress,
                      TraversalStatistics* statistics) {
  return NumpyDistances(Self(tree, by_index, threads, progress, statistics,
                             [&](const SelfOptions& options) {
                               return AllSelfWithin(tree, distance, options);
                             }));
}

bool AnySelf(const Tree& tree, bool by_index, TraversalStatistics* statistics) {
  return Self(tree, by_index, 1, nb::none(), statistics,
              [&](const SelfOptions& options) {
                return AnySelfOverlap(tree, options);
              });
}

}  // namespace

void BindSurfaces(nb::module_& m) {
  const auto statistics = nb::arg("statistics").none();
  m.def("hausdorff", Hausdorff, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none(), statistics);
  m.def("deviation", Deviation, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none(), statistics);
  m.def("self_overlaps", SelfOverlaps, nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("any_self_overlap", AnySelf, nb::arg(), nb::arg(), statistics);
  m.def("self_within", SelfWithin, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
}

}  // namespace orbox::python
