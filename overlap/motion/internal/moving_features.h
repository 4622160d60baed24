// When do a corner and a face, or two edges, first meet in motion? Private: the
// parts of moving_triangles.h.
//
//   MovingFeatures f{FeatureKind::kCornerFace, {p, a, b, c}};
//   FeatureContact contact = ContactInDouble(f, 1, 0x1p-40);
//   if (contact.verdict == FeatureVerdict::kOpen) contact =
//   ContactExactly(...);
//
// Both answer for times in [0, 1] at which the four points lie in one plane and
// the features have a point in common. Corners on faces without area at that
// time are left to the face's edges.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_FEATURES_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_FEATURES_H_

#include <array>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// At (1 - t) from + t to.
struct MovingPoint {
  Vec3 from;
  Vec3 to;
};

enum class FeatureKind { kCornerFace, kEdgeEdge };

struct MovingFeatures {
  FeatureKind kind = FeatureKind::kCornerFace;
  // The corner and the face's three, or one edge's ends and the other's.
  std::array<MovingPoint, 4> points;
};

enum class FeatureVerdict { kNone, kContact, kOpen };

// With kContact: the first contact is certainly in [earliest, latest], whose
// length is at most the tolerance asked for.
struct FeatureContact {
  FeatureVerdict verdict = FeatureVerdict::kNone;
  double earliest = 0;
  double latest = 0;
};

// Certain, but for kOpen. Contacts after max_t may count as none. Requires
// coordinates of at most 1 in magnitude, each within 2^-1074 of the true one.
FeatureContact ContactInDouble(const MovingFeatures& features, double max_t,
                               double tolerance);

// Never kOpen. Any finite coordinates; tolerance at least 2^-50.
FeatureContact ContactExactly(const MovingFeatures& features, double tolerance);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_FEATURES_H_
