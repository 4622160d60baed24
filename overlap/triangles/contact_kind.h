// SPDX-License-Identifier: Apache-2.0

// Kinds of contact of two triangles, such as two triangles of one mesh.
//
//   std::optional<ContactKind> kind = KindOfContact(s, t);  // unset if apart
//   if (kind == ContactKind::kDuplicate) ...
//   if (kind == ContactKind::kFolded) ...
//
// Exact for every finite input. Corners are shared if their coordinates are
// equal. The result does not depend on the order of the triangles or of their
// corners. Pure and thread-safe. Costs a ContactOf (contact.h) and up to six
// orientation tests.
#ifndef ORBOX_OVERLAP_TRIANGLES_CONTACT_KIND_H_
#define ORBOX_OVERLAP_TRIANGLES_CONTACT_KIND_H_

#include <array>
#include <optional>
#include <string_view>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

enum class ContactKind {
  // The triangles pass through each other: their planes differ, and a point is
  // inside both, on no edge of either.
  kCrossing,
  // None of the others. The common points are a point or a segment, on an edge
  // of at least one of the triangles. Neighbours along an edge touch, too, and
  // so does a triangle without area, unless it is a duplicate.
  kTouching,
  // The common points have an area, and the triangles share no corner.
  kCoplanar,
  // The common points have an area, and the triangles share one or two corners:
  // neighbours that are folded onto each other.
  kFolded,
  // The triangles have the same corners, in any order.
  kDuplicate,
};

// "crossing", "touching", ..., by the value of a kind.
inline constexpr std::array<std::string_view, 5> kContactKindNames = {
    "crossing", "touching", "coplanar", "folded", "duplicate"};

// Returns nothing if the triangles have no common point.
ORBOX_EXPORT std::optional<ContactKind> KindOfContact(
    const Triangle& s, const Triangle& t, ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_CONTACT_KIND_H_
