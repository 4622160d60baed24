// Facts about a tree, which `orbox build` and `orbox info` print.
#ifndef ORBOX_TOOLS_ORBOX_TREE_FACTS_H_
#define ORBOX_TOOLS_ORBOX_TREE_FACTS_H_

#include <string>

#include "absl/status/status.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/json_writer.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// The fields of an object that has been begun: volumes, storage, nodes, leaves,
// depth.
void WriteTreeFields(JsonWriter& json, const Tree& tree);

// "mixed volumes, wide, 1,234 nodes, 5,678 leaves, 7 deep"
std::string TreeLine(const Tree& tree);

// Writes them to the output of the settings, in their format, with the shape of
// the tree if the settings ask for statistics. `path` is the tree's file.
absl::Status WriteTreeFacts(const Tree& tree, const std::string& path,
                            const Settings& settings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_TREE_FACTS_H_
