// SPDX-License-Identifier: Apache-2.0

#include "tools/python/plain.h"

#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "tools/python/bind.h"

namespace orbox::python {

namespace {

// Names and types of numpy that the Python layer passes when it is imported.
// Kept until the interpreter ends. Until they are set, no array counts as
// plain.
struct NumpyNames {
  PyObject* array_type = nullptr;
  PyObject* dtype = nullptr;
  PyObject* dtype_name = nullptr;
  PyObject* tolist_name = nullptr;
};
NumpyNames known;

void KnowNumpy(nb::type_object array_type, nb::object dtype) {
  known = {.array_type = array_type.release().ptr(),
           .dtype = dtype.release().ptr(),
           .dtype_name = PyUnicode_InternFromString("dtype"),
           .tolist_name = PyUnicode_InternFromString("tolist")};
}

bool IsArray(PyObject* object) {
  return known.array_type != nullptr &&
         PyObject_TypeCheck(object,
                            reinterpret_cast<PyTypeObject*>(known.array_type));
}

// Returns a copy of an array of three rows of three doubles, or null for any
// other array. No other thread writes to the copy.
nb::object ThreeRows(PyObject* array) {
  nb::object rows;
  if (PyObject_Size(array) == 3) {  // -1 for an array without dimensions
    const nb::object dtype =
        nb::steal(PyObject_GetAttr(array, known.dtype_name));
    if (dtype.ptr() == known.dtype) {
      rows = nb::steal(
          PyObject_CallMethodObjArgs(array, known.tolist_name, nullptr));
    }
  }
  if (!rows.is_valid()) PyErr_Clear();
  return rows;
}

bool ReadNumber(PyObject* from, double* to) {
  if (PyFloat_Check(from)) {
    *to = PyFloat_AsDouble(from);
    return true;
  }
  if (!PyLong_Check(from)) return false;
  *to = PyLong_AsDouble(from);
  if (*to != -1 || PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();  // the integer is too large
  return false;
}

// Reads a number, or three items of a third of the width each.
bool ReadItems(PyObject* from, double* to, size_t width) {
  if (width == 1) return ReadNumber(from, to) && std::isfinite(*to);
  const bool is_list = PyList_Check(from);
  if (!is_list && !PyTuple_Check(from)) return false;
  if ((is_list ? PyList_Size(from) : PyTuple_Size(from)) != 3) return false;
  for (Py_ssize_t i = 0; i < 3; ++i) {
    PyObject* item =
        is_list ? PyList_GetItem(from, i) : PyTuple_GetItem(from, i);
    if (item == nullptr || !ReadItems(item, to, width / 3)) return false;
    to += width / 3;
  }
  return true;
}

using Rectangle =
    nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Joins arrays horizontally into an array with `count` rows, and checks that
// all numbers are finite. Each array has `count` rows, or one row that is
// repeated.
Answer SideBySide(const std::vector<Rectangle>& parts, size_t count) {
  size_t width = 0;
  for (const Rectangle& part : parts) {
    if (part.shape(0) != count && part.shape(0) != 1) {
      throw nb::value_error("arrays have different numbers of rows");
    }
    width += part.shape(1);
  }
  Column<double> whole(count * width);
  bool finite = true;
  double* column = whole.data();
  for (const Rectangle& part : parts) {
    const size_t columns = part.shape(1);
    const size_t step = part.shape(0) == count ? columns : 0;
    const char* from = reinterpret_cast<const char*>(part.data());
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < columns; ++k) {
        double x;  // the array may not be aligned
        std::memcpy(&x, from + k * sizeof(double), sizeof(double));
        column[i * width + k] = x;
        finite &= std::isfinite(x);
      }
      from += step * sizeof(double);
    }
    column += columns;
  }
  return nb::make_tuple(Numpy(std::move(whole), width), finite);
}

}  // namespace

bool ReadPlain(nb::handle from, double* to, size_t width) {
  if (width == 1 || !IsArray(from.ptr())) {
    return ReadItems(from.ptr(), to, width);
  }
  const nb::object rows = ThreeRows(from.ptr());
  return rows.is_valid() && ReadItems(rows.ptr(), to, width);
}

std::optional<double> PlainLimit(nb::handle from) {
  double limit = 0;
  if (!ReadNumber(from.ptr(), &limit) || !(limit >= 0)) return std::nullopt;
  return limit;
}

std::optional<size_t> PlainCount(nb::handle from) {
  if (!PyLong_Check(from.ptr())) return std::nullopt;
  const long long count = PyLong_AsLongLong(from.ptr());
  if (count == -1) PyErr_Clear();
  if (count < 0 || count > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<size_t>(count);
}

void BindPlain(nb::module_& m) {
  m.def("know_numpy", KnowNumpy);
  m.def("side_by_side", SideBySide);
}

}  // namespace orbox::python
