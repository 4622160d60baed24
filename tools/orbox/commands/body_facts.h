// SPDX-License-Identifier: Apache-2.0

// Facts about a body of a file, or about a component of one, for `orbox info`
// and `orbox split`: name, size and properties of the surface.
//
//   BodyFacts facts = FactsOfBody("roof", mesh);
//   schema.AddList({.json = "parts", .text_limit = kBodiesShown}, BodySchema(),
//                  [](const Answer& a) { return std::span(a.parts); });
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_BODY_FACTS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_BODY_FACTS_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/solids/inside_facts.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

struct BodyFacts {
  std::string name;
  size_t triangles = 0;
  bool closed = false;
  SurfaceFacts surface;
  InsideFacts inside;
};

// Builds a tree. The inside is unset if memory does not suffice.
BodyFacts FactsOfBody(std::string name, const Mesh& mesh);

// Returns "12", or with bounds that differ by more than rounding, "12 (from
// 11.9 to 12.1)". Returns the reason if there is no volume.
Phrase VolumeText(const InsideFacts& inside);
// Returns text about the faces: they do not agree, look inward, or overlap.
// Empty if none applies.
std::string FacesText(const InsideFacts& inside);

// Adds JSON fields: whether faces agree, look inward, overlap or are walls, and
// the bounds of the volume. `get` maps a const T& to a const InsideFacts&.
template <typename T, typename Get>
void AddInside(Get get, Schema<T>& schema) {
  const auto add = [&schema, get](std::string_view name,
                                  bool InsideFacts::*fact) {
    schema.Add({std::string(name)}, [get, fact](const T& t) -> Value {
      const InsideFacts& facts = get(t);
      if (!facts.do_faces_agree) return {};
      return facts.*fact;
    });
  };
  schema.Add({"faces_agree"},
             [get](const T& t) { return get(t).do_faces_agree; });
  add("looks_inward", &InsideFacts::looks_inward);
  add("meets_itself", &InsideFacts::meets_itself);
  add("has_walls", &InsideFacts::has_walls);
  schema.Add({"volume_bounds"}, [get](const T& t) -> Value {
    const InsideFacts& facts = get(t);
    if (!facts.volume) return {};
    return std::array{facts.volume->lower, facts.volume->upper};
  });
}

// Limit for text; the other formats have all bodies.
inline constexpr size_t kBodiesShown = 20;

// Name, triangles, whether the body is closed, area, volume. One line of text
// for each body.
Schema<BodyFacts> BodySchema();

// Also has the surface's components and edges in JSON.
Schema<BodyFacts> BodySurfaceSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_BODY_FACTS_H_
