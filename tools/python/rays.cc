// SPDX-License-Identifier: Apache-2.0

// What rays, and balls that move, hit.
#include <nanobind/nanobind.h>

#include <optional>
#include <tuple>
#include <vector>

#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/sweep_hit.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <>
struct FieldsOf<RayHit> {
  static auto Of(const RayHit& h) {
    return std::tuple(h.t, int64_t{h.triangle}, h.barycentric, h.point);
  }
};
template <>
struct FieldsOf<SweepHit> {
  static auto Of(const SweepHit& h) {
    return std::tuple(h.earliest, h.latest, int64_t{h.triangle}, h.point);
  }
};

namespace {

template <typename Query>
using QueryRows = DoubleRows<Rows<Query>::kWidth>;

// What every batch asks in the same way: of rays, and of balls that move.
template <typename Query, typename Question>
auto Batch(const QueryRows<Query>& array, double max_t, const Asked& asked,
           const Question& ask) {
  const Rows<Query> queries(array);
  return ValueOf(Ask(asked, queries.size() > kWatchedQueries,
                     QueryOptions{.max_distance = max_t},
                     [&](const QueryOptions& options) {
                       return ask(queries.span(), options);
                     }));
}

template <typename Query>
Answer First(const Tree& tree, const QueryRows<Query>& a, double max_t,
             const Asked& asked) {
  return NumpyColumns(Batch<Query>(
      a, max_t, asked, [&](std::span<const Query> all, const auto& options) {
        return ClosestHit(tree, all, options);
      }));
}

template <typename Query>
Answer Any(const Tree& tree, const QueryRows<Query>& a, double max_t,
           const Asked& asked) {
  return NumpyBools(Batch<Query>(
      a, max_t, asked, [&](std::span<const Query> all, const auto& options) {
        return AnyHit(tree, all, options);
      }));
}

template <typename Query>
Answer Count(const Tree& tree, const QueryRows<Query>& a, double max_t,
             const Asked& asked) {
  return NumpyCounts(Batch<Query>(
      a, max_t, asked, [&](std::span<const Query> all, const auto& options) {
        return CountHits(tree, all, options);
      }));
}

template <typename Query>
Answer All(const Tree& tree, const QueryRows<Query>& a, double max_t,
           const Asked& asked) {
  return NumpyLists(Batch<Query>(
      a, max_t, asked, [&](std::span<const Query> all, const auto& options) {
        return AllHits(tree, all, options);
      }));
}

}  // namespace

void BindRays(nb::module_& m) {
  m.def("ray_first", First<Ray>);
  m.def("ray_any", Any<Ray>);
  m.def("ray_count", Count<Ray>);
  m.def("ray_all", All<Ray>);
  m.def("sweep_first", First<SweptSphere>);
  m.def("sweep_any", Any<SweptSphere>);
  m.def("sweep_count", Count<SweptSphere>);
  m.def("sweep_all", All<SweptSphere>);
}

}  // namespace orbox::python
