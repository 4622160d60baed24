// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/tree_facts.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"

namespace orbox::cli {
namespace {

struct TreeFacts {
  const Tree& tree;
  uint64_t bytes;  // of the file
};

Schema<TreeFacts> TreeFactsSchema() {
  using Facts = TreeFacts;
  const auto bytes = [](const Facts& f) { return f.bytes; };
  const auto storage = [](const Facts& f) {
    return std::string(NameOf(f.tree.storage()));
  };
  Schema<Facts> schema;
  schema
      .Add({"vertices", "vertices", "\n  vertices   {,}"},
           [](const Facts& f) { return f.tree.mesh().vertex_count(); })
      .Add({"triangles", "triangles", "\n  triangles  {,}"},
           [](const Facts& f) { return f.tree.mesh().triangle_count(); });
  AddTreeFields(
      "", [](const Facts& f) -> const Tree& { return f.tree; }, schema);
  return schema
      .Add({std::nullopt, "volumes"},
           [](const Facts& f) { return std::string(NameOf(f.tree.volumes())); })
      .Add({std::nullopt, "nodes"},
           [](const Facts& f) { return NodesOf(f.tree); })
      .Add({std::nullopt, "leaves"},
           [](const Facts& f) { return f.tree.leaf_count(); })
      .Add({std::nullopt, "depth"},
           [](const Facts& f) { return static_cast<uint64_t>(f.tree.depth()); })
      .AddText([](const Facts& f) {
        return Cat("\n  tree       ", TreeLine(f.tree));
      })
      .Add({"bytes", "bytes", "\n  file       {,} bytes\n"}, bytes)
      .Add({std::nullopt, "storage"}, storage);
}

}  // namespace

std::string TreeLine(const Tree& tree) {
  return Cat(NameOf(tree.volumes()), " volumes, ", NameOf(tree.storage()), ", ",
             Grouped(NodesOf(tree)), " nodes, ", Grouped(tree.leaf_count()),
             " leaves, ", tree.depth(), " deep");
}

absl::Status WriteTreeFacts(const Tree& tree, const std::string& path,
                            const Settings& settings) {
  // A device has no size.
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const uint64_t bytes = error ? 0 : size;
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  const Schema<TreeFacts> schema = TreeFactsSchema();
  ResultWriter results(settings, "", schema.Header(), *output);
  results.Write(schema, {tree, bytes}, 0, path);
  return results.Finish(&tree);
}

}  // namespace orbox::cli
