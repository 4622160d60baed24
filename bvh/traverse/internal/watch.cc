// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/watch.h"

#include "orbox/bvh/base/query_cancelled.h"

namespace orbox {

void Watch::ThrowCancelled() { throw QueryCancelled(); }

void Pulse::Check() {
  left_ = kTurns;
  // Reading a clock takes longer than reading the flag.
  constexpr int kChecks = 8;
  if (watch_.progress != nullptr && ++checks_ % kChecks == 0 &&
      interval_.IsDue()) {
    (*watch_.progress)(0);
  }
  watch_.CheckCancelled();
}

}  // namespace orbox
