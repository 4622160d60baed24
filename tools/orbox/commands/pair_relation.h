// SPDX-License-Identifier: Apache-2.0

// Relation of the two meshes of a command, in words, and the option for the
// inside rule.
//
//   const PairRelation relation(pair, rule);
//   MeshRelation r = relation.Of(a, b, meets, statistics);
//   json.String(NameOf(r));
//   output.Write(Cat("do not meet", SentenceOf(r), "\n"));
//   relation.WriteNotes();
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_RELATION_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_RELATION_H_

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/mesh_pair.h"

namespace orbox::cli {

std::vector<std::string_view> InsideChoices();
inline constexpr Option kInsideOption = {
    "--inside", "RULE",
    "which points are inside a closed mesh: winding, those that the surface "
    "winds around, so that shells that overlap are their union; or parity, "
    "those from where a ray crosses it an odd number of times (default: "
    "winding; parity where the faces do not agree)",
    false, InsideChoices};
absl::StatusOr<InsideRule> ReadInside(const Arguments& arguments);

// Computes the relation. Computes the components of both meshes at the first
// use. Thread-safe.
class PairRelation {
 public:
  // Refers to the pair.
  PairRelation(const MeshPair& pair, InsideRule rule)
      : pair_(pair), rule_(rule) {}

  // Returns the relation at the poses of `a` and `b`. `meets` is true if the
  // surfaces overlap.
  MeshRelation Of(const PosedTree& a, const PosedTree& b, bool meets,
                  TraversalStatistics* statistics) const;

  // Writes a note to standard error for each mesh whose inside is decided by
  // parity because its faces do not agree. Writes none if Of() needed no inside
  // and `is_needed` is false.
  void WriteNotes(bool is_needed = false) const;

 private:
  const MeshPair& pair_;
  const InsideRule rule_;
  mutable std::once_flag once_;
  mutable std::atomic<bool> has_needed_inside_ = false;
  mutable MeshComponents a_;
  mutable MeshComponents b_;
};

// Writes the note on surfaces of chunked trees that do not meet: these have no
// relation.
void WriteNoteOnChunks();

// Returns true if the solids have a common point: the surfaces overlap, or one
// mesh or some of its components are inside the other.
bool AreInEachOther(MeshRelation relation);

// Returns "meet", "apart", "a_in_b", "b_in_a", "solids_overlap" or "undefined".
std::string_view NameOf(MeshRelation relation);

// Returns a continuation of a sentence that the surfaces do not overlap, such
// as ": A is inside B". May be empty.
std::string SentenceOf(MeshRelation relation);

// Returns a paragraph for --help.
std::string HelpOnRelations();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_PAIR_RELATION_H_
