// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/facts.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
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
      .Add({"area", "area", ", area {}"},
           [](const Facts& f) { return f.surface.area; })
      // A mesh that is open, or whose faces disagree, has no volume.
      .Add({"volume", "volume", ", volume {}"},
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

namespace {

struct MeshFacts {
  const Mesh& mesh;
  bool closed;
  const std::optional<Tree>& given;
  const std::optional<MeshSurface>& surface;
  std::span<const ReadNote> notes;
  std::span<const MeshAdvice> advice;
};

void AddAdvice(Schema<MeshFacts>& schema) {
  Schema<MeshAdvice> row;
  row.Add({"fault"}, [](const MeshAdvice& a) { return Value(a.fault); })
      .Add({"remedy"}, [](const MeshAdvice& a) { return Value(a.remedy); });
  schema
      .AddList({.json = "advice", .text_limit = 0}, row,
               [](const MeshFacts& f) { return f.advice; })
      .AddText([](const MeshFacts& f) {
        std::string text;
        for (const MeshAdvice& a : f.advice) {
          text += Cat("  advice     ", a.fault, ": ", a.remedy, "\n");
        }
        return text;
      });
}

void AddNotes(Schema<MeshFacts>& schema) {
  Schema<ReadNote> note;
  note.Add({"what"}, [](const ReadNote& n) { return Value(n.what); })
      .Add({"count"}, [](const ReadNote& n) { return n.count; })
      .Add({"first"}, [](const ReadNote& n) -> Value {
        if (n.first.empty()) return {};
        return n.first;
      });
  schema
      .AddList({.json = "notes", .text_limit = 0}, note,
               [](const MeshFacts& f) { return f.notes; })
      .AddText([](const MeshFacts& f) {
        std::string text;
        for (const ReadNote& n : f.notes) {
          text += Cat("  note       ", OnOneLine(TextOf(n)), "\n");
        }
        return text;
      });
}

// Returns the list of bodies. Empty for a single body, because the other lines
// describe it.
std::string TextOf(std::span<const BodyFacts> bodies) {
  if (bodies.size() < 2) return "";
  std::string text = bodies.size() > kBodiesShown
                         ? Cat("the first ", kBodiesShown, " bodies:\n")
                         : "bodies:\n";
  const Schema<BodyFacts> schema = BodySchema();
  for (size_t i = 0; i < std::min(bodies.size(), kBodiesShown); ++i) {
    text += schema.Text("", bodies[i]);
  }
  return text;
}

void AddSurface(Schema<MeshFacts>& schema) {
  const auto add = [&schema](std::string_view name, std::string_view text,
                             auto get) {
    schema.Add({std::string(name), name, text},
               [get](const MeshFacts& f) { return get(*f.surface); });
  };
  const auto add_count = [&add](std::string_view name, std::string_view text,
                                size_t SurfaceFacts::*count) {
    add(name, text,
        [count](const MeshSurface& s) { return uint64_t{s.facts.*count}; });
  };
  add("bodies", "  bodies     {,}\n", [](const MeshSurface& s) -> uint64_t {
    return s.bodies.empty() ? 1 : s.bodies.size();
  });
  add_count("parts", "  parts      {,}\n", &SurfaceFacts::components);
  add_count("boundary_loops", "  boundary   {,} loops",
            &SurfaceFacts::boundary_loops);
  add_count("boundary_edges", " of {,} edges\n", &SurfaceFacts::boundary_edges);
  add_count("non_manifold_edges", "  edges of 3 or more triangles  {,}\n",
            &SurfaceFacts::non_manifold_edges);
  add("area", "  area       {}\n",
      [](const MeshSurface& s) { return s.facts.area; });
  // A mesh that is open, or whose faces disagree, has no volume.
  schema
      .Add({"volume", "volume"},
           [](const MeshFacts& f) -> Value {
             if (!f.surface->inside.volume) return {};
             return f.surface->inside.MiddleVolume();
           })
      .AddText([](const MeshFacts& f) {
        const InsideFacts& inside = f.surface->inside;
        const std::string faces = FacesText(inside);
        return Say("  volume     ", VolumeText(inside), "\n",
                   faces.empty() ? "" : Cat("  faces      ", faces, "\n"));
      });
  AddInside(
      [](const MeshFacts& f) -> const InsideFacts& {
        return f.surface->inside;
      },
      schema);
  schema.AddText([](const MeshFacts& f) { return TextOf(f.surface->bodies); })
      .AddList({.json = "body_list", .text_limit = 0}, BodySurfaceSchema(),
               [](const MeshFacts& f) { return std::span(f.surface->bodies); });
}

Schema<MeshFacts> SchemaOf(bool has_tree, bool has_surface, bool has_notes,
                           bool has_advice) {
  using Facts = MeshFacts;
  Schema<Facts> schema;
  schema
      .Add({"vertices", "vertices", "\n  vertices   {,}"},
           [](const Facts& f) { return f.mesh.vertex_count(); })
      .Add({"triangles", "triangles", "\n  triangles  {,}"},
           [](const Facts& f) { return f.mesh.triangle_count(); })
      .Add({"degenerate", "degenerate"},
           [](const Facts& f) { return f.mesh.degenerate_count(); })
      .AddText([](const Facts& f) {
        const size_t degenerate = f.mesh.degenerate_count();
        return degenerate == 0
                   ? ""
                   : Cat(", of which ", Grouped(degenerate),
                         degenerate == 1 ? " has" : " have", " no area");
      })
      .Add({"closed", "closed"}, [](const Facts& f) { return f.closed; })
      .AddText([](const Facts& f) {
        return Cat("\n  closed     ", f.closed ? "yes" : "no");
      })
      .Add({"bounds.lo", "lo_x,lo_y,lo_z", "\n  bounds     {}"},
           [](const Facts& f) { return f.mesh.bounds().lo; })
      .Add({"bounds.hi", "hi_x,hi_y,hi_z", " to {}\n"},
           [](const Facts& f) { return f.mesh.bounds().hi; });
  if (has_surface) AddSurface(schema);
  if (has_notes) AddNotes(schema);
  if (has_advice) AddAdvice(schema);
  if (!has_tree) return schema;
  AddTreeFields(
      "tree.", [](const Facts& f) -> const Tree& { return *f.given; }, schema);
  return schema.AddText([](const Facts& f) {
    return Cat("  tree       ", TreeLine(*f.given), "\n");
  });
}

}  // namespace

absl::Status WriteMeshFacts(const Mesh& mesh, const std::optional<Tree>& given,
                            std::string_view title, const Settings& settings,
                            ProgressDisplay& progress,
                            const std::optional<MeshSurface>& surface,
                            std::span<const ReadNote> notes,
                            std::span<const MeshAdvice> advice) {
  std::optional<Tree> tree;
  if (settings.statistics && given.has_value()) {
    tree = given;
  } else if (settings.statistics) {
    const absl::StatusOr<Tree> built = BuildTree(mesh, settings, progress);
    if (!built.ok()) return built.status();
    tree = *built;
  }
  progress.Begin("checking the edges");
  const bool closed = IsClosed(mesh);
  progress.End();

  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  const Schema<MeshFacts> schema = SchemaOf(
      given.has_value(), surface.has_value(), !notes.empty(), !advice.empty());
  ResultWriter results(settings, "", schema.Header(), *output);
  results.Write(schema, {mesh, closed, given, surface, notes, advice}, 0,
                title);
  return results.Finish(tree.has_value() ? &*tree : nullptr);
}

}  // namespace orbox::cli
