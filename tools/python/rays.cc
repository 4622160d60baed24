// SPDX-License-Identifier: Apache-2.0

// What rays, and balls that move, hit.
#include <nanobind/nanobind.h>

#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/sweep_hit.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"

namespace orbox::python {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What every batch asks in the same way: of rays, and of balls that move.
template <typename Query, typename Ask>
auto Batch(const Rows<Query>& queries, double max_distance, int threads,
           const nb::object& progress, TraversalStatistics* statistics,
           const Ask& ask) {
  return ValueOf(
      Run({.progress = progress, .watched = queries.size() > kWatchedQueries},
          [&](Control& control) {
            QueryOptions options{.max_distance = max_distance,
                                 .statistics = statistics,
                                 .threads = threads};
            control.Steer(options);
            return ask(queries.span(), options);
          }));
}

// The hits of rays as columns: t, face, barycentric, point.
class RayColumns {
 public:
  explicit RayColumns(size_t n)
      : t_(n), face_(n), weights_(3 * n), points_(3 * n) {}

  void Set(size_t i, const RayHit& hit) {
    t_[i] = hit.t;
    face_[i] = hit.triangle;
    Put(weights_, i, hit.barycentric);
    Put(points_, i, hit.point);
  }
  void SetMiss(size_t i) {
    t_[i] = kInfinity;
    face_[i] = -1;
    Put(weights_, i, {kNan, kNan, kNan});
    Put(points_, i, {kNan, kNan, kNan});
  }
  nb::tuple Finish() && {
    return nb::make_tuple(Numpy(std::move(t_)), Numpy(std::move(face_)),
                          Numpy(std::move(weights_), 3),
                          Numpy(std::move(points_), 3));
  }

 private:
  Column<double> t_;
  Column<int64_t> face_;
  Column<double> weights_;
  Column<double> points_;
};

// The hits of balls as columns: earliest, latest, face, point.
class SweepColumns {
 public:
  explicit SweepColumns(size_t n)
      : earliest_(n), latest_(n), face_(n), points_(3 * n) {}

  void Set(size_t i, const SweepHit& hit) {
    earliest_[i] = hit.earliest;
    latest_[i] = hit.latest;
    face_[i] = hit.triangle;
    Put(points_, i, hit.point);
  }
  void SetMiss(size_t i) {
    earliest_[i] = latest_[i] = kInfinity;
    face_[i] = -1;
    Put(points_, i, {kNan, kNan, kNan});
  }
  nb::tuple Finish() && {
    return nb::make_tuple(Numpy(std::move(earliest_)),
                          Numpy(std::move(latest_)), Numpy(std::move(face_)),
                          Numpy(std::move(points_), 3));
  }

 private:
  Column<double> earliest_;
  Column<double> latest_;
  Column<int64_t> face_;
  Column<double> points_;
};

template <typename Query>
struct ColumnsOf;
template <>
struct ColumnsOf<Ray> {
  using type = RayColumns;
};
template <>
struct ColumnsOf<SweptSphere> {
  using type = SweepColumns;
};

template <typename Query>
nb::object First(const Tree& tree, const DoubleRows<Rows<Query>::kWidth>& a,
                 double max_t, int threads, const nb::object& progress,
                 TraversalStatistics* statistics) {
  const Rows<Query> rows(a);
  const auto found =
      Batch(rows, max_t, threads, progress, statistics,
            [&](std::span<const Query> queries, const QueryOptions& options) {
              return ClosestHit(tree, queries, options);
            });
  typename ColumnsOf<Query>::type columns(found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i]) {
      columns.Set(i, *found[i]);
    } else {
      columns.SetMiss(i);
    }
  }
  return std::move(columns).Finish();
}

template <typename Query>
nb::object Any(const Tree& tree, const DoubleRows<Rows<Query>::kWidth>& a,
               double max_t, int threads, const nb::object& progress,
               TraversalStatistics* statistics) {
  const Rows<Query> rows(a);
  return NumpyBools(
      Batch(rows, max_t, threads, progress, statistics,
            [&](std::span<const Query> queries, const QueryOptions& options) {
              return AnyHit(tree, queries, options);
            }));
}

template <typename Query>
nb::object Count(const Tree& tree, const DoubleRows<Rows<Query>::kWidth>& a,
                 double max_t, int threads, const nb::object& progress,
                 TraversalStatistics* statistics) {
  const Rows<Query> rows(a);
  return NumpyCounts(
      Batch(rows, max_t, threads, progress, statistics,
            [&](std::span<const Query> queries, const QueryOptions& options) {
              return CountHits(tree, queries, options);
            }));
}

template <typename Query>
nb::object All(const Tree& tree, const DoubleRows<Rows<Query>::kWidth>& a,
               double max_t, int threads, const nb::object& progress,
               TraversalStatistics* statistics) {
  const Rows<Query> rows(a);
  const auto lists =
      Batch(rows, max_t, threads, progress, statistics,
            [&](std::span<const Query> queries, const QueryOptions& options) {
              return AllHits(tree, queries, options);
            });
  typename ColumnsOf<Query>::type columns(lists.values.size());
  for (size_t i = 0; i < lists.values.size(); ++i) {
    columns.Set(i, lists.values[i]);
  }
  return nb::make_tuple(Numpy(Offsets(lists)), std::move(columns).Finish());
}

}  // namespace

void BindRays(nb::module_& m) {
  const auto define = [&](const char* name, auto function) {
    m.def(name, function, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg("statistics").none());
  };
  define("ray_first", First<Ray>);
  define("ray_any", Any<Ray>);
  define("ray_count", Count<Ray>);
  define("ray_all", All<Ray>);
  define("sweep_first", First<SweptSphere>);
  define("sweep_any", Any<SweptSphere>);
  define("sweep_count", Count<SweptSphere>);
  define("sweep_all", All<SweptSphere>);
}

}  // namespace orbox::python
