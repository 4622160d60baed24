// SPDX-License-Identifier: Apache-2.0

// Two bodies of a scene and how they lie to each other; which of two such pairs
// is worse.
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

#include "orbox/bvh/query/clash.h"

namespace orbox::report {

// Two bodies, a < b, by their numbers.
struct BodyClash {
  size_t a = 0;
  size_t b = 0;
  Clash clash;

  // Whether they have a common point, up to the tolerance.
  bool meet() const {
    return clash.kind != ClashKind::kApart &&
           clash.kind != ClashKind::kClearance;
  }
  // The distance of the solids: 0 if they meet. Otherwise `gap` is required.
  double distance() const { return meet() ? 0 : clash.gap->distance; }
};

// "clash", "inside", "duplicate", "crossing", "clearance", "touch", "apart".
std::string_view KindNameOf(ClashKind kind);

// Whether somebody has to look at such a pair: bodies that touch are as they
// should be.
inline bool IsToLookAt(ClashKind kind) {
  return IsClash(kind) || kind == ClashKind::kClearance;
}

// Solids that share a region come first, the thickest one before; then
// surfaces that cross, the deepest before; then gaps, the smallest before; then
// what touches. Neither of two like pairs is worse.
bool IsWorse(const BodyClash& x, const BodyClash& y);

// How many pairs are of each kind. A body inside the other one is one kind,
// whichever it is.
class KindCounts {
 public:
  // The worst first.
  static constexpr std::array<ClashKind, 6> kKinds = {
      ClashKind::kDuplicate, ClashKind::kFirstInside, ClashKind::kClash,
      ClashKind::kCrossing,  ClashKind::kClearance,   ClashKind::kTouch};

  void Add(ClashKind kind) { ++counts_[static_cast<size_t>(kind)]; }
  size_t Of(ClashKind kind) const;
  // Those to look at.
  size_t ToLookAt() const;
  // "3 clash, 1 inside, 40 touch": kinds that are there, the worst first.
  std::string Text() const;
  // The same, without kinds that are not to look at; "none" if there are none.
  std::string TextToLookAt() const;

 private:
  std::string TextOf(std::span<const ClashKind> kinds) const;

  std::array<size_t, 8> counts_{};
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_BODY_CLASH_H_
