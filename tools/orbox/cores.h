// Whose the cores are: one question has them all, of many each has one.
//
//   question.cores = CoresOfEach(poses.size(), settings, progress);
#ifndef ORBOX_TOOLS_ORBOX_CORES_H_
#define ORBOX_TOOLS_ORBOX_CORES_H_

#include <cstddef>

#include "orbox/bvh/query/batch.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// What each of so many questions is to be asked with, where they are asked
// several at a time. A single one tells `progress` how far it is.
inline BatchOptions CoresOfEach(size_t questions, const Settings& settings,
                                Progress& progress) {
  BatchOptions options;
  options.threads = questions == 1 ? static_cast<int>(settings.threads) : 1;
  if (questions == 1) {
    options.progress = [&progress](double share) { progress.ShareDone(share); };
  }
  return options;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CORES_H_
