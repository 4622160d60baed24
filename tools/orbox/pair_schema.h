// SPDX-License-Identifier: Apache-2.0

// The parts that the answers about pairs of triangles have in common.
//
//   schema.AddList({.json = "pairs", .rows = true}, PairSchema(), pairs_of);
//   AddWitness<Witness>("witness.a", {}, triangle, point, schema);
#ifndef ORBOX_TOOLS_ORBOX_PAIR_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_PAIR_SCHEMA_H_

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/query/pair_places.h"
#include "orbox/bvh/query/pair_within.h"
#include "tools/orbox/schema.h"

namespace orbox::cli {

// [a,b]
inline Schema<TrianglePair> PairSchema() {
  Schema<TrianglePair> schema;
  schema.Add({"", "a,b"}, [](const TrianglePair& pair) {
    return std::array<uint64_t, 2>{pair.a, pair.b};
  });
  return schema;
}

// {"a":i,"b":j,"distance":d}
inline Schema<PairDistance> PairDistanceSchema() {
  Schema<PairDistance> schema;
  schema.Add({"a", "a"}, [](const PairDistance& p) { return p.triangles.a; })
      .Add({"b", "b"}, [](const PairDistance& p) { return p.triangles.b; })
      .Add({"distance", "distance"},
           [](const PairDistance& p) { return p.distance; });
  return schema;
}

// The first pairs of a list: ": 3 pairs of triangles: 1-2, 4-2, 5-9". Enough
// for a first look; the other formats list all.
inline constexpr size_t kPairsShown = 5;
std::string FirstPairs(const std::vector<TrianglePair>& pairs);

// A triangle and a point of it: {"triangle":i,"point":[x,y,z]} under a name,
// and columns if they have names.
struct WitnessColumns {
  std::string_view triangle = {};
  std::string_view point = {};
};
template <typename T, typename Triangle, typename Point>
void AddWitness(std::string_view name, const WitnessColumns& columns,
                Triangle triangle, Point point, Schema<T>& schema) {
  schema.Add({Cat(name, ".triangle"), columns.triangle}, std::move(triangle))
      .Add({Cat(name, ".point"), columns.point}, std::move(point));
}

// A place where two meshes are near; in text, a line.
Schema<NearPlace> PlaceSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PAIR_SCHEMA_H_
