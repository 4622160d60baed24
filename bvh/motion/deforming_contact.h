// SPDX-License-Identifier: Apache-2.0

// When do two meshes whose vertices move along straight lines first touch, and
// when does one touch itself? For cloth, skin, crumpled metal, frame by frame.
//
//   absl::StatusOr<DeformingMesh> cloth = DeformingMesh::Create(tree, next);
//   if (auto hit = FirstContact(*cloth, *body)) StepTo(hit->earliest);
//   if (auto hit = FirstSelfContact(*cloth)) ...
//
// Vertex i is at from + t (to - from), exactly, for t from 0 to 1. Whether
// there is contact is decided exactly for all pairs of triangles, touching
// included, so nothing tunnels. The time is enclosed as narrowly as asked
// (overlap/motion/moving_triangles.h). Meshes are surfaces, not solids.
//
// Triangles of one mesh that share vertices (by index: weld first) touch if
// features of theirs touch that have no vertex in common: a hinge folds flat,
// or an edge comes through the face of its neighbour. Triangles that touch at
// the start are a contact at 0.
//
// The boxes of the tree's nodes move with the vertices. Two of them overlap
// during an interval of time, and pairs are visited in the order of its start.
// Near O(log n + pairs that come close); for a mesh with itself O(n), some
// microseconds a triangle. Where thousands of pairs touch at one time, planes
// that stand still tell nearly all of them apart until shortly before, and few
// have to be decided. Thread-safe; allocates a list of pairs of nodes.
#ifndef ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_
#define ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class SweptNodes;

// A mesh whose vertices move. Immutable and cheap to copy; thread-safe.
class ORBOX_EXPORT DeformingMesh {
 public:
  // `tree` is over the mesh at t = 0, `to` has its vertices at t = 1. O(n),
  // about 300 bytes a triangle. kInvalidArgument if `to` has another number of
  // vertices, or if a coordinate is not finite or above 2^200 in size (1.6e60,
  // overlap/shapes/range.h); below 2^-200, it is read as 0.
  // kResourceExhausted.
  static absl::StatusOr<DeformingMesh> Create(const Tree& tree,
                                              std::span<const Vec3> to);

  const Tree& tree() const;

  // Requires id < tree().mesh().triangle_count().
  MovingTriangle triangle(uint32_t id) const;

  // Private to the queries.
  const SweptNodes& nodes() const { return *nodes_; }

 private:
  explicit DeformingMesh(std::shared_ptr<const SweptNodes> nodes)
      : nodes_(std::move(nodes)) {}

  std::shared_ptr<const SweptNodes> nodes_;
};

struct DeformingContact {
  // 0 <= earliest <= (exact time of first contact) <= latest <= 1. They differ
  // by at most the tolerance asked for, and depend on the exact time alone.
  double earliest = 0;
  double latest = 0;
  // The lowest (a, b) that first touch between these times. For one mesh and
  // itself, a < b.
  TrianglePair triangles;
  // Where these triangles are closest at `latest`, to within rounding.
  Vec3 point;
};

// Contacts that are certainly later than options.max_t do not count.
ORBOX_EXPORT std::optional<DeformingContact> FirstContact(
    const DeformingMesh& a, const DeformingMesh& b,
    const MotionContactOptions& options = {});

ORBOX_EXPORT std::optional<DeformingContact> FirstSelfContact(
    const DeformingMesh& mesh, const MotionContactOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_
