// How the two meshes of a command lie to each other, in words.
//
//   const PairRelation relation(pair);
//   MeshRelation r = relation.Of(a, b, meets, statistics);
//   json.String(NameOf(r));
//   output.Write(Cat("do not meet", SentenceOf(r), "\n"));
#ifndef ORBOX_TOOLS_ORBOX_PAIR_RELATION_H_
#define ORBOX_TOOLS_ORBOX_PAIR_RELATION_H_

#include <mutex>
#include <string>
#include <string_view>

#include "orbox/bvh/mesh/mesh_parts.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/mesh_relation.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/mesh_pair.h"

namespace orbox::cli {

// Finds the parts of both meshes when it is first asked. Thread-safe.
class PairRelation {
 public:
  // The pair has to outlive this.
  explicit PairRelation(const MeshPair& pair) : pair_(pair) {}

  // At the poses of `a` and `b`, of which it is known whether they meet.
  MeshRelation Of(const PosedTree& a, const PosedTree& b, bool meets,
                  TraversalStatistics* statistics) const;

 private:
  const MeshPair& pair_;
  mutable std::once_flag once_;
  mutable MeshParts a_;
  mutable MeshParts b_;
};

// "meet", "apart", "a_in_b", "b_in_a", "solids_overlap", "undefined".
std::string_view NameOf(MeshRelation relation);

// What there is to say beyond that the surfaces do or do not meet: ": A is
// inside B", or nothing.
std::string_view SentenceOf(MeshRelation relation);

// A paragraph for --help.
std::string HelpOnRelations();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PAIR_RELATION_H_
