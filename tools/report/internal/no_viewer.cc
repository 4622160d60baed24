// SPDX-License-Identifier: Apache-2.0

// In place of what tools/viewer/build.js makes.

#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {

std::string_view ViewerBundle() { return {}; }

}  // namespace orbox::report
