// SPDX-License-Identifier: Apache-2.0

// Return value of a visitor of results.
#ifndef ORBOX_BVH_QUERY_VISIT_H_
#define ORBOX_BVH_QUERY_VISIT_H_

#include "orbox/overlap/base/language.h"

namespace orbox {

enum class Visit {
  kContinue,  // continue with the next result
  kStop,      // the query returns
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_VISIT_H_
