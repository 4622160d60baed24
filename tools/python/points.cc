// SPDX-License-Identifier: Apache-2.0

// Queries of points: closest, nearest, signed distances, inside, winding.
#include <nanobind/nanobind.h>

#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/inside.h"
#include "orbox/bvh/query/k_nearest.h"
#include "orbox/bvh/query/signed_distance.h"
#include "orbox/bvh/query/winding_number.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The points of a batch, all of them finite. A copy: another thread of Python
// may write to the array while the query runs, which reads points repeatedly.
class QueryPoints {
 public:
  explicit QueryPoints(const DoubleRows<3>& array) : points_(array.shape(0)) {
    if (points_.empty()) return;  // there is no memory to copy
    std::memcpy(static_cast<void*>(points_.data()), array.data(),
                points_.size() * sizeof(Vec3));
    CheckFinite(
        {reinterpret_cast<const double*>(points_.data()), 3 * points_.size()},
        3, "points");
  }
  std::span<const Vec3> span() const { return points_; }
  size_t size() const { return points_.size(); }

 private:
  std::vector<Vec3> points_;
};

// What every batch of points asks in the same way.
template <typename Options, typename Question>
auto Batch(const DoubleRows<3>& array, const Asked& asked, Options options,
           const Question& ask) {
  const QueryPoints points(array);
  return ValueOf(
      Ask(asked, points.size() > kWatchedQueries, std::move(options),
          [&](const Options& made) { return ask(points.span(), made); }));
}

using Points = std::span<const Vec3>;

Answer Closest(const Tree& tree, const DoubleRows<3>& array,
               double max_distance, const Asked& asked) {
  return NumpyColumns(Batch(array, asked,
                            QueryOptions{.max_distance = max_distance},
                            [&](Points points, const QueryOptions& options) {
                              return ClosestPoint(tree, points, options);
                            }));
}

// One point: some microseconds, so the lock stays.
Answer ClosestOne(const Tree& tree, double x, double y, double z,
                  double max_distance, const Asked& asked) {
  if (!(max_distance >= 0)) {
    throw nb::value_error("max_distance: must not be negative or NaN");
  }
  const double p[3] = {x, y, z};
  CheckFinite(p, 3, "points");
  const auto hit = ClosestPoint(
      tree, {x, y, z},
      {.max_distance = max_distance, .statistics = asked.statistics});
  if (hit) return NumpyRow(*hit);
  return nb::make_tuple(kInfinity, -1, Layout<Vec3>::Alone({kNan, kNan, kNan}));
}

Answer Nearest(const Tree& tree, const DoubleRows<3>& array, size_t k,
               double max_distance, const Asked& asked) {
  return NumpyLists(Batch(array, asked,
                          QueryOptions{.max_distance = max_distance},
                          [&](Points points, const QueryOptions& options) {
                            return KNearest(tree, points, k, options);
                          }));
}

Answer Inside(const Tree& tree, const DoubleRows<3>& array,
              const Asked& asked) {
  return NumpyBools(Batch(array, asked, QueryOptions(),
                          [&](Points points, const QueryOptions& options) {
                            return IsInside(tree, points, options);
                          }));
}

Answer SignedDistance(const SignedDistanceField& field,
                      const DoubleRows<3>& array, double max_distance,
                      const Asked& asked) {
  return NumpyDoubles(Batch(array, asked,
                            QueryOptions{.max_distance = max_distance},
                            [&](Points points, const QueryOptions& options) {
                              return field.Distance(points, options);
                            }));
}

Answer SignedClosest(const SignedDistanceField& field,
                     const DoubleRows<3>& array, double max_distance,
                     const Asked& asked) {
  return NumpyColumns(Batch(array, asked,
                            QueryOptions{.max_distance = max_distance},
                            [&](Points points, const QueryOptions& options) {
                              return field.ClosestPoint(points, options);
                            }));
}

Answer Winding(const WindingNumberField& field, const DoubleRows<3>& array,
               double max_error, const Asked& asked) {
  return NumpyDoubles(Batch(array, asked,
                            WindingOptions{.max_error = max_error},
                            [&](Points points, const WindingOptions& options) {
                              return field.At(points, options);
                            }));
}

Answer InsideByWinding(const WindingNumberField& field,
                       const DoubleRows<3>& array, const Asked& asked) {
  return NumpyBools(Batch(array, asked, QueryOptions(),
                          [&](Points points, const QueryOptions& options) {
                            return field.IsInside(points, options);
                          }));
}

}  // namespace

void BindPoints(nb::module_& m) {
  m.def("closest", Closest);
  m.def("closest_one", ClosestOne);
  m.def("nearest", Nearest);
  m.def("inside", Inside);
  nb::class_<SignedDistanceField>(m, "SignedDistanceField");
  m.def("signed_distance_field", [](const Tree& tree) {
    return ValueOf(
        Run({.progress = nb::none(), .watched = false},
            [&](Control&) { return SignedDistanceField::Create(tree); }));
  });
  m.def("signed_distance", SignedDistance);
  m.def("signed_closest", SignedClosest);
  nb::class_<WindingNumberField>(m, "WindingNumberField");
  m.def("winding_number_field", WindingNumberField::Of,
        nb::call_guard<nb::gil_scoped_release>());
  m.def("winding_number", Winding);
  m.def("inside_by_winding", InsideByWinding);
}

}  // namespace orbox::python
