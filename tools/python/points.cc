// SPDX-License-Identifier: Apache-2.0

// Queries of points: closest, nearest, signed distances, inside, winding.
#include <nanobind/nanobind.h>

#include <cstring>
#include <optional>
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
#include "tools/python/plain.h"

namespace orbox::python {

namespace {

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

// Single points. They take some microseconds, so the lock stays.
Answer ClosestOne(const Tree& tree, const nb::tuple& parts, nb::handle limit) {
  return AskOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyRowOrMissing(ClosestPoint(tree, point, {.max_distance = most}));
  });
}

Answer NearestOne(const Tree& tree, const nb::tuple& parts, nb::handle k,
                  nb::handle limit) {
  const std::optional<size_t> count = PlainCount(k);
  if (!count) return nb::none();
  return AskOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyList(Unlocked(
        [&] { return KNearest(tree, point, *count, {.max_distance = most}); }));
  });
}

Answer InsideOne(const Tree& tree, const nb::tuple& parts) {
  const std::optional<Vec3> point = PlainQuery<Vec3>(parts);
  if (!point) return nb::none();
  return nb::bool_(IsInside(tree, *point));
}

Answer SignedDistanceOne(const SignedDistanceField& field,
                         const nb::tuple& parts, nb::handle limit) {
  return AskOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return nb::float_(field.Distance(point, {.max_distance = most}));
  });
}

Answer SignedClosestOne(const SignedDistanceField& field,
                        const nb::tuple& parts, nb::handle limit) {
  return AskOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyRowOrMissing(field.ClosestPoint(point, {.max_distance = most}));
  });
}

}  // namespace

void BindPoints(nb::module_& m) {
  m.def("closest", Closest);
  m.def("closest_one", ClosestOne, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  m.def("nearest", Nearest);
  m.def("nearest_one", NearestOne, nb::arg(), nb::arg(), nb::arg("k").none(),
        nb::arg("limit").none());
  m.def("inside", Inside);
  m.def("inside_one", InsideOne);
  nb::class_<SignedDistanceField>(m, "SignedDistanceField");
  m.def("signed_distance_field", [](const Tree& tree) {
    return ValueOf(
        Run({.progress = nb::none(), .watched = false},
            [&](Control&) { return SignedDistanceField::Create(tree); }));
  });
  m.def("signed_distance", SignedDistance);
  m.def("signed_closest", SignedClosest);
  m.def("signed_distance_one", SignedDistanceOne, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  m.def("signed_closest_one", SignedClosestOne, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  nb::class_<WindingNumberField>(m, "WindingNumberField");
  m.def("winding_number_field", WindingNumberField::Of,
        nb::call_guard<nb::gil_scoped_release>());
  m.def("winding_number", Winding);
  m.def("inside_by_winding", InsideByWinding);
}

}  // namespace orbox::python
