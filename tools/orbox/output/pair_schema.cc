// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/pair_schema.h"

#include <algorithm>
#include <array>

#include "orbox/overlap/triangles/triangle_distance.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

std::vector<Witness> WithPoints(std::span<const PairDistance> pairs,
                                const PosedTree& a, const PosedTree& b) {
  std::vector<Witness> out;
  out.reserve(pairs.size());
  for (const PairDistance& pair : pairs) {
    const TrianglePairDistance nearest =
        Distance(a.triangle(pair.triangles.a), b.triangle(pair.triangles.b));
    out.push_back(
        {pair.triangles, pair.distance, nearest.on_first, nearest.on_second});
  }
  return out;
}

std::string CountOfPairs(uint64_t count) {
  return Cat(": ", Counted(count, "pair"), " of triangles");
}

std::string FirstPairs(size_t count,
                       absl::FunctionRef<GlobalPair(size_t)> pair) {
  const size_t shown = std::min(count, kPairsShown);
  std::string out = CountOfPairs(count);
  for (size_t i = 0; i < shown; ++i) {
    out += Cat(i == 0 ? ": " : ", ", pair(i).a, "-", pair(i).b);
  }
  return out + (shown < count ? ", ..." : "");
}

Schema<Penetration> DepthSchema() {
  Schema<Penetration> schema;
  schema
      .Add({"bounds"},
           [](const Penetration& p) {
             return std::array{p.depth.lower, p.depth.upper};
           })
      .Add({"translation"}, [](const Penetration& p) { return p.translation; })
      .Add({"normal"}, [](const Penetration& p) { return p.normal; });
  AddWitness(
      "witness.a", {},
      [](const Penetration& p) { return p.witness.triangles.a; },
      [](const Penetration& p) { return p.witness.on_a; }, schema);
  AddWitness(
      "witness.b", {},
      [](const Penetration& p) { return p.witness.triangles.b; },
      [](const Penetration& p) { return p.witness.on_b; }, schema);
  return schema;
}

Schema<NearCluster> ClusterSchema() {
  using Place = NearCluster;
  Schema<Place> schema;
  schema
      .Add({"pairs", "pairs", "    {,}"},
           [](const Place& p) { return uint64_t{p.pair_count}; })
      .AddText(
          [](const Place& p) { return p.pair_count == 1 ? " pair" : " pairs"; })
      .Add({"distance", "distance", ", {u} apart", "length"},
           [](const Place& p) { return p.closest.distance; });
  AddWitness(
      "witness.a", {"a", "a_x,a_y,a_z"},
      [](const Place& p) { return p.closest.triangles.a; },
      [](const Place& p) { return p.closest.on_a; }, schema);
  AddWitness(
      "witness.b", {"b", "b_x,b_y,b_z"},
      [](const Place& p) { return p.closest.triangles.b; },
      [](const Place& p) { return p.closest.on_b; }, schema);
  return schema
      .AddText(
          [](const Place& p) { return Say(", at ", p.closest.on_a, "\n"); })
      .Add({"bounds.lo", "lo_x,lo_y,lo_z"},
           [](const Place& p) { return p.box.lo; })
      .Add({"bounds.hi", "hi_x,hi_y,hi_z"},
           [](const Place& p) { return p.box.hi; })
      .Add({"area_a", "area_a", "", "length"},
           [](const Place& p) { return p.area_a; })
      .Add({"area_b", "area_b", "", "length"},
           [](const Place& p) { return p.area_b; });
}

}  // namespace orbox::cli
