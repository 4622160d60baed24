// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles of one mesh that overlap, except by sharing corners as
// neighbours.
//
//   bool broken = AnySelfOverlap(tree);
//   std::vector<TrianglePair> pairs = AllSelfOverlaps(tree);   // a < b
//   pairs = AllSelfOverlaps(tree, SharedCorners::kByIndex);
//   auto found = AllSelfOverlaps(tree, SharedCorners::kByIndex, {.threads =
//   4}); if (!found.ok()) return found.status(); for (const SelfContact& c :
//   AllSelfContacts(tree)) {
//     if (c.kind == ContactKind::kFolded) use(c.triangles);
//   }
//
// Neighbours share corners, which is not an overlap. Two triangles overlap if
//   - they share no corner, and have a common point;
//   - they share one corner, and have another common point;
//   - they share two corners, and have a common point off that edge: they are
//     folded onto each other;
//   - they share all corners: duplicates, in any orientation.
// Exact; touching counts. Degenerate triangles count as segments and points.
// Costs near O(n + pairs) for a mesh with few defects. Each query has a form
// with run options (query_options.h). AllSelfOverlaps, AllSelfContacts and
// CountSelfOverlaps may use many threads (pair_overlap.h). Thread-safe. A list
// takes twice its memory, because it is sorted.
#ifndef ORBOX_BVH_QUERY_PAIRS_SELF_OVERLAP_H_
#define ORBOX_BVH_QUERY_PAIRS_SELF_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/shared_corners.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/contact_kind.h"

namespace orbox {

// A pair that overlaps, and the kind of its contact.
template <typename Id>
struct BasicSelfContact {
  BasicTrianglePair<Id> triangles;
  ContactKind kind = ContactKind::kTouching;

  friend auto operator<=>(const BasicSelfContact&,
                          const BasicSelfContact&) = default;
};
using SelfContact = BasicSelfContact<uint32_t>;

// Returns true if any pair overlaps. Stops at the first pair found. One thread.
ORBOX_EXPORT bool AnySelfOverlap(
    const Tree& tree, SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<bool> AnySelfOverlap(const Tree& tree,
                                                 SharedCorners shared,
                                                 const RunOptions& options);

ORBOX_EXPORT size_t CountSelfOverlaps(
    const Tree& tree, SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<size_t> CountSelfOverlaps(
    const Tree& tree, SharedCorners shared, const RunOptions& options);

// Returns all pairs with a < b, ascending by (a, b).
ORBOX_EXPORT std::vector<TrianglePair> AllSelfOverlaps(
    const Tree& tree, SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<std::vector<TrianglePair>> AllSelfOverlaps(
    const Tree& tree, SharedCorners shared, const RunOptions& options);

// Returns the pairs of AllSelfOverlaps, each with the kind of its contact
// (overlap/triangles/contact_kind.h). Kinds compare corners by position, also
// with SharedCorners::kByIndex.
ORBOX_EXPORT std::vector<SelfContact> AllSelfContacts(
    const Tree& tree, SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<std::vector<SelfContact>> AllSelfContacts(
    const Tree& tree, SharedCorners shared, const RunOptions& options);

// Calls `visitor` with each pair once, with a < b, in no particular order,
// until it returns kStop. One thread.
ORBOX_EXPORT void VisitSelfOverlaps(const Tree& tree, SharedCorners shared,
                                    PairVisitor visitor);
ORBOX_EXPORT absl::Status VisitSelfOverlaps(const Tree& tree,
                                            SharedCorners shared,
                                            PairVisitor visitor,
                                            const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_SELF_OVERLAP_H_
