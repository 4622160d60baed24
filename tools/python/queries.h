// SPDX-License-Identifier: Apache-2.0

// Binds queries of one mesh. A query is a row: a name, the types of the query
// and of its limits, and a function for batches and single queries of trees
// and of chunked trees.
//
//   BindQuery<Vec3, Trees, double>(
//       m, "closest",
//       [](const auto& tree, const auto& points, double max_distance,
//          const auto&... options) {  // none for a single query
//         return ClosestPoint(tree, points, max_distance, options...);
//       });
//
// The module has closest(tree, rows, max_distance, run) for batches, whose rows
// are the numbers of the queries, and closest_one(tree, parts, (max_distance,))
// for single queries of plain arguments (plain.h), which returns None for
// others.
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
              run, batch.span().size(), OptionsOf<Target>(),
              [&](const OptionsOf<Target>& options) {
                return call(target, batch.span(), limits..., options);
              }));
        });
}

// Binds single queries of one target. `call(target, query, limits...)` returns
// the result.
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
                  return call(target, *query, *limit...);
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

// Binds to both targets.
template <typename Query, typename, typename... Limits>
struct QueryBinder;
template <typename Query, typename Memory, typename Chunks, typename... Limits>
struct QueryBinder<Query, Targets<Memory, Chunks>, Limits...> {
  template <typename Call>
  static void Batches(nb::module_& m, const std::string& name, Call call) {
    BindBatch<Query, Memory, Limits...>(m, name, call);
    BindBatch<Query, Chunks, Limits...>(m, name, call);
  }
  // Chunked trees have no single queries.
  template <typename Call>
  static void Singles(nb::module_& m, const std::string& name, Call call) {
    BindSingle<Query, Memory, Limits...>(m, name, call);
    m.def(name.c_str(),
          [](const Chunks&, const nb::tuple&, const nb::tuple&) -> Answer {
            return nb::none();
          });
  }
};

// Binds batches of both targets, and single queries of trees.
template <typename Query, typename Of, typename... Limits, typename Call>
void BindQuery(nb::module_& m, const std::string& name, Call call) {
  using Binder = QueryBinder<Query, Of, Limits...>;
  Binder::Batches(m, name, call);
  Binder::Singles(m, name + "_one", call);
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_QUERIES_H_
