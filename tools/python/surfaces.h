// SPDX-License-Identifier: Apache-2.0

// How close the bounds of a Hausdorff distance are to be, as Python says it.
#ifndef ORBOX_TOOLS_PYTHON_SURFACES_H_
#define ORBOX_TOOLS_PYTHON_SURFACES_H_

#include "orbox/bvh/query/hausdorff.h"

namespace orbox::python {

// A negative tolerance stands for none.
inline HausdorffOptions OptionsOf(double tolerance, double relative_tolerance) {
  HausdorffOptions options{.relative_tolerance = relative_tolerance};
  if (!(tolerance < 0)) options.tolerance = tolerance;
  return options;
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_SURFACES_H_
