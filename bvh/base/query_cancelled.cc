// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/query_cancelled.h"

namespace orbox {

QueryCancelled::~QueryCancelled() = default;

const char* QueryCancelled::what() const noexcept {
  return "the query was cancelled by its caller";
}

}  // namespace orbox
