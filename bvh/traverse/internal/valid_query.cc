// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/valid_query.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"

namespace orbox {

void EndInvalid(const absl::Status& status) {
  std::fputs(absl::StrCat("orbox: ", status.message(), "\n").c_str(), stderr);
  std::abort();
}

absl::Status NotADistance(const char* name, double distance) {
  return absl::InvalidArgumentError(absl::StrCat(
      name, " is ", distance, "; give a distance of 0 or more, or infinity"));
}

absl::Status NotAPoint(const char* name, const Vec3& p) {
  return absl::InvalidArgumentError(absl::StrCat("the ", name, " is (", p.x,
                                                 ", ", p.y, ", ", p.z,
                                                 "); give finite coordinates"));
}

}  // namespace orbox
