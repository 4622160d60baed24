// When do two meshes first touch whose vertices move along straight lines, and
// when does one touch itself? Cloth, skin, crumpled metal, from frame to frame.
//
//   absl::StatusOr<DeformingMesh> cloth = DeformingMesh::Create(tree, next);
//   if (auto hit = FirstContact(*cloth, *body)) StepTo(hit->earliest);
//   if (auto hit = FirstSelfContact(*cloth)) ...
//
// Vertex i is at from + t (to - from), exactly, t from 0 to 1. Whether there is
// contact is decided exactly, for all pairs of triangles, touching included, so
// that nothing tunnels; the time is enclosed as narrowly as asked for
// (overlap/motion/moving_triangles.h). Surfaces, not solids.
//
// Triangles of one mesh that share vertices (by index: weld first) touch each
// other where features of theirs meet that have no vertex in common: where a
// hinge folds flat, or an edge comes through its neighbour's face. What meets
// at the start already is a contact at 0.
//
// The tree's parting of triangles, around boxes that move as the vertices do:
// two of them meet during an interval of time, and pairs are taken as these
// begin. Near O(log n + pairs that come close); for a mesh with itself O(n),
// some microseconds a triangle. Thread-safe; allocates a list of what is left
// to visit.
#ifndef ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_
#define ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class SweptNodes;

// A mesh whose vertices move. Immutable and cheap to copy; thread-safe.
class ORBOX_EXPORT DeformingMesh {
 public:
  // `tree` is over the mesh at t = 0, `to` its vertices at t = 1. O(n), and
  // about 300 bytes a triangle. kInvalidArgument unless there are as many as
  // the mesh has, finite, and all of both below 2^1000 in magnitude;
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
  // 0 <= earliest <= (exact time of first contact) <= latest <= 1; apart by no
  // more than the tolerance asked for.
  double earliest = 0;
  double latest = 0;
  // The pair whose own `latest` is lowest; of those, the lowest (a, b). With
  // itself, a < b.
  TrianglePair triangles;
  // Where these are closest at `latest`, to within rounding.
  Vec3 point;
};

// Contacts that are certainly later than options.max_t count as none.
ORBOX_EXPORT std::optional<DeformingContact> FirstContact(
    const DeformingMesh& a, const DeformingMesh& b,
    const MotionContactOptions& options = {});

ORBOX_EXPORT std::optional<DeformingContact> FirstSelfContact(
    const DeformingMesh& mesh, const MotionContactOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_DEFORMING_CONTACT_H_
