// How the batches run whose options are not QueryOptions yet.
#ifndef ORBOX_BVH_QUERY_BATCH_OPTIONS_H_
#define ORBOX_BVH_QUERY_BATCH_OPTIONS_H_

#include <atomic>
#include <functional>

#include "orbox/overlap/base/language.h"

namespace orbox {

// As the fields of QueryOptions (bvh/traverse/query_options.h), but all cores
// are used where nothing else is asked for.
struct BatchOptions {
  int threads = 0;
  std::function<void(double)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_BATCH_OPTIONS_H_
