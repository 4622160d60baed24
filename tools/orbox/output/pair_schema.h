// SPDX-License-Identifier: Apache-2.0

// Common schemas for results about pairs of triangles.
//
//   schema.AddList({.json = "pairs", .rows = true}, PairSchema(), pairs_of);
//   AddWitness<Witness>("witness.a", {}, triangle, point, schema);
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_PAIR_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_PAIR_SCHEMA_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/solids/penetration.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

// Returns the schema {"a":i,"b":j} for TrianglePair or GlobalPair.
template <typename Pair = TrianglePair>
Schema<Pair> PairSchema() {
  Schema<Pair> schema;
  schema.Add({"a", "a", "", "triangle"}, [](const Pair& p) { return p.a; })
      .Add({"b", "b", "", "triangle"}, [](const Pair& p) { return p.b; });
  return schema;
}

// Returns the schema
// {"a":i,"b":j,"distance":d,"point_a":[x,y,z],"point_b":[x,y,z]} for Witness or
// GlobalWitness.
template <typename Near = Witness>
Schema<Near> NearPairSchema() {
  Schema<Near> schema;
  schema
      .Add({"a", "a", "", "triangle"},
           [](const Near& w) { return w.triangles.a; })
      .Add({"b", "b", "", "triangle"},
           [](const Near& w) { return w.triangles.b; })
      .Add({"distance", "distance", "", "length"},
           [](const Near& w) { return w.distance; })
      .Add({"point_a", "a_x,a_y,a_z"}, [](const Near& w) { return w.on_a; })
      .Add({"point_b", "b_x,b_y,b_z"}, [](const Near& w) { return w.on_b; });
  return schema;
}

// Converts a pair to the ids of chunked trees.
inline GlobalPair Global(const TrianglePair& p) { return {p.a, p.b}; }
inline GlobalWitness Global(const Witness& w) {
  return {Global(w.triangles), w.distance, w.on_a, w.on_b};
}
inline GlobalSelfContact Global(const SelfContact& c) {
  return {Global(c.triangles), c.kind};
}
template <typename Found>
auto Global(const std::vector<Found>& found) {
  std::vector<decltype(Global(found[0]))> global;
  global.reserve(found.size());
  for (const Found& one : found) global.push_back(Global(one));
  return global;
}

// Returns the pairs with the closest points of their triangles.
std::vector<Witness> WithPoints(std::span<const PairDistance> pairs,
                                const PosedTree& a, const PosedTree& b);

// Returns the number of pairs: ": 3 pairs of triangles".
std::string CountOfPairs(uint64_t count);

// Returns the first pairs of a list: ": 3 pairs of triangles: 1-2, 4-2, 5-9".
// Other formats list all pairs.
inline constexpr size_t kPairsShown = 5;
std::string FirstPairs(size_t count,
                       absl::FunctionRef<GlobalPair(size_t)> pair);

// A triangle and a point on it: {"triangle":i,"point":[x,y,z]} under a name. It
// has CSV columns only if these have names.
struct WitnessColumns {
  std::string_view triangle = {};
  std::string_view point = {};
};
template <typename T, typename Triangle, typename Point>
void AddWitness(std::string_view name, const WitnessColumns& columns,
                Triangle triangle, Point point, Schema<T>& schema) {
  schema
      .Add({Cat(name, ".triangle"), columns.triangle, "", "triangle"},
           std::move(triangle))
      .Add({Cat(name, ".point"), columns.point}, std::move(point));
}

// Returns the schema of a depth with its translation, for JSON only.
Schema<Penetration> DepthSchema();

// Adds CSV columns for a depth: its bounds and the translation. `get` maps a
// const T& to a std::optional<Penetration>. The columns are empty without a
// depth.
template <typename T, typename Get>
void AddDepthColumns(Get get, Schema<T>& schema) {
  const auto add = [&schema, get](std::string_view column, auto number) {
    schema.Add({std::nullopt, column}, [get, number](const T& t) -> Value {
      const std::optional<Penetration> depth = get(t);
      if (!depth.has_value()) return std::monostate();
      return number(*depth);
    });
  };
  add("depth", [](const Penetration& p) { return p.depth.lower; });
  add("depth_upper", [](const Penetration& p) { return p.depth.upper; });
  static constexpr std::string_view kWay[] = {"way_x", "way_y", "way_z"};
  for (size_t i = 0; i < 3; ++i) {
    add(kWay[i], [i](const Penetration& p) { return p.translation[i]; });
  }
}

// Returns the schema of a cluster. In text, a cluster is one line.
Schema<NearCluster> ClusterSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_PAIR_SCHEMA_H_
