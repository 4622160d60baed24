// SPDX-License-Identifier: Apache-2.0

// Two bodies of a scene with their relation, and the order of such pairs by
// severity.
//
//   const BodyClash pair{.a = 0, .b = 3, .clash = ClashOf(...)};
//   pair.KindName();       // "inside"
//   if (IsToLookAt(pair.clash.kind)) ...
#ifndef ORBOX_TOOLS_REPORT_BODY_CLASH_H_
#define ORBOX_TOOLS_REPORT_BODY_CLASH_H_

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "orbox/bvh/solids/clash.h"

namespace orbox::report {

// Two bodies by number, a < b.
struct BodyClash {
  size_t a = 0;
  size_t b = 0;
  Clash clash;

  // Returns true if the bodies have a common point, up to the tolerance.
  bool meet() const {
    return clash.kind != ClashKind::kApart &&
           clash.kind != ClashKind::kClearance;
  }
  // Returns the distance of the solids: 0 if they meet. Otherwise requires
  // `gap`.
  double distance() const { return meet() ? 0 : clash.gap->distance; }
};

// Returns "clash", "inside", "duplicate", "crossing", "clearance", "touch" or
// "apart".
std::string_view KindNameOf(ClashKind kind);

// Returns true if such a pair has to be reviewed. Bodies that only touch are
// correct.
inline bool IsToLookAt(ClashKind kind) {
  return IsClash(kind) || kind == ClashKind::kClearance;
}

// Returns true if x is worse than y. Solids that share a region come first,
// those with the thickest region before others; then surfaces that cross, the
// deepest first; then gaps, the smallest first; then bodies that touch. If two
// pairs are equal, neither is worse.
//
// The thickness is compared by its lower bound, or by the upper one if the
// lower one is 0. So no pair that is certainly thinner than another is worse:
// the compared bound of the thinner one is no larger than its upper bound, and
// that of the other no smaller than its lower bound.
bool IsWorse(const BodyClash& x, const BodyClash& y);

// The number of pairs of each kind. A body inside the other counts as one kind,
// for either order.
class KindCounts {
 public:
  // Kinds, the worst first.
  static constexpr std::array<ClashKind, 6> kKinds = {
      ClashKind::kDuplicate, ClashKind::kFirstInside, ClashKind::kClash,
      ClashKind::kCrossing,  ClashKind::kClearance,   ClashKind::kTouch};

  void Add(ClashKind kind) { ++counts_[static_cast<size_t>(kind)]; }
  size_t Of(ClashKind kind) const;
  // Returns the number of pairs to review.
  size_t ToLookAt() const;
  // Returns "3 clash, 1 inside, 40 touch": the kinds that occur, the worst
  // first.
  std::string Text() const;
  // Returns the text for the kinds to review only; "none" if there are none.
  std::string TextToLookAt() const;

 private:
  std::string TextOf(std::span<const ClashKind> kinds) const;

  std::array<size_t, 8> counts_{};
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_BODY_CLASH_H_
