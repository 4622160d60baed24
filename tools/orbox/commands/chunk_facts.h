// SPDX-License-Identifier: Apache-2.0

// Facts about a chunked tree, for `orbox build` and `orbox info`.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_FACTS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_FACTS_H_

#include <string>

#include "absl/status/status.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "tools/orbox/arguments/settings.h"

namespace orbox::cli {

// Writes the facts to the output of the settings, in their format. `path` is
// the path of the tree in messages.
absl::Status WriteChunkFacts(const ChunkedTree& tree, const std::string& path,
                             const Settings& settings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CHUNK_FACTS_H_
