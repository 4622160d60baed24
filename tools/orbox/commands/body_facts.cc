// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/body_facts.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

BodyFacts FactsOfBody(std::string name, const Mesh& mesh) {
  // Volumes of bodies are for display, so a small error is enough.
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
      // An open mesh encloses nothing, nor does a mesh whose faces disagree.
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

}  // namespace orbox::cli
