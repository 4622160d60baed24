// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/pair_relation.h"

#include <iterator>

#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {

namespace {

constexpr std::string_view kRules[] = {"winding", "parity"};

}  // namespace

std::vector<std::string_view> InsideChoices() {
  return {std::begin(kRules), std::end(kRules)};
}

absl::StatusOr<InsideRule> ReadInside(const Arguments& arguments) {
  const absl::StatusOr<size_t> choice = arguments.Choice("--inside", kRules, 0);
  if (!choice.ok()) return choice.status();
  return *choice == 1 ? InsideRule::kParity : InsideRule::kWinding;
}

bool AreInEachOther(MeshRelation relation) {
  return relation != MeshRelation::kApart &&
         relation != MeshRelation::kUndefined;
}

MeshRelation PairRelation::Of(const PosedTree& a, const PosedTree& b,
                              bool meets,
                              TraversalStatistics* statistics) const {
  if (meets) return MeshRelation::kMeet;
  has_needed_inside_ = true;
  std::call_once(once_, [this] {
    a_ = MeshComponents::Of(pair_.a.mesh());
    b_ = MeshComponents::Of(pair_.b.mesh());
  });
  return RelationOfApartMeshes(a, a_, b, b_,
                               {.statistics = statistics, .inside = rule_});
}

void PairRelation::WriteNotes(bool is_needed) const {
  if (!is_needed && !has_needed_inside_) return;
  const auto write = [&](std::string_view name, const Mesh& mesh) {
    if (!report::IsJudgedByParity(mesh, rule_)) return;
    WriteToStandardError(
        Cat("orbox: note: ", report::NoteOnParity(name), "\n"));
  };
  write("A", pair_.a.mesh());
  write("B", pair_.b.mesh());
}

void WriteNoteOnChunks() {
  WriteToStandardError(
      "orbox: note: of chunked trees, only the surfaces are compared: a mesh "
      "inside the other is not found\n");
}

std::string_view NameOf(MeshRelation relation) {
  switch (relation) {
    case MeshRelation::kMeet:
      return "meet";
    case MeshRelation::kApart:
      return "apart";
    case MeshRelation::kFirstInSecond:
      return "a_in_b";
    case MeshRelation::kSecondInFirst:
      return "b_in_a";
    case MeshRelation::kSolidsOverlap:
      return "solids_overlap";
    case MeshRelation::kUndefined:
      break;
  }
  return "undefined";
}

std::string SentenceOf(MeshRelation relation) {
  const std::string_view note = report::NoteOf(relation);
  return note.empty() ? "" : Cat(": ", note);
}

std::string HelpOnRelations() {
  return "Surfaces, not solids: a mesh wholly inside the other does not "
         "overlap\n"
         "it. But that is told: their relation is meet, apart, a_in_b, "
         "b_in_a,\n"
         "solids_overlap (parts of one are inside the other), or undefined "
         "(one\nis where the inside of the other would be, and that is open). "
         "csv has\nno column for it.\n";
}

}  // namespace orbox::cli
