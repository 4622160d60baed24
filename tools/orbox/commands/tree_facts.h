// SPDX-License-Identifier: Apache-2.0

// Facts about a tree, for `orbox build` and `orbox info`.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_TREE_FACTS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_TREE_FACTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/statistics_output.h"

namespace orbox::cli {

// Adds volumes, storage, nodes, leaves and depth of the tree that `get` maps a
// const T& to. `path` precedes the names in JSON, for example "tree.".
template <typename T, typename Get>
void AddTreeFields(std::string_view path, Get get, Schema<T>& schema) {
  schema
      .Add({Cat(path, "volumes")},
           [get](const T& v) { return std::string(NameOf(get(v).volumes())); })
      .Add({Cat(path, "storage")},
           [get](const T& v) { return std::string(NameOf(get(v).storage())); })
      .Add({Cat(path, "nodes")}, [get](const T& v) { return NodesOf(get(v)); })
      .Add({Cat(path, "leaves")},
           [get](const T& v) { return get(v).leaf_count(); })
      .Add({Cat(path, "depth")},
           [get](const T& v) { return static_cast<uint64_t>(get(v).depth()); });
}

// Returns "mixed volumes, wide, 1,234 nodes, 5,678 leaves, 7 deep".
std::string TreeLine(const Tree& tree);

// Writes the facts to the output of the settings, in their format, with the
// shape of the tree if the settings request statistics. `path` is the tree's
// file.
absl::Status WriteTreeFacts(const Tree& tree, const std::string& path,
                            const Settings& settings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_TREE_FACTS_H_
