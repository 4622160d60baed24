// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/contact_kind.h"

#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

// Returns true if t has corners on both open sides of the plane of s.
bool IsOnBothSides(const Triangle& s, const Triangle& t, Arithmetic* used) {
  const int a = Orient3d(s.a, s.b, s.c, t.a, used);
  const int b = Orient3d(s.a, s.b, s.c, t.b, used);
  if (a * b < 0) return true;
  const int c = Orient3d(s.a, s.b, s.c, t.c, used);
  return a * c < 0 || b * c < 0;
}

}  // namespace

std::optional<ContactKind> KindOfContact(const Triangle& s, const Triangle& t,
                                         ArithmeticCounts* counts) {
  const size_t shared = CommonCorners(s, t).size();
  if (shared > 0 && shared == CornersOf(s).size() &&
      shared == CornersOf(t).size()) {
    Count(Arithmetic::kDouble, counts);
    return ContactKind::kDuplicate;
  }
  ArithmeticCounts by_contact;
  const size_t points = ContactOf(s, t, &by_contact).points().size();
  Arithmetic used = by_contact.Highest();
  std::optional<ContactKind> kind;
  if (points > 2) {
    kind = shared > 0 ? ContactKind::kFolded : ContactKind::kCoplanar;
  } else if (points > 0) {
    // Each triangle that reaches both sides of the other's plane meets it in a
    // chord, whose inner points are inside that triangle. So a segment that two
    // chords have in common has points inside both.
    const bool is_crossing =
        points == 2 && IsOnBothSides(s, t, &used) && IsOnBothSides(t, s, &used);
    kind = is_crossing ? ContactKind::kCrossing : ContactKind::kTouching;
  }
  Count(used, counts);
  return kind;
}

}  // namespace orbox
