// SPDX-License-Identifier: Apache-2.0

// First contact of two meshes whose vertices move along straight lines, or of
// one such mesh with itself. Used frame by frame for cloth, skin or sheet
// metal.
//
//   absl::StatusOr<DeformingMesh> cloth = DeformingMesh::Create(tree, next);
//   if (auto hit = FirstContact(*cloth, *body)) StepTo(hit->earliest);
//   if (auto hit = FirstSelfContact(*cloth)) ...
//
// Vertex i is exactly at from + t (to - from), for t from 0 to 1. Contact is
// decided exactly for all pairs of triangles, and touching counts. So no
// contact is missed, at any speed. The time is enclosed within
// options.tolerance (overlap/motion/moving_triangles.h). Meshes are surfaces,
// not solids.
//
// Triangles of one mesh that share vertices touch only if features without a
// common vertex touch: if a hinge folds flat, or if an edge passes through the
// face of its neighbour. Shared vertices have equal indices, so weld the mesh
// first. Triangles that touch at the start are a contact at time 0.
//
// The boxes of the tree's nodes move with the vertices. Two boxes overlap
// during an interval of time. Pairs of nodes are visited in the order of the
// start of this interval. Costs near O(log n + pairs that come close), and O(n)
// for a mesh with itself, some microseconds per triangle. If thousands of pairs
// touch at about the same time, fixed planes prove that nearly all of them are
// apart until shortly before, so few need an exact decision.
//
// Each query has a form with run options (query_options.h). Their statistics
// count pairs of leaves. One thread. Thread-safe; allocates a list of pairs of
// nodes.
#ifndef ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_
#define ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class SweptNodes;

// A mesh whose vertices move. Immutable and cheap to copy; thread-safe.
class ORBOX_EXPORT DeformingMesh {
 public:
  // Requires a tree over the mesh at t = 0; `to` contains its vertices at t =
  // 1. O(n). Takes about 300 bytes per triangle. Returns kInvalidArgument if
  // the number of vertices differs, or if a coordinate is not finite or above
  // 2^200 in size (1.6e60, overlap/shapes/range.h). Coordinates below 2^-200
  // are read as 0. May return kResourceExhausted.
  static absl::StatusOr<DeformingMesh> Create(const Tree& tree,
                                              std::span<const Vec3> to);

  const Tree& tree() const;

  // Requires id < tree().mesh().triangle_count().
  MovingTriangle triangle(uint32_t id) const;

  // Used only by the queries.
  const SweptNodes& nodes() const { return *nodes_; }

 private:
  explicit DeformingMesh(std::shared_ptr<const SweptNodes> nodes)
      : nodes_(std::move(nodes)) {}

  std::shared_ptr<const SweptNodes> nodes_;
};

struct DeformingContact {
  // Enclosure of the exact time of first contact: 0 <= earliest <= time <=
  // latest <= 1. The two differ by at most options.tolerance, and depend only
  // on the exact time.
  double earliest = 0;
  double latest = 0;
  // The lowest pair (a, b) that first touches between these times. For one mesh
  // with itself, a < b.
  TrianglePair triangles;
  // The point at which these triangles are closest at `latest`, rounded.
  Vec3 point;
};

// Return the first contact, or nothing if there is none. Contacts that are
// certainly later than options.max_t do not count.
ORBOX_EXPORT std::optional<DeformingContact> FirstContact(
    const DeformingMesh& a, const DeformingMesh& b,
    const MotionContactOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::optional<DeformingContact>> FirstContact(
    const DeformingMesh& a, const DeformingMesh& b,
    const MotionContactOptions& options, const RunOptions& run);

ORBOX_EXPORT std::optional<DeformingContact> FirstSelfContact(
    const DeformingMesh& mesh, const MotionContactOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::optional<DeformingContact>> FirstSelfContact(
    const DeformingMesh& mesh, const MotionContactOptions& options,
    const RunOptions& run);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_
