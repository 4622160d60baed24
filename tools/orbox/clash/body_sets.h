// SPDX-License-Identifier: Apache-2.0

// Selects the pairs of bodies that clash detection tests, by sets of bodies,
// rules that exclude pairs, and accepted pairs.
//
//   PairRules rules{.between = {{"type=IfcPipe*", "type=IfcWall*"}},
//                   .ignore = {"same:file"}};
//   absl::StatusOr<PairFilter> filter = PairFilter::Create(bodies, rules);
//   if (filter->Wants(0, 7)) call(0, 7);
//
// A pattern is KEY=TEXT for bodies whose property KEY matches TEXT, or TEXT for
// bodies whose name matches. In a pattern, * stands for any characters and ?
// for one. The keys `name` and `mesh` are the body's name and mesh, unless it
// has properties with these keys. A body without the property matches no text
// and no other body.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_BODY_SETS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_BODY_SETS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/clash/clash_rules.h"
#include "tools/orbox/clash/scene_file.h"

namespace orbox::cli {

// Returns the value of a property, or nothing if the body does not have it.
std::optional<std::string> PropertyOf(const SceneBody& body,
                                      std::string_view key);

// Returns each body's value of the key, and an empty text for a body without
// the property. Returns kInvalidArgument, with a list of the existing keys, if
// no body has the key. `option` is for messages.
absl::StatusOr<std::vector<std::string>> ValuesOf(
    std::span<const SceneBody> bodies, const std::string& key,
    std::string_view option);

// Returns true if `text` matches the pattern. O(length of both), except for
// patterns with many *.
bool IsLike(std::string_view text, std::string_view pattern);

struct PairRules {
  // Pairs of patterns. A pair of bodies is tested if one body matches the first
  // pattern and the other body the second one. If empty, all pairs are tested.
  std::vector<std::pair<std::string, std::string>> between;
  // Rules that exclude pairs. "same:KEY" excludes pairs of bodies with equal
  // values. A pattern excludes pairs with a body that matches it.
  std::vector<std::string> ignore;
  // Name of a file of accepted pairs, or empty. Each line has an accepted pair:
  // its id, or the names of its bodies a,b as in the command's CSV output.
  std::string accepted;
  // Name of a file of rules (clash_rules.h), or empty, and its rules. The first
  // rule whose sets have the two bodies decides.
  std::string file = "";
  std::vector<ClashRule> rules = {};
  // Pairs of bodies to exclude, and a number for each body, or none: pairs of
  // bodies with one number, other than 0, are excluded (SceneBodies).
  std::vector<std::pair<size_t, size_t>> pairs = {};
  std::vector<uint32_t> groups = {};
};

// Lengths that decide the kind of a pair (bvh/solids/clash.h).
struct PairLimits {
  double tolerance = 0;
  double clearance = 0;

  auto operator<=>(const PairLimits&) const = default;
};

class PairFilter {
 public:
  // Returns kInvalidArgument for keys that no body has, and for a set of
  // `between` without bodies, because the list of clashes would always be
  // empty. Errors in the file of accepted pairs name the file and the line.
  // `ids` identifies each body from run to run (clash_id.h).
  static absl::StatusOr<PairFilter> Create(std::span<const SceneBody> bodies,
                                           std::span<const std::string> ids,
                                           const PairRules& rules);

  // Returns true if the pair of bodies a != b, in any order, is to be tested.
  bool Wants(size_t a, size_t b) const {
    return wants_all_ ||
           (InSets(a, b) && !IsIgnored(a, b) && !IsAccepted(a, b));
  }
  bool wants_all() const { return wants_all_; }
  // Number of accepted pairs.
  size_t accepted() const { return accepted_.size() + accepted_ids_.size(); }
  // Sentences about rules that match no pair, or whose insulation no body has,
  // because they may be misspelled.
  std::span<const std::string> rule_notes() const { return rule_notes_; }

  // Returns the number of the rule that decides about a pair, if there is one.
  std::optional<size_t> RuleOf(size_t a, size_t b) const;
  // Returns the tolerance and the clearance of a pair, if its rule has them, or
  // those given. Insulation adds to the clearance.
  PairLimits LimitsOf(size_t a, size_t b, const PairLimits& otherwise) const;
  // Returns limits that are no smaller than those of any pair.
  PairLimits LargestLimits(const PairLimits& otherwise) const;

 private:
  // A rule, and for each body: true if it is in the set, and its insulation.
  struct Row {
    ClashRule rule;
    std::vector<bool> a;
    std::vector<bool> b;
    std::vector<double> insulation;  // empty: none
  };

  absl::Status AddRules(std::span<const SceneBody> bodies,
                        std::span<const ClashRule> rules);
  bool InSets(size_t a, size_t b) const;
  bool IsIgnored(size_t a, size_t b) const;
  static uint64_t KeyOf(size_t a, size_t b) {
    return a < b ? uint64_t{a} << 32 | b : uint64_t{b} << 32 | a;
  }
  bool IsAccepted(size_t a, size_t b) const;
  absl::Status ReadAccepted(std::span<const SceneBody> bodies,
                            const std::string& path);

  bool wants_all_ = true;
  // For each pair of sets and each body: true if the body is in the set.
  std::vector<std::pair<std::vector<bool>, std::vector<bool>>> between_;
  std::vector<Row> rows_;
  std::vector<bool> ignored_;
  // For each rule, a number for each body's value; 0 for a body without one.
  std::vector<std::vector<uint32_t>> same_;
  std::unordered_set<uint64_t> unrelated_;
  std::unordered_set<uint64_t> accepted_;
  std::unordered_set<std::string> accepted_ids_;
  std::vector<std::string> ids_;
  std::vector<std::string> rule_notes_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_BODY_SETS_H_
