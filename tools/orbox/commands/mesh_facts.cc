// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/mesh_facts.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

struct MeshFacts {
  const Mesh& mesh;
  size_t components = 0;
  bool closed = false;
  bool do_faces_agree = false;
  const std::optional<Tree>& given;
  const MeshDescription* description = nullptr;

  const MeshSurface& surface() const { return *description->surface; }
};

std::string_view NameOfFormat(MeshFormat format) {
  switch (format) {
    case MeshFormat::kObj:
      return "OBJ";
    case MeshFormat::kPly:
      return "PLY";
    case MeshFormat::kStl:
      return "STL";
    case MeshFormat::kOff:
      return "OFF";
    case MeshFormat::kGltf:
      return "glTF";
    case MeshFormat::k3mf:
      return "3MF";
  }
  return "";
}

// Returns the unit of lengths as they are read (read_bodies.h).
std::string_view UnitOfFormat(MeshFormat format) {
  if (format == MeshFormat::kGltf) return "m";
  if (format == MeshFormat::k3mf) return "mm";
  return "";
}

// A verdict on a mesh as a solid: true, false, or unset if it is not known; and
// the reason.
struct Verdict {
  std::optional<bool> is_solid;
  std::string_view text;
};

Verdict VerdictOn(const MeshFacts& f) {
  const bool has_surface = f.description->surface.has_value();
  if (!f.closed) return {false, "no, it is open"};
  if (!f.do_faces_agree) return {false, "no, its faces do not agree"};
  if (!has_surface) return {{}, "yes, if it does not overlap itself"};
  const InsideFacts& inside = f.surface().inside;
  if (!inside.is_closed) return {false, "no, a body is open"};
  if (!inside.do_faces_agree) {
    return {false, "no, the faces of a body do not agree"};
  }
  if (inside.looks_inward) return {false, "no, its faces look inward"};
  if (inside.meets_itself) return {false, "no, it overlaps itself"};
  return {true, "yes"};
}

void AddFile(Schema<MeshFacts>& schema) {
  const auto file = [](const MeshFacts& f) -> const MeshFile& {
    return *f.description->file;
  };
  schema.AddText([](const MeshFacts&) { return "\n"; })
      .Add({"format", {}, "  format     {}"},
           [file](const MeshFacts& f) { return file(f).format; })
      .Add({"bytes", {}, ", {,} bytes"},
           [file](const MeshFacts& f) { return file(f).bytes; });
}

Vec3 SizeOf(const Mesh& mesh) { return mesh.bounds().hi - mesh.bounds().lo; }

// Adds the size, and what is known of the mesh as a solid without examining its
// surface.
void AddShape(std::string_view unit, bool has_surface,
              Schema<MeshFacts>& schema) {
  schema.Add({"size"}, [](const MeshFacts& f) { return SizeOf(f.mesh); })
      .AddText([unit = std::string(unit)](const MeshFacts& f) {
        const Vec3 size = SizeOf(f.mesh);
        return Say("  size       ", size.x, " x ", size.y, " x ", size.z,
                   unit.empty() ? ", no unit" : Cat(" ", unit), "\n");
      });
  schema
      .Add({"solid"},
           [](const MeshFacts& f) -> Value {
             const Verdict verdict = VerdictOn(f);
             if (!verdict.is_solid.has_value()) return {};
             return *verdict.is_solid;
           })
      .AddText([](const MeshFacts& f) {
        return Cat("  solid      ", VerdictOn(f).text, "\n");
      });
  if (has_surface) return;
  schema
      .Add({"parts", {}, "  parts      {,}\n"},
           [](const MeshFacts& f) { return uint64_t{f.components}; })
      .Add({"faces_agree"},
           [](const MeshFacts& f) { return f.do_faces_agree; });
}

void AddAdvice(Schema<MeshFacts>& schema) {
  Schema<MeshAdvice> row;
  row.Add({"fault"}, [](const MeshAdvice& a) { return Value(a.fault); })
      .Add({"remedy"}, [](const MeshAdvice& a) { return Value(a.remedy); });
  schema
      .AddList(
          {.json = "advice", .text_limit = 0}, row,
          [](const MeshFacts& f) { return std::span(f.description->advice); })
      .AddText([](const MeshFacts& f) {
        std::string text;
        for (const MeshAdvice& a : f.description->advice) {
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
      .AddList(
          {.json = "notes", .text_limit = 0}, note,
          [](const MeshFacts& f) { return std::span(f.description->notes); })
      .AddText([](const MeshFacts& f) {
        std::string text;
        for (const ReadNote& n : f.description->notes) {
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
               [get](const MeshFacts& f) { return get(f.surface()); });
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
             if (!f.surface().inside.volume) return {};
             return f.surface().inside.MiddleVolume();
           })
      .AddText([](const MeshFacts& f) {
        const InsideFacts& inside = f.surface().inside;
        const std::string faces = FacesText(inside);
        return Say("  volume     ", VolumeText(inside), "\n",
                   faces.empty() ? "" : Cat("  faces      ", faces, "\n"));
      });
  AddInside(
      [](const MeshFacts& f) -> const InsideFacts& {
        return f.surface().inside;
      },
      schema);
  schema.AddText([](const MeshFacts& f) { return TextOf(f.surface().bodies); })
      .AddList(
          {.json = "body_list", .text_limit = 0}, BodySurfaceSchema(),
          [](const MeshFacts& f) { return std::span(f.surface().bodies); });
}

Schema<MeshFacts> SchemaOf(bool has_tree, std::string_view unit,
                           const std::optional<MeshDescription>& description) {
  using Facts = MeshFacts;
  Schema<Facts> schema;
  if (description.has_value() && description->file.has_value()) AddFile(schema);
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
  if (description.has_value()) {
    const bool has_surface = description->surface.has_value();
    AddShape(unit, has_surface, schema);
    if (has_surface) AddSurface(schema);
    if (!description->notes.empty()) AddNotes(schema);
    if (!description->advice.empty()) AddAdvice(schema);
    if (!has_surface) {
      schema.AddText([](const Facts&) {
        return "  more       --surface adds holes, area and volume, and "
               "whether "
               "it overlaps itself\n";
      });
    }
  }
  if (!has_tree) return schema;
  AddTreeFields(
      "tree.", [](const Facts& f) -> const Tree& { return *f.given; }, schema);
  return schema.AddText([](const Facts& f) {
    return Cat("  tree       ", TreeLine(*f.given), "\n");
  });
}

}  // namespace

std::optional<MeshFile> FileOf(const std::string& path) {
  const std::string file = SplitBodyPath(path).file;
  if (path == "-" || !IsRegularFile(file)) return {};
  const absl::StatusOr<FileBytes> bytes = ReadFileBytes(file);
  if (!bytes.ok()) return {};
  MeshFile facts{.format = "Orbox tree", .bytes = bytes->view().size()};
  if (IsTreeFile(bytes->view())) return facts;
  const absl::StatusOr<MeshFormat> format = MeshFormatOf(file, bytes->view());
  if (!format.ok()) return {};
  facts.format = NameOfFormat(*format);
  facts.unit = UnitOfFormat(*format);
  return facts;
}

absl::Status WriteMeshFacts(const Mesh& mesh, const std::optional<Tree>& given,
                            std::string_view title, const Settings& settings,
                            ProgressDisplay& progress,
                            const std::optional<MeshDescription>& description) {
  std::optional<Tree> tree;
  if (settings.statistics && given.has_value()) {
    tree = given;
  } else if (settings.statistics) {
    const absl::StatusOr<Tree> built = BuildTree(mesh, settings, progress);
    if (!built.ok()) return built.status();
    tree = *built;
  }
  progress.Begin("checking the edges");
  MeshFacts facts{.mesh = mesh, .closed = IsClosed(mesh), .given = given};
  // JSON has the unit of the file, unless the settings have one.
  Settings with_unit = settings;
  if (description.has_value()) {
    facts.components = MeshComponents::Of(mesh).first_triangles().size();
    facts.do_faces_agree = DoFacesAgree(mesh);
    facts.description = &*description;
    if (with_unit.style.unit.empty() && description->file.has_value()) {
      with_unit.style.unit = description->file->unit;
    }
  }
  progress.End();

  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  const Schema<MeshFacts> schema =
      SchemaOf(given.has_value(), with_unit.style.unit, description);
  ResultWriter results(with_unit, "", schema.Header(), *output);
  results.Write(schema, facts, 0, title);
  return results.Finish(tree.has_value() ? &*tree : nullptr);
}

}  // namespace orbox::cli
