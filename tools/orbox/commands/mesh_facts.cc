// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/mesh_facts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/body_facts.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/commands/tree_facts.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

struct MeshFacts {
  const Mesh& mesh;
  bool closed;
  const std::optional<Tree>& given;
  const std::optional<MeshSurface>& surface;
  std::span<const ReadNote> notes;
};

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

// Returns the list of bodies; empty for a single body, which the other lines
// describe.
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
  // An open mesh encloses nothing, nor does a mesh whose faces disagree.
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

Schema<MeshFacts> SchemaOf(bool has_tree, bool has_surface, bool has_notes) {
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
                            std::span<const ReadNote> notes) {
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
  const Schema<MeshFacts> schema =
      SchemaOf(given.has_value(), surface.has_value(), !notes.empty());
  ResultWriter results(settings, "", schema.Header(), *output);
  results.Write(schema, {mesh, closed, given, surface, notes}, 0, title);
  return results.Finish(tree.has_value() ? &*tree : nullptr);
}

}  // namespace orbox::cli
