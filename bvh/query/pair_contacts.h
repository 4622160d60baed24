// SPDX-License-Identifier: Apache-2.0

// Where do two meshes overlap? The common points of all their triangles that
// do: single points, segments, and polygons where triangles lie in one plane.
//
//   for (const PairContact& c : AllContacts(a, b)) {
//     draw(c.triangles, c.contact.points());      // 1, 2, or up to 6 corners
//   }
//
// The pairs are exactly those of AllOverlaps (pair_overlap.h), and how many
// corners a contact has is exact, too; where they are, to within rounding
// (overlap/triangles/contact.h). The segments of two closed surfaces make up
// the curves in which they cut each other. Statistics are those of AllOverlaps.
// Options are those of query_options.h. Thread-safe; allocates the result only.
#ifndef ORBOX_BVH_QUERY_PAIR_CONTACTS_H_
#define ORBOX_BVH_QUERY_PAIR_CONTACTS_H_

#include <vector>

#include "absl/functional/function_ref.h"
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

// All pairs that overlap, ascending by (a, b).
ORBOX_EXPORT std::vector<PairContact> AllContacts(
    const PosedTree& a, const PosedTree& b, const QueryOptions& options = {});

// The same pair by pair, in no particular order, until the visitor stops it:
// needs no memory, however many pairs there are. One thread.
using ContactVisitor = absl::FunctionRef<Visit(const PairContact& contact)>;
ORBOX_EXPORT void VisitContacts(const PosedTree& a, const PosedTree& b,
                                ContactVisitor visitor,
                                const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIR_CONTACTS_H_
