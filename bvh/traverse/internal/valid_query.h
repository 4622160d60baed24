// SPDX-License-Identifier: Apache-2.0

// Checks of the arguments of queries. Private.
//
// A query that returns a status returns the status of the check. A query that
// returns a plain value ends the program with the message of the status, in
// every build, like absl::StatusOr::value. Any value that it returned could be
// mistaken for a result.
//
//   if (absl::Status s = CheckDistance("distance", d); !s.ok()) return s;
//   Require(CheckDistance("distance", d));
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_VALID_QUERY_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_VALID_QUERY_H_

#include "absl/status/status.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Writes the message of the status to stderr and ends the program.
[[noreturn]] ORBOX_EXPORT void EndInvalid(const absl::Status& status);

inline void Require(const absl::Status& status) {
  if (!status.ok()) EndInvalid(status);
}

// Returns kInvalidArgument, with the name of the argument, if it is negative or
// NaN.
inline absl::Status CheckDistance(const char* name, double distance);
// Returns kInvalidArgument, with the name of the argument, if it is not finite.
inline absl::Status CheckPoint(const char* name, const Vec3& p);

// Implementation.

ORBOX_EXPORT absl::Status NotADistance(const char* name, double distance);
ORBOX_EXPORT absl::Status NotAPoint(const char* name, const Vec3& p);

inline absl::Status CheckDistance(const char* name, double distance) {
  return distance >= 0 ? absl::OkStatus() : NotADistance(name, distance);
}
inline absl::Status CheckPoint(const char* name, const Vec3& p) {
  return IsFinite(p) ? absl::OkStatus() : NotAPoint(name, p);
}

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_VALID_QUERY_H_
