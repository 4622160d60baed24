// SPDX-License-Identifier: Apache-2.0

// What a visitor of results answers.
#ifndef ORBOX_BVH_QUERY_VISIT_H_
#define ORBOX_BVH_QUERY_VISIT_H_

#include "orbox/overlap/base/language.h"

namespace orbox {

enum class Visit {
  kContinue,  // go on to the next result
  kStop,      // enough: the query returns
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_VISIT_H_
