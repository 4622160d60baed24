// SPDX-License-Identifier: Apache-2.0

// Converts results to numpy arrays, one for each field.
//
//   template <>
//   struct FieldsOf<SurfacePoint> {            // once for each kind of answer
//     static auto Of(const SurfacePoint& p) {
//       return std::tuple(p.distance, int64_t{p.triangle}, p.point);
//     }
//   };
//   return NumpyColumns(found);   // a vector, of optional rows where some miss
//   return NumpyLists(lists);     // (offsets, columns)
//   return NumpyRow(point);       // one: numbers, tuples, arrays of shape (3,)
//   return NumpyList(list);       // (offsets, columns), of one list
//
// A missing row is inf for a number, -1 for an index and NaN for a point. A
// result with one field is an array. A result with several fields is a tuple of
// arrays.
#ifndef ORBOX_TOOLS_PYTHON_COLUMNS_H_
#define ORBOX_TOOLS_PYTHON_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/python/arrays.h"

namespace orbox::python {

template <typename Row>
struct FieldsOf;

template <>
struct FieldsOf<uint32_t> {  // ids of triangles and bodies
  static auto Of(uint32_t id) { return std::tuple(int64_t{id}); }
};
template <>
struct FieldsOf<Vec3> {
  static auto Of(const Vec3& point) { return std::tuple(point); }
};
template <typename Id>
struct FieldsOf<BasicTrianglePair<Id>> {
  static auto Of(const BasicTrianglePair<Id>& pair) { return std::tuple(pair); }
};
template <>
struct FieldsOf<BodyPair> {
  static auto Of(const BodyPair& p) {
    return std::tuple(TrianglePair{p.a, p.b});
  }
};
template <typename Id>
struct FieldsOf<BasicPairDistance<Id>> {
  static auto Of(const BasicPairDistance<Id>& p) {
    return std::tuple(p.triangles, p.distance);
  }
};
template <typename Id>
struct FieldsOf<BasicWitness<Id>> {
  static auto Of(const BasicWitness<Id>& w) {
    return std::tuple(w.distance, w.triangles, w.on_a, w.on_b);
  }
};
template <typename Id>
struct FieldsOf<BasicSurfacePoint<Id>> {
  static auto Of(const BasicSurfacePoint<Id>& p) {
    return std::tuple(p.distance, static_cast<int64_t>(p.triangle), p.point);
  }
};

// Layout of a field in its array: kWidth elements per row.
template <typename Field>
struct ColumnLayout;

template <>
struct ColumnLayout<double> {
  using Element = double;
  static constexpr size_t kWidth = 1;
  static constexpr double kMissing = std::numeric_limits<double>::infinity();
  static void Put(double* at, double value) { *at = value; }
  static nb::object Alone(double value) { return nb::cast(value); }
  static nb::object AloneMissing() { return Alone(kMissing); }
};
template <>
struct ColumnLayout<int64_t> {
  using Element = int64_t;
  static constexpr size_t kWidth = 1;
  static constexpr int64_t kMissing = -1;
  static void Put(int64_t* at, int64_t value) { *at = value; }
  static nb::object Alone(int64_t value) { return nb::cast(value); }
  static nb::object AloneMissing() { return Alone(kMissing); }
};
template <typename Pair>
struct PairLayout {
  using Element = int64_t;
  static constexpr size_t kWidth = 2;
  static constexpr int64_t kMissing = -1;
  static void Put(int64_t* at, const Pair& pair) {
    at[0] = static_cast<int64_t>(pair.a);
    at[1] = static_cast<int64_t>(pair.b);
  }
  static nb::object Alone(const Pair& pair) {
    return nb::make_tuple(pair.a, pair.b);
  }
  static nb::object AloneMissing() {
    return nb::make_tuple(kMissing, kMissing);
  }
};
template <typename Id>
struct ColumnLayout<BasicTrianglePair<Id>> : PairLayout<BasicTrianglePair<Id>> {
};
template <>
struct ColumnLayout<Vec3> {
  using Element = double;
  static constexpr size_t kWidth = 3;
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  static void Put(double* at, const Vec3& v) {
    at[0] = v.x;
    at[1] = v.y;
    at[2] = v.z;
  }
  static nb::object Alone(const Vec3& v) {
    Column<double> point(3);
    Put(point.data(), v);
    return Numpy(std::move(point));
  }
  static nb::object AloneMissing() {
    return Alone({kMissing, kMissing, kMissing});
  }
};

template <typename Row>
class ColumnArrays {
 public:
  explicit ColumnArrays(size_t rows) : ColumnArrays(rows, Indices()) {}

  void Set(size_t i, const Row& row) {
    Set(i, FieldsOf<Row>::Of(row), Indices());
  }
  void SetMissing(size_t i) { SetMissing(i, Indices()); }
  Answer Finish() && { return std::move(*this).Finish(Indices()); }

 private:
  using Fields = decltype(FieldsOf<Row>::Of(std::declval<const Row&>()));
  static constexpr size_t kFields = std::tuple_size_v<Fields>;
  using Indices = std::make_index_sequence<kFields>;
  template <size_t I>
  using LayoutAt = ColumnLayout<std::tuple_element_t<I, Fields>>;

  template <typename>
  struct Storage;
  template <size_t... I>
  struct Storage<std::index_sequence<I...>> {
    using type = std::tuple<Column<typename LayoutAt<I>::Element>...>;
  };

  template <size_t... I>
  ColumnArrays(size_t rows, std::index_sequence<I...> /*fields*/)
      : columns_(Column<typename LayoutAt<I>::Element>(LayoutAt<I>::kWidth *
                                                       rows)...) {}

  template <size_t... I>
  void Set(size_t i, const Fields& fields,
           std::index_sequence<I...> /*fields*/) {
    (LayoutAt<I>::Put(std::get<I>(columns_).data() + LayoutAt<I>::kWidth * i,
                      std::get<I>(fields)),
     ...);
  }

  template <size_t I>
  void SetFieldMissing(size_t i) {
    for (size_t k = 0; k < LayoutAt<I>::kWidth; ++k) {
      std::get<I>(columns_)[LayoutAt<I>::kWidth * i + k] =
          LayoutAt<I>::kMissing;
    }
  }
  template <size_t... I>
  void SetMissing(size_t i, std::index_sequence<I...> /*fields*/) {
    (SetFieldMissing<I>(i), ...);
  }

  template <size_t I>
  Answer FinishField() {
    constexpr size_t kWidth = LayoutAt<I>::kWidth;
    return Numpy(std::move(std::get<I>(columns_)), kWidth == 1 ? 0 : kWidth);
  }
  template <size_t... I>
  Answer Finish(std::index_sequence<I...> /*fields*/) && {
    if constexpr (kFields == 1) {
      return FinishField<0>();
    } else {
      return nb::make_tuple(FinishField<I>()...);
    }
  }

  typename Storage<Indices>::type columns_;
};

template <typename Row>
Answer NumpyColumns(std::span<const Row> rows) {
  ColumnArrays<Row> columns(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) columns.Set(i, rows[i]);
  return std::move(columns).Finish();
}
template <typename Row>
Answer NumpyColumns(const std::vector<Row>& rows) {
  return NumpyColumns(std::span<const Row>(rows));
}
template <typename Row>
Answer NumpyColumns(const std::vector<std::optional<Row>>& rows) {
  ColumnArrays<Row> columns(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) {
      columns.Set(i, *rows[i]);
    } else {
      columns.SetMissing(i);
    }
  }
  return std::move(columns).Finish();
}

template <typename Row>
Answer NumpyLists(const Lists<Row>& lists) {
  Column<int64_t> offsets(lists.offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    offsets[i] = static_cast<int64_t>(lists.offsets[i]);
  }
  return nb::make_tuple(Numpy(std::move(offsets)), NumpyColumns(lists.values));
}

// Returns (offsets, columns) for a single list, like NumpyLists for several.
template <typename Row>
Answer NumpyList(const std::vector<Row>& list) {
  Column<int64_t> offsets(2);
  offsets[0] = 0;
  offsets[1] = static_cast<int64_t>(list.size());
  return nb::make_tuple(Numpy(std::move(offsets)), NumpyColumns(list));
}

template <typename Row>
Answer NumpyRow(const Row& row) {
  return std::apply(
      [](const auto&... fields) {
        return nb::make_tuple(
            ColumnLayout<std::remove_cvref_t<decltype(fields)>>::Alone(
                fields)...);
      },
      FieldsOf<Row>::Of(row));
}

// Returns None if there is no row.
template <typename Row>
Answer NumpyRow(const std::optional<Row>& row) {
  if (!row) return nb::none();
  return NumpyRow(*row);
}

// Returns a missing row, as in batches, if there is no row.
template <typename Row>
Answer NumpyRowOrMissing(const std::optional<Row>& row) {
  if (row) return NumpyRow(*row);
  using Fields = decltype(FieldsOf<Row>::Of(*row));
  return []<size_t... I>(std::index_sequence<I...> /*fields*/) {
    return nb::make_tuple(
        ColumnLayout<std::tuple_element_t<I, Fields>>::AloneMissing()...);
  }
  (std::make_index_sequence<std::tuple_size_v<Fields>>());
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_COLUMNS_H_
