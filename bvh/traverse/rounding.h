// From double to float without losing a certified bound. Private.
#ifndef ORBOX_BVH_TRAVERSE_ROUNDING_H_
#define ORBOX_BVH_TRAVERSE_ROUNDING_H_

#include <cmath>
#include <limits>

namespace orbox {

// The least float that is not below x; the greatest that is not above it. A NaN
// stays one.
inline float RoundUp(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x
             ? std::nextafter(f, std::numeric_limits<float>::infinity())
             : f;
}
inline float RoundDown(double x) { return -RoundUp(-x); }

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_ROUNDING_H_
