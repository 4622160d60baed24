// SPDX-License-Identifier: Apache-2.0

// Facts about a mesh, its bodies or components, a tree or a chunked tree: the
// result of `orbox info`, and the summary of `orbox gen`, `orbox build` and
// `orbox split`.
//
//   BodyFacts facts = FactsOfBody("roof", mesh);
//   schema.AddList({.json = "parts", .text_limit = kBodiesShown}, BodySchema(),
//                  [](const Answer& a) { return std::span(a.parts); });
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_FACTS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_FACTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/solids/inside_facts.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/json_type.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/statistics_output.h"

namespace orbox::cli {

// Name, size and surface properties of a body of a file, or of a component of a
// body.
struct BodyFacts {
  std::string name;
  size_t triangles = 0;
  bool closed = false;
  SurfaceFacts surface;
  InsideFacts inside;
};

// Computes the facts of a body. Builds a tree for this. The inside is unset if
// memory does not suffice.
BodyFacts FactsOfBody(std::string name, const Mesh& mesh);

// Returns "12", or "12 (from 11.9 to 12.1)" if the bounds differ by more than
// rounding. Returns the reason if there is no volume.
Phrase VolumeText(const InsideFacts& inside);
// Returns text about faces that do not agree, face inward, or overlap. Empty if
// none of this applies.
std::string FacesText(const InsideFacts& inside);

// Adds JSON fields about faces that agree, face inward, overlap or are walls,
// and the bounds of the volume. `get` maps a const T& to a const InsideFacts&.
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

// Maximum number of bodies in text. The other formats contain all of them.
inline constexpr size_t kBodiesShown = 20;

// Returns the schema of a body: name, triangles, true if it is closed, area,
// volume. In text, a body is one line.
Schema<BodyFacts> BodySchema();

// Like BodySchema, and has the components and edges of the surface in JSON.
Schema<BodyFacts> BodySurfaceSchema();

// Adds volumes, storage, nodes, leaves and depth of a tree. `get` maps a const
// T& to the tree. `path` is a prefix of the names in JSON, for example "tree.".
template <typename T, typename Get>
void AddTreeFields(std::string_view path, Get get, Schema<T>& schema) {
  schema
      .Add({.json = Cat(path, "volumes"), .type = "volumes"},
           [get](const T& v) { return std::string(NameOf(get(v).volumes())); })
      .Add({.json = Cat(path, "storage"), .type = "storage"},
           [get](const T& v) { return std::string(NameOf(get(v).storage())); })
      .Add({Cat(path, "nodes")}, [get](const T& v) { return NodesOf(get(v)); })
      .Add({Cat(path, "leaves")},
           [get](const T& v) { return get(v).leaf_count(); })
      .Add({Cat(path, "depth")},
           [get](const T& v) { return static_cast<uint64_t>(get(v).depth()); });
}

// Returns "mixed volumes, wide, 1,234 nodes, 5,678 leaves, 7 deep".
std::string TreeLine(const Tree& tree);

// Writes the facts of a tree to the output in the format of the settings. Adds
// the shape of the tree if the settings request statistics. `path` is the
// tree's file.
absl::Status WriteTreeFacts(const Tree& tree, const std::string& path,
                            const Settings& settings);

// Returns the types of these facts and of those of a chunked tree.
std::vector<ResultType> TypesOfTreeFacts();

// Writes the facts of a chunked tree to the output in the format of the
// settings. `path` is the path of the tree for messages.
absl::Status WriteChunkFacts(const ChunkedTree& tree, const std::string& path,
                             const Settings& settings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_FACTS_H_
