// SPDX-License-Identifier: Apache-2.0

// Common points of two meshes: those of all overlapping pairs of triangles.
// They are single points, segments, and polygons of triangles in one plane.
//
//   for (const PairContact& c : AllContacts(a, b)) {
//     draw(c.triangles, c.contact.points());      // 1, 2, or up to 6 corners
//   }
//
// The pairs are exactly those of AllOverlaps (pair_overlap.h). The number of
// corners of a contact is exact, too. Their positions are exact except for
// rounding (overlap/triangles/contact.h). The segments of two closed surfaces
// form their intersection curves. Statistics are those of AllOverlaps. Each
// query has a form with run options (query_options.h). Thread-safe. AllContacts
// allocates the result, and as much memory as AllOverlaps.
#ifndef ORBOX_BVH_QUERY_PAIRS_PAIR_CONTACTS_H_
#define ORBOX_BVH_QUERY_PAIRS_PAIR_CONTACTS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/contact.h"

namespace orbox {

struct PairContact {
  TrianglePair triangles;
  TriangleContact contact;  // not empty
};

// Returns all pairs that overlap, ascending by (a, b).
ORBOX_EXPORT std::vector<PairContact> AllContacts(const PosedTree& a,
                                                  const PosedTree& b);
ORBOX_EXPORT absl::StatusOr<std::vector<PairContact>> AllContacts(
    const PosedTree& a, const PosedTree& b, const RunOptions& options);

// Calls `visitor` with each overlapping pair, in no particular order, until it
// returns kStop. Needs no memory, for any number of pairs. One thread.
using ContactVisitor = absl::FunctionRef<Visit(const PairContact& contact)>;
ORBOX_EXPORT void VisitContacts(const PosedTree& a, const PosedTree& b,
                                ContactVisitor visitor);
ORBOX_EXPORT absl::Status VisitContacts(const PosedTree& a, const PosedTree& b,
                                        ContactVisitor visitor,
                                        const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_PAIR_CONTACTS_H_
