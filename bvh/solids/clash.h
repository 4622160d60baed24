// SPDX-License-Identifier: Apache-2.0

// Classifies a pair of solids within a tolerance: clash, inside, duplicate,
// touch, clearance or apart.
//
//   Clash c = ClashOf(wall, pipe, {.tolerance = 0.001, .clearance = 0.05});
//   if (c.kind == ClashKind::kSecondInside) ...      // the pipe is in the wall
//   if (IsClash(c.kind)) Report(c.thickness, c.center);
//   else if (c.gap) Report(c.gap->distance);
//
// The measure is the thickness of the region that the solids share: the
// diameter of the largest ball inside both. shared_region.h says which points
// are inside a solid: those that its surface winds around, so that shells may
// overlap, unless `inside` asks for parity. The thickness changes by no more
// than twice the motion of a solid. So kinds do not depend on rounding: flush
// faces touch, whether they are 1e-16 apart or overlap by that. With tolerance
// t and clearance d, the kind is the first that applies:
// - kDuplicate: the shared region is thicker than t, and what either has
//   outside of the other is not: the same solid within t;
// - kFirstInside, kSecondInside: the shared region is thicker than t, and what
//   that solid has outside of the other is not;
// - kClash: the shared region is thicker than t;
// - kCrossing, where a mesh is open and has no inside: a part of its surface is
//   more than t / 2 deep in the other solid; or both meshes are open, and their
//   surfaces are within t of each other;
// - kTouch: the surfaces are within t of each other;
// - kClearance: they are within d;
// - kApart.
// An open mesh all of which is inside a solid, within t / 2, is kFirstInside or
// kSecondInside.
//
// A region thicker than t by less than t / 1000 may count as either; all others
// are decided with certainty. A tolerance below the rounding of double, some
// 2^-32 of the meshes' size, counts as that, unless `exact` is set. A search
// that gives up, after 200,000 patches, leaves the pair a clash whose
// thickness.lower is 0.
//
// Cost: that of AnyWithin where the bounds share no more than t or the surfaces
// are apart; else some tens of microseconds for meshes of a dozen triangles,
// and some microseconds for each triangle at which they touch. Surfaces that
// lie on each other, plane or curved, cost no more than others; walls of about
// the thickness t cost most. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_CLASH_H_
#define ORBOX_BVH_SOLIDS_CLASH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// In the order of severity.
enum class ClashKind : uint8_t {
  kApart,
  kClearance,
  kTouch,
  kCrossing,
  kFirstInside,
  kSecondInside,
  kDuplicate,
  kClash,
};

// "apart", "clearance", "touch", "crossing", "first inside", "second inside",
// "duplicate", "clash".
ORBOX_EXPORT std::string_view NameOf(ClashKind kind);

// Returns true for the kinds that need attention: kCrossing, kFirstInside,
// kSecondInside, kDuplicate and kClash.
ORBOX_EXPORT bool IsClash(ClashKind kind);

struct ClashOptions {
  // t, in the model's unit. 0 stands for what rounding leaves (above), here and
  // in the command. Negative or NaN counts as 0.
  double tolerance = 0;
  // d. A clearance that is not above the tolerance has no effect.
  double clearance = 0;
  // Has an effect only with a tolerance of 0. Decides exactly whether the
  // interiors of closed meshes have a common point (interior_overlap.h). If so,
  // the kind is as for a shared region, however thin; otherwise the meshes
  // touch or are apart. Solids that overlap only by rounding then clash.
  bool exact = false;
  // Which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;

  // Measurements in addition to the kind. Each has a cost of its own.
  // Measures the thickness of the shared region, to `error`, and the centre of
  // the ball. Solids that touch are not measured: the tolerance is a bound.
  bool thickness = false;
  // Measures the volume of the shared region, to `error`, unless solids touch.
  bool volume = false;
  // Finds the closest points of surfaces that touch, cross or clash. If false,
  // `gap` is set only for kClearance.
  bool gap = false;
  // How deep they are in each other, and a way out (penetration.h). Only of
  // pairs for which IsClash is true.
  bool depth = false;
  MeasureError error;

  // As QueryOptions has them. `max_distance` has no effect as long as it is
  // valid; otherwise all meshes are kApart.
  double max_distance = std::numeric_limits<double>::infinity();
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

struct Clash {
  ClashKind kind = ClashKind::kApart;
  // Bounds of the thickness of the shared region: within `error` if `thickness`
  // was set, otherwise as near as the kind required. For kCrossing, twice the
  // depth of the open surface in the other solid. Zeros for other kinds if a
  // mesh is open.
  MeasureBounds thickness;
  // The centre of a ball inside both whose diameter is thickness.lower, if that
  // is not 0: the place to look at. Otherwise, a point of where the surfaces
  // are closest, if `gap` is there.
  Vec3 center;
  // There if it was asked for, both meshes are closed, and they share a region
  // thicker than the tolerance.
  std::optional<MeasureBounds> volume;
  // The smallest distance of the surfaces, and where; 0 if they overlap.
  std::optional<Witness> gap;
  // There if it was asked for and IsClash is true, unless no way out could be
  // verified. Moved by its translation, the first solid is free.
  std::optional<Penetration> depth;
};

ORBOX_EXPORT Clash ClashOf(const PosedTree& a, const PosedTree& b,
                           const ClashOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_CLASH_H_
