// SPDX-License-Identifier: Apache-2.0

// Pairs of bodies that a clash detection tests: sets by patterns, rules that
// leave out pairs, and accepted pairs.
//
//   PairRules rules{.between = {{"type=IfcPipe*", "type=IfcWall*"}},
//                   .ignore = {"same:file"}};
//   absl::StatusOr<PairFilter> filter = PairFilter::Create(bodies, rules);
//   if (filter->Wants(0, 7)) call(0, 7);
//
// A pattern is KEY=TEXT for bodies whose property KEY matches TEXT, or TEXT for
// their names; * stands for any characters, ? for one. The keys `name` and
// `mesh` are the body's own name and mesh unless it has properties of these
// names. A body without the property matches no text and no other body.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_BODY_SETS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_BODY_SETS_H_

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
#include "tools/orbox/clash/scene_file.h"

namespace orbox::cli {

// Returns nothing if the body has no such property.
std::optional<std::string> PropertyOf(const SceneBody& body,
                                      std::string_view key);

// Returns each body's value of the key; empty for a body without one.
// kInvalidArgument, with a list of the existing keys, if no body has the key.
// `option` is for messages.
absl::StatusOr<std::vector<std::string>> ValuesOf(
    std::span<const SceneBody> bodies, const std::string& key,
    std::string_view option);

// Returns true if `text` matches the pattern. O(length of both), except for
// patterns of many *.
bool IsLike(std::string_view text, std::string_view pattern);

struct PairRules {
  // Pairs of patterns: one body of a pair matches the first, the other one the
  // second. Empty: all pairs.
  std::vector<std::pair<std::string, std::string>> between;
  // "same:KEY" for pairs of bodies with equal values; a pattern for pairs with
  // a body that matches it.
  std::vector<std::string> ignore;
  // A file of accepted pairs, one on each line: its id, or the names of its
  // bodies, a,b, like in the CSV output of the command. Empty if there is none.
  std::string accepted;
};

class PairFilter {
 public:
  // kInvalidArgument for keys that no body has. kInvalidArgument for a set of
  // `between` without bodies, because its result would be an empty list of
  // clashes. Errors of the file of accepted pairs have its name and line. `ids`
  // identifies each body from run to run (clash_id.h).
  static absl::StatusOr<PairFilter> Create(std::span<const SceneBody> bodies,
                                           std::span<const std::string> ids,
                                           const PairRules& rules);

  // Returns true if the pair of bodies a != b, in any order, has to be tested.
  bool Wants(size_t a, size_t b) const {
    return wants_all_ ||
           (InSets(a, b) && !IsIgnored(a, b) && !IsAccepted(a, b));
  }
  bool wants_all() const { return wants_all_; }
  // Number of accepted pairs.
  size_t accepted() const { return accepted_.size() + accepted_ids_.size(); }
  // Rules of `ignore` that exclude no pair.
  std::span<const std::string> idle_rules() const { return idle_rules_; }

 private:
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
  std::vector<bool> ignored_;
  // For each rule, the number of each body's value; 0 if it has none.
  std::vector<std::vector<uint32_t>> same_;
  std::unordered_set<uint64_t> accepted_;
  std::unordered_set<std::string> accepted_ids_;
  std::vector<std::string> ids_;
  std::vector<std::string> idle_rules_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_BODY_SETS_H_
