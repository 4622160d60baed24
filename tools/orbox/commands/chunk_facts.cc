// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/chunk_facts.h"

#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

struct ChunkFacts {
  const ChunkedTree& tree;

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const ChunkRow& row : tree.table()) {
      sum += row.bytes + row.count * sizeof(uint64_t);
    }
    return sum;
  }
};

Schema<ChunkFacts> ChunkFactsSchema() {
  using Facts = ChunkFacts;
  Schema<Facts> schema;
  return schema
      .Add({"triangles", "triangles", "\n  triangles  {,}"},
           [](const Facts& f) { return f.tree.triangle_count(); })
      .Add({"degenerate", "degenerate", "\n  degenerate {,}"},
           [](const Facts& f) { return f.tree.degenerate_count(); })
      .Add({"bounds.lo", "lo_x,lo_y,lo_z", "\n  bounds     {}"},
           [](const Facts& f) { return f.tree.bounds().lo; })
      .Add({"bounds.hi", "hi_x,hi_y,hi_z", " to {}"},
           [](const Facts& f) { return f.tree.bounds().hi; })
      .Add({"chunks", "chunks", "\n  chunks     {,}"},
           [](const Facts& f) { return uint64_t{f.tree.table().size()}; })
      .Add({"chunk_triangles", "chunk_triangles", ", of up to {,} triangles"},
           [](const Facts& f) { return f.tree.chunk_size(); })
      .Add({"bytes", "bytes", "\n  files      {,} bytes\n"},
           [](const Facts& f) { return f.bytes(); });
}

}  // namespace

absl::Status WriteChunkFacts(const ChunkedTree& tree, const std::string& path,
                             const Settings& settings) {
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  const Schema<ChunkFacts> schema = ChunkFactsSchema();
  ResultWriter results(settings, "", schema.Header(), *output);
  results.Write(schema, {tree}, 0, path);
  return results.Finish(nullptr);
}

}  // namespace orbox::cli
