// SPDX-License-Identifier: Apache-2.0

// Binds queries of one mesh. A query is a row: a name, the types of the query
// and of its limits, and a function for batches and single queries of trees
// and of chunked trees.
//
//   BindQuery<Ray, Trees, double>(
//       m, "ray_first",
//       [](const auto& tree, const auto& rays, double max_t, auto options) {
//         options.max_distance = max_t;
//         return ClosestHit(tree, rays, options);
//       });
//
// The module has ray_first(tree, rows, max_t, run) for batches, whose rows are
// the numbers of the queries, and ray_first_one(tree, parts, (max_t,)) for
// single queries of plain arguments (plain.h), which returns None for others.
#ifndef ORBOX_TOOLS_PYTHON_QUERIES_H_
#define ORBOX_TOOLS_PYTHON_QUERIES_H_

#include <nanobind/nanobind.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/python/arrays.h"
#include "tools/python/calls.h"
#include "tools/python/chunked.h"
#include "tools/python/columns.h"
#include "tools/python/plain.h"

namespace orbox::python {

// Types of the target of a query, in memory and in chunks.
template <typename Memory, typename Chunks>
struct Targets {};
using Trees = Targets<PosedTree, ChunkedTree>;

// The queries of a batch, all finite. The numbers of a row are those of the
// members.
template <typename Query>
class QueryRows {
 public:
  using Array = DoubleRows<ArrayRows<Query>::kWidth>;

  explicit QueryRows(const Array& array) : rows_(array) {}
  std::span<const Query> span() const { return rows_.span(); }

 private:
  ArrayRows<Query> rows_;
};

// Copies the points, because a query reads them repeatedly, and another Python
// thread may write to the array meanwhile. The Python layer makes the rows of
// other queries, which no other thread has.
template <>
class QueryRows<Vec3> {
 public:
  using Array = DoubleRows<3>;

  explicit QueryRows(const Array& array) : points_(array.shape(0)) {
    if (points_.empty()) return;  // an empty array may be null
    std::memcpy(static_cast<void*>(points_.data()), array.data(),
                points_.size() * sizeof(Vec3));
    CheckFinite(
        {reinterpret_cast<const double*>(points_.data()), 3 * points_.size()},
        3, "points");
  }
  std::span<const Vec3> span() const { return points_; }

 private:
  std::vector<Vec3> points_;
};

// Returns the result of a batch.
inline Answer ManyOf(const std::vector<uint8_t>& v) { return NumpyBools(v); }
inline Answer ManyOf(const std::vector<size_t>& v) { return NumpyCounts(v); }
inline Answer ManyOf(const std::vector<double>& v) { return NumpyDoubles(v); }
inline Answer ManyOf(const std::vector<int64_t>& v) {
  Column<int64_t> column(v.size());
  std::copy(v.begin(), v.end(), column.data());
  return Numpy(std::move(column));
}
template <typename Row>
Answer ManyOf(const std::vector<Row>& rows) {
  return NumpyColumns(rows);
}
template <typename Row>
Answer ManyOf(const Lists<Row>& lists) {
  return NumpyLists(lists);
}

// Returns the result of a single query.
template <std::same_as<bool> Value>
Answer OneOf(Value value) {
  return nb::bool_(value);
}
inline Answer OneOf(size_t count) { return nb::int_(count); }
inline Answer OneOf(double number) { return nb::float_(number); }
template <typename Row>
Answer OneOf(const std::optional<Row>& row) {
  return NumpyRowOrMissing(row);
}
template <typename Row>
Answer OneOf(const std::vector<Row>& list) {
  return NumpyList(list);
}

// Single queries whose results these are may take long. Others take some
// microseconds and keep the lock.
template <typename Result>
inline constexpr bool kMayTakeLong = std::same_as<Result, size_t>;
template <typename Row>
inline constexpr bool kMayTakeLong<std::vector<Row>> = true;

// Reads a plain limit of a single query: a length, a count or a flag.
template <typename Limit>
std::optional<Limit> PlainLimitOf(nb::handle from) {
  if constexpr (std::same_as<Limit, bool>) return nb::cast<bool>(from);
  if constexpr (std::same_as<Limit, size_t>) return PlainCount(from);
  if constexpr (std::same_as<Limit, double>) return PlainLimit(from);
}

template <typename... Limits, size_t... I>
std::tuple<std::optional<Limits>...> PlainLimits(
    const nb::tuple& from, std::index_sequence<I...> /*limits*/) {
  return {PlainLimitOf<Limits>(from[I])...};
}

// Binds batches of one target. `call(target, queries, limits..., options)`
// returns the results or a status.
template <typename Query, typename Target, typename... Limits, typename Call>
void BindBatch(nb::module_& m, const std::string& name, Call call) {
  m.def(name.c_str(),
        [call](const Target& target,
               const typename QueryRows<Query>::Array& array, Limits... limits,
               const CallOptions& run) -> Answer {
          const QueryRows<Query> batch(array);
          return ManyOf(RunBatch<Target>(
              run, batch.span().size(), QueryOptions(),
              [&](const QueryOptions& options) {
                return call(target, batch.span(), limits..., options);
              }));
        });
}

// Binds single queries of one target, whose results are values.
template <typename Query, typename Target, typename... Limits, typename Call>
void BindSingle(nb::module_& m, const std::string& name, Call call) {
  m.def(name.c_str(),
        [call](const Target& target, const nb::tuple& parts,
               const nb::tuple& limits) -> Answer {
          if (limits.size() != sizeof...(Limits)) return nb::none();
          const auto read = PlainLimits<Limits...>(
              limits, std::index_sequence_for<Limits...>());
          return std::apply(
              [&](const auto&... limit) -> Answer {
                if (!(limit.has_value() && ...)) return nb::none();
                const std::optional<Query> query = PlainQuery<Query>(parts);
                if (!query) return nb::none();
                const auto find = [&] {
                  return call(target, *query, *limit..., QueryOptions());
                };
                if constexpr (kMayTakeLong<decltype(find())>) {
                  return OneOf(Unlocked(find));
                } else {
                  return OneOf(find());
                }
              },
              read);
        });
}

// Binds batches of both targets, and single queries of trees. Chunked trees
// have no single queries.
template <typename Query, typename, typename... Limits>
struct QueryBinder;
template <typename Query, typename Memory, typename Chunks, typename... Limits>
struct QueryBinder<Query, Targets<Memory, Chunks>, Limits...> {
  template <typename Call>
  static void Bind(nb::module_& m, const std::string& name, Call call) {
    BindBatch<Query, Memory, Limits...>(m, name, call);
    BindBatch<Query, Chunks, Limits...>(m, name, call);
    BindSingle<Query, Memory, Limits...>(m, name + "_one", call);
    m.def((name + "_one").c_str(),
          [](const Chunks&, const nb::tuple&, const nb::tuple&) -> Answer {
            return nb::none();
          });
  }
};
template <typename Query, typename Of, typename... Limits, typename Call>
void BindQuery(nb::module_& m, const std::string& name, Call call) {
  QueryBinder<Query, Of, Limits...>::Bind(m, name, call);
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_QUERIES_H_
