// SPDX-License-Identifier: Apache-2.0

// Queries of points: closest, nearest, signed distances, inside, winding.
#include <nanobind/nanobind.h>

#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/inside.h"
#include "orbox/bvh/query/k_nearest.h"
#include "orbox/bvh/query/signed_distance.h"
#include "orbox/bvh/query/winding_number.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"

namespace orbox::python {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The points of a batch, all of them finite. A copy: another thread of Python
// may write to the array while the query runs, which reads points repeatedly.
class QueryPoints {
 public:
  explicit QueryPoints(const DoubleRows<3>& array) : points_(array.shape(0)) {
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
struct Asked {
  double max_distance;
  int threads;
  nb::object progress;
  TraversalStatistics* statistics;
};

template <typename Options, typename Ask>
auto Batch(const QueryPoints& points, const Asked& asked, Options options,
           const Ask& ask) {
  return ValueOf(Run(
      {.progress = asked.progress, .watched = points.size() > kWatchedQueries},
      [&](Control& control) {
        options.max_distance = asked.max_distance;
        options.statistics = asked.statistics;
        options.threads = asked.threads;
        control.Steer(options);
        return ask(options);
      }));
}

nb::object Found(const std::vector<std::optional<SurfacePoint>>& found) {
  Column<double> distances(found.size());
  Column<int64_t> faces(found.size());
  Column<double> points(3 * found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const std::optional<SurfacePoint>& hit = found[i];
    distances[i] = hit ? hit->distance : kInfinity;
    faces[i] = hit ? static_cast<int64_t>(hit->triangle) : -1;
    Put(points, i, hit ? hit->point : Vec3{kNan, kNan, kNan});
  }
  return nb::make_tuple(Numpy(std::move(distances)), Numpy(std::move(faces)),
                        Numpy(std::move(points), 3));
}

nb::object Closest(const Tree& tree, const DoubleRows<3>& array,
                   double max_distance, int threads, const nb::object& progress,
                   TraversalStatistics* statistics) {
  const QueryPoints points(array);
  return Found(Batch(points, {max_distance, threads, progress, statistics},
                     QueryOptions(), [&](const QueryOptions& options) {
                       return ClosestPoint(tree, points.span(), options);
                     }));
}

// One point: some microseconds, so the lock stays.
nb::object ClosestOne(const Tree& tree, double x, double y, double z,
                      double max_distance, TraversalStatistics* statistics) {
  if (!(max_distance >= 0)) {
    throw nb::value_error("max_distance: must not be negative or NaN");
  }
  const double p[3] = {x, y, z};
  CheckFinite(p, 3, "points");
  const auto hit =
      ClosestPoint(tree, {x, y, z},
                   {.max_distance = max_distance, .statistics = statistics});
  Column<double> point(3);
  Put(point, 0, hit ? hit->point : Vec3{kNan, kNan, kNan});
  return nb::make_tuple(hit ? hit->distance : kInfinity,
                        hit ? static_cast<int64_t>(hit->triangle) : -1,
                        Numpy(std::move(point)));
}

nb::object Nearest(const Tree& tree, const DoubleRows<3>& array, size_t k,
                   double max_distance, int threads, const nb::object& progress,
                   TraversalStatistics* statistics) {
  const QueryPoints points(array);
  const Lists<SurfacePoint> lists =
      Batch(points, {max_distance, threads, progress, statistics},
            QueryOptions(), [&](const QueryOptions& options) {
              return KNearest(tree, points.span(), k, options);
            });
  const size_t n = lists.values.size();
  Column<double> distances(n);
  Column<int64_t> faces(n);
  Column<double> places(3 * n);
  for (size_t i = 0; i < n; ++i) {
    distances[i] = lists.values[i].distance;
    faces[i] = lists.values[i].triangle;
    Put(places, i, lists.values[i].point);
  }
  return nb::make_tuple(Numpy(Offsets(lists)), Numpy(std::move(distances)),
                        Numpy(std::move(faces)), Numpy(std::move(places), 3));
}

nb::object Inside(const Tree& tree, const DoubleRows<3>& array, int threads,
                  const nb::object& progress, TraversalStatistics* statistics) {
  const QueryPoints points(array);
  return NumpyBools(Batch(points, {kInfinity, threads, progress, statistics},
                          QueryOptions(), [&](const QueryOptions& options) {
                            return IsInside(tree, points.span(), options);
                          }));
}

nb::object SignedDistance(const SignedDistanceField& field,
                          const DoubleRows<3>& array, double max_distance,
                          int threads, const nb::object& progress,
                          TraversalStatistics* statistics) {
  const QueryPoints points(array);
  std::vector<double> all =
      Batch(points, {max_distance, threads, progress, statistics},
            QueryOptions(), [&](const QueryOptions& options) {
              return field.Distance(points.span(), options);
            });
  Column<double> distances(all.size());
  std::copy(all.begin(), all.end(), distances.data());
  return Numpy(std::move(distances));
}

nb::object SignedClosest(const SignedDistanceField& field,
                         const DoubleRows<3>& array, double max_distance,
                         int threads, const nb::object& progress,
                         TraversalStatistics* statistics) {
  const QueryPoints points(array);
  return Found(Batch(points, {max_distance, threads, progress, statistics},
                     QueryOptions(), [&](const QueryOptions& options) {
                       return field.ClosestPoint(points.span(), options);
                     }));
}

nb::object Winding(const WindingNumberField& field, const DoubleRows<3>& array,
                   double max_error, int threads, const nb::object& progress,
                   TraversalStatistics* statistics) {
  const QueryPoints points(array);
  const std::vector<double> all =
      Batch(points, {kInfinity, threads, progress, statistics},
            WindingOptions{.max_error = max_error},
            [&](const WindingOptions& options) {
              return field.At(points.span(), options);
            });
  Column<double> numbers(all.size());
  std::copy(all.begin(), all.end(), numbers.data());
  return Numpy(std::move(numbers));
}

nb::object InsideByWinding(const WindingNumberField& field,
                           const DoubleRows<3>& array, int threads,
                           const nb::object& progress,
                           TraversalStatistics* statistics) {
  const QueryPoints points(array);
  return NumpyBools(Batch(points, {kInfinity, threads, progress, statistics},
                          QueryOptions(), [&](const QueryOptions& options) {
                            return field.IsInside(points.span(), options);
                          }));
}

}  // namespace

void BindPoints(nb::module_& m) {
  const auto statistics = nb::arg("statistics").none();
  m.def("closest", Closest, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("closest_one", ClosestOne, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), statistics);
  m.def("nearest", Nearest, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none(), statistics);
  m.def("inside", Inside, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
        statistics);
  nb::class_<SignedDistanceField>(m, "SignedDistanceField");
  m.def("signed_distance_field", [](const Tree& tree) {
    return ValueOf(
        Run({.progress = nb::none(), .watched = false},
            [&](Control&) { return SignedDistanceField::Create(tree); }));
  });
  m.def("signed_distance", SignedDistance, nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none(), statistics);
  m.def("signed_closest", SignedClosest, nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none(), statistics);
  nb::class_<WindingNumberField>(m, "WindingNumberField");
  m.def("winding_number_field", WindingNumberField::Of,
        nb::call_guard<nb::gil_scoped_release>());
  m.def("winding_number", Winding, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("inside_by_winding", InsideByWinding, nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
}

}  // namespace orbox::python
