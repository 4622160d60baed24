// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/body_facts.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "tools/orbox/text.h"

namespace orbox::cli {

BodyFacts FactsOfBody(std::string name, const Mesh& mesh) {
  return {std::move(name), mesh.triangle_count(), IsClosed(mesh),
          FactsOfSurface(mesh)};
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
      // An open one encloses nothing.
      .Add({"volume", "volume", ", volume {}"},
           [](const Facts& f) -> Value {
             if (!f.closed) return {};
             return f.surface.volume;
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
  add("parts", &SurfaceFacts::parts);
  add("boundary_loops", &SurfaceFacts::boundary_loops);
  add("boundary_edges", &SurfaceFacts::boundary_edges);
  add("non_manifold_edges", &SurfaceFacts::non_manifold_edges);
  return schema;
}

}  // namespace orbox::cli
