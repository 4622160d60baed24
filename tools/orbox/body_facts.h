// SPDX-License-Identifier: Apache-2.0

// Bodies of a file, or parts of one, as `orbox info` and `orbox split` list
// them: by name, with their size and what their surface is like.
//
//   BodyFacts facts = FactsOfBody("roof", mesh);
//   schema.AddList({.json = "parts", .text_limit = kBodiesShown}, BodySchema(),
//                  [](const Answer& a) { return std::span(a.parts); });
#ifndef ORBOX_TOOLS_ORBOX_BODY_FACTS_H_
#define ORBOX_TOOLS_ORBOX_BODY_FACTS_H_

#include <cstddef>
#include <string>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/mesh_parts.h"
#include "tools/orbox/schema.h"

namespace orbox::cli {

struct BodyFacts {
  std::string name;
  size_t triangles = 0;
  bool closed = false;
  SurfaceFacts surface;
};

// O(n).
BodyFacts FactsOfBody(std::string name, const Mesh& mesh);

// In text; the other formats have all.
inline constexpr size_t kBodiesShown = 20;

// Name, triangles, whether it is closed, area, volume; a line of text each.
Schema<BodyFacts> BodySchema();

// The same, and in JSON the surface's parts and edges.
Schema<BodyFacts> BodySurfaceSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_BODY_FACTS_H_
