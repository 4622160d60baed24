// SPDX-License-Identifier: Apache-2.0

// Replaces the output of tools/viewer/build.js in builds without the viewer.

#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {

std::string_view ViewerBundle() { return {}; }

}  // namespace orbox::report
