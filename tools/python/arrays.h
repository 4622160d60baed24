// SPDX-License-Identifier: Apache-2.0

// Arguments and results as numpy arrays, without numpy's headers.
//
//   Answer Lengths(const DoubleRows<3>& points) {
//     const ArrayRows<Vec3> rows(points);
//     Column<double> lengths(rows.size());
//     for (size_t i = 0; i < rows.size(); ++i) lengths[i] = Norm(rows[i]);
//     return Numpy(std::move(lengths));
//   }
//
// The Python layer passes arrays of contiguous doubles, which are read in
// place. A column is returned without a copy, because the array takes
// ownership.
#ifndef ORBOX_TOOLS_PYTHON_ARRAYS_H_
#define ORBOX_TOOLS_PYTHON_ARRAYS_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::python {

namespace nb = nanobind;

// Result of a function, in a form that the Python layer converts. Type checkers
// see it as Any.
class Answer : public nb::object {
 public:
  using nb::object::object;
  Answer(nb::object&& o)  // NOLINT(google-explicit-constructor)
      : nb::object(std::move(o)) {}
  static constexpr auto Name = nb::detail::const_name("typing.Any");
};

// An array of rows of kWidth doubles, and an array of rows of indices.
template <int kWidth>
using DoubleRows = nb::ndarray<const double, nb::shape<-1, kWidth>,
                               nb::c_contig, nb::device::cpu>;
template <int kWidth>
using IndexRows = nb::ndarray<const int64_t, nb::shape<-1, kWidth>,
                              nb::c_contig, nb::device::cpu>;

// The rows of an array as values of T. T has to consist of kWidth doubles in
// the order of the columns. The rows are copied only if the array is not
// aligned, such as a view into the middle of a file. A query that runs without
// the lock requires an array that no other thread can write to.
template <typename T>
class ArrayRows {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr int kWidth = sizeof(T) / sizeof(double);

  explicit ArrayRows(const DoubleRows<kWidth>& array)
      : ArrayRows(array.data(), array.shape(0)) {}
  ArrayRows(const double* data, size_t count) {
    static_assert(sizeof(T) == kWidth * sizeof(double));
    if (reinterpret_cast<uintptr_t>(data) % alignof(double) == 0) {
      rows_ = {reinterpret_cast<const T*>(data), count};
    } else {
      copy_.resize(count);
      std::memcpy(static_cast<void*>(copy_.data()), data, count * sizeof(T));
      rows_ = copy_;
    }
  }
  ArrayRows(const ArrayRows&) = delete;
  ArrayRows& operator=(const ArrayRows&) = delete;

  size_t size() const { return rows_.size(); }
  const T& operator[](size_t i) const { return rows_[i]; }
  std::span<const T> span() const { return rows_; }

 private:
  std::span<const T> rows_;
  std::vector<T> copy_;
};

// Uninitialized memory for an array that is returned.
template <typename T>
class Column {
 public:
  explicit Column(size_t size)
      : values_(std::make_unique_for_overwrite<T[]>(size)), size_(size) {}

  T& operator[](size_t i) { return values_[i]; }
  size_t size() const { return size_; }
  T* data() { return values_.get(); }
  T* Release() { return values_.release(); }

 private:
  std::unique_ptr<T[]> values_;
  size_t size_;
};

// Returns the column as an array of rows of `width`, or as a one-dimensional
// array if `width` is 0.
template <typename T>
Answer Numpy(Column<T> column, size_t width = 0) {
  const size_t size = column.size();
  T* values = column.Release();
  const nb::capsule owner(
      values, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  const size_t shape[2] = {width == 0 ? size : size / width, width};
  return nb::cast(nb::ndarray<nb::numpy, T>(
      values, width == 0 ? 1 : 2, static_cast<const size_t*>(shape), owner));
}

// Writes a point into a row of a column, like an array of shape (3,).
inline void Put(Column<double>& column, size_t row, const Vec3& v) {
  column[3 * row] = v.x;
  column[3 * row + 1] = v.y;
  column[3 * row + 2] = v.z;
}

inline Answer NumpyDoubles(std::span<const double> values) {
  Column<double> column(values.size());
  std::copy(values.begin(), values.end(), column.data());
  return Numpy(std::move(column));
}
// Returns values 0 and 1 as an array of numpy's bool.
inline Answer NumpyBools(const std::vector<uint8_t>& values) {
  Column<bool> bools(values.size());
  for (size_t i = 0; i < values.size(); ++i) bools[i] = values[i] != 0;
  return Numpy(std::move(bools));
}
inline Answer NumpyCounts(const std::vector<size_t>& values) {
  Column<int64_t> counts(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    counts[i] = static_cast<int64_t>(values[i]);
  }
  return Numpy(std::move(counts));
}
}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_ARRAYS_H_
