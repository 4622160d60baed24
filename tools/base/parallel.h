// SPDX-License-Identifier: Apache-2.0

// Work on several items at a time.
//
//   ParallelFor(queries.size(), threads, [&](size_t item, size_t worker)
//   {...});
#ifndef ORBOX_TOOLS_BASE_PARALLEL_H_
#define ORBOX_TOOLS_BASE_PARALLEL_H_

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace orbox::tools {

// One per core.
size_t DefaultThreads();

// Calls `work(item, worker)` once for each item below `count`, from up to
// `threads` threads, one of them the caller's; `worker` < `threads` identifies
// the thread. Returns when all is done, and rethrows the first exception.
void ParallelFor(size_t count, size_t threads,
                 absl::FunctionRef<void(size_t item, size_t worker)> work);

}  // namespace orbox::tools

#endif  // ORBOX_TOOLS_BASE_PARALLEL_H_
