// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/facts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/build/build.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

BodyFacts FactsOfBody(std::string name, const Mesh& mesh) {
  // Permitted error of the volumes of bodies. They are only displayed.
  constexpr MeasureError kError{.relative = 0.01};
  BodyFacts facts{std::move(name),
                  mesh.triangle_count(),
                  IsClosed(mesh),
                  FactsOfSurface(mesh),
                  {}};
  if (!facts.surface.do_faces_agree) {
    facts.inside.is_closed = facts.closed;
    return facts;
  }
  const absl::StatusOr<Tree> tree = Build(mesh, {.threads = 1});
  if (!tree.ok()) return facts;
  const absl::StatusOr<InsideFacts> inside = FactsOfInside(*tree, kError);
  if (inside.ok()) facts.inside = *inside;
  return facts;
}

Phrase VolumeText(const InsideFacts& inside) {
  if (!inside.is_closed) return "none, it is open";
  if (!inside.volume) return "none, its faces do not agree";
  const MeasureBounds& v = *inside.volume;
  if (v.upper - v.lower <= 1e-9 * v.upper) return Say(inside.MiddleVolume());
  return Say(inside.MiddleVolume(), " (from ", v.lower, " to ", v.upper, ")");
}

std::string FacesText(const InsideFacts& inside) {
  if (!inside.is_closed) return "";
  if (!inside.do_faces_agree) {
    return "do not agree: inside is decided by parity";
  }
  std::string text;
  const auto add = [&text](bool is_so, std::string_view words) {
    if (is_so)
      text = text.empty() ? std::string(words) : Cat(text, "; ", words);
  };
  add(inside.looks_inward, "look inward");
  add(inside.meets_itself, "cross, touch or cover each other");
  add(inside.has_walls, "some have the inside on both sides");
  return text;
}

Schema<BodyFacts> BodySchema() {
  using Facts = BodyFacts;
  Schema<Facts> schema;
  return schema
      .Add({"name", "name", "  {}"}, [](const Facts& f) { return f.name; })
      .Add({"triangles", "triangles", ": {,} triangles, "},
           [](const Facts& f) { return uint64_t{f.triangles}; })
      .Add({"closed", "closed"}, [](const Facts& f) { return f.closed; })
      .AddText([](const Facts& f) { return f.closed ? "closed" : "open"; })
      .Add({"area", "area", ", area {}", "length"},
           [](const Facts& f) { return f.surface.area; })
      // A mesh that is open, or whose faces disagree, has no volume.
      .Add({"volume", "volume", ", volume {}", "measure"},
           [](const Facts& f) -> Value {
             if (!f.inside.volume) return {};
             return f.inside.MiddleVolume();
           })
      .AddText([](const Facts&) { return "\n"; });
}

Schema<BodyFacts> BodySurfaceSchema() {
  Schema<BodyFacts> schema = BodySchema();
  const auto add = [&schema](std::string_view name,
                             size_t SurfaceFacts::*count) {
    schema.Add({std::string(name)}, [count](const BodyFacts& f) {
      return uint64_t{f.surface.*count};
    });
  };
  add("parts", &SurfaceFacts::components);
  add("boundary_loops", &SurfaceFacts::boundary_loops);
  add("boundary_edges", &SurfaceFacts::boundary_edges);
  add("non_manifold_edges", &SurfaceFacts::non_manifold_edges);
  AddInside([](const BodyFacts& f) -> const InsideFacts& { return f.inside; },
            schema);
  return schema;
}

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
  // A device does not have a size.
  const uint64_t bytes = SizeOfFile(path);
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  const Schema<TreeFacts> schema = TreeFactsSchema();
  ResultWriter results(settings, "", schema.Header(), *output);
  results.Write(schema, {tree, bytes}, 0, path);
  return results.Finish(&tree);
}

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

std::vector<ResultType> TypesOfTreeFacts() {
  const Schema<TreeFacts> tree = TreeFactsSchema();
  const Schema<ChunkFacts> chunks = ChunkFactsSchema();
  return {{.json = tree.Type(),
           .csv_header = tree.Header(),
           .statistics = "tree_statistics"},
          {chunks.Type(), chunks.Header()}};
}

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
