// SPDX-License-Identifier: Apache-2.0

// First contact of a moving corner and a moving face, or of two moving edges.
// Private: used by moving_triangles.h.
//
//   MovingFeatures f{MovingFeatureKind::kCornerFace, {p, a, b, c}};
//   const TimeCells cells(tolerance);
//   FeatureContact contact = ContactInDouble(f, 1, cells, Windows::kMany);
//   if (contact.verdict == FeatureVerdict::kUndecided) {
//     contact = ContactExactly(...);
//   }
//
// Both functions find times in [0, 1] at which the four points are in one plane
// and the features have a common point. If a face has no area at such a time, a
// corner on it is not reported. The pairs of edges report this contact.
#ifndef ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_FEATURES_H_
#define ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_FEATURES_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/motion/internal/time_cells.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The moving point (1 - t) from + t to.
struct MovingPoint {
  Vec3 from;
  Vec3 to;
};

enum class MovingFeatureKind { kCornerFace, kEdgeEdge };

struct MovingFeatures {
  MovingFeatureKind kind = MovingFeatureKind::kCornerFace;
  // The corner and the face's three corners, or the ends of one edge and of the
  // other.
  std::array<MovingPoint, 4> points;
};

// EndsOf returns the start and the end of each point in turn. FromEnds is its
// inverse.
inline std::array<Vec3, 8> EndsOf(const MovingFeatures& features) {
  std::array<Vec3, 8> ends;
  for (size_t i = 0; i < 4; ++i) {
    ends[2 * i] = features.points[i].from;
    ends[2 * i + 1] = features.points[i].to;
  }
  return ends;
}
template <typename Points>
MovingFeatures FromEnds(MovingFeatureKind kind, const Points& ends) {
  MovingFeatures features{kind, {}};
  for (size_t i = 0; i < 4; ++i) {
    features.points[i] = {ends[2 * i], ends[2 * i + 1]};
  }
  return features;
}

enum class FeatureVerdict { kNone, kContact, kUndecided };

// If the verdict is kContact, `earliest` and `latest` are the cell of the first
// contact.
struct FeatureContact {
  FeatureVerdict verdict = FeatureVerdict::kNone;
  double earliest = 0;
  double latest = 0;
  // Only for kUndecided and Windows::kOne: true if Windows::kMany may decide.
  bool may_decide = false;
};

// kMany: features that are undecided in the whole time are tested again in
// shorter windows of time, relative to one of the points. This takes many times
// as long. It decides nearly all features that are not degenerate.
enum class Windows { kOne, kMany };

// The verdict is certain, except for kUndecided. Contacts after max_t may be
// omitted. Requires coordinates of at most 1 in magnitude, each with an error
// of at most 2^-1074.
FeatureContact ContactInDouble(const MovingFeatures& features, double max_t,
                               const TimeCells& cells, Windows windows);

// Never returns kUndecided. Accepts any finite coordinates. Raises *used to the
// arithmetic that decided.
FeatureContact ContactExactly(const MovingFeatures& features,
                              const TimeCells& cells, Arithmetic* used);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_MOTION_INTERNAL_MOVING_FEATURES_H_
