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
// diameter of the largest ball inside both. shared_region.h defines the inside
// of a solid: the points that its surface winds around, so that shells may
// overlap; or the points of odd parity, by the option `inside`. The thickness
// changes by no more than twice the motion of a solid. So kinds do not depend
// on rounding: flush faces touch, whether they are 1e-16 apart or overlap by
// 1e-16. With tolerance t and clearance d, the kind is the first that applies:
// - kDuplicate: the shared region is thicker than t, and the rest of each
//   solid, outside of the other, is not: the same solid within t;
// - kFirstInside, kSecondInside: the shared region is thicker than t, and the
//   rest of that solid, outside of the other, is not;
// - kClash: the shared region is thicker than t;
// - kCrossing, only for open meshes, which have no inside: a region of an open
//   surface is more than t / 2 deep in the other solid; or both meshes are
//   open, and their surfaces are within t of each other;
// - kTouch: the surfaces are within t of each other;
// - kClearance: the surfaces are within d;
// - kApart.
// An open mesh that is entirely inside a solid, within t / 2, is kFirstInside
// or kSecondInside.
//
// By parity, faces at which shells of a mesh are flush count as boundary
// (shared_region.h), so that a region between them has to be thicker than t.
//
// With the option `close_holes`, an open mesh with small holes is a solid: the
// one that it bounds once its holes are closed (close_holes.h). The triangles
// that close them serve to decide what is inside, for the kinds of what solids
// share, thickness, volume and depth. They are no surface: kTouch, kClearance
// and `gap` are those of the mesh. So a pipe through a hole clashes, and a plug
// that only covers a hole is as far away as its rim.
//
// A region thicker than t by less than t / 1000 may count as either; all others
// are decided with certainty. A tolerance below the rounding of double, some
// 2^-32 of the largest coordinate, is raised to it, unless `exact` is set.
//
// A search for such a region gives up after 200,000 patches. Exact arithmetic
// then decides for meshes of up to 20,000 triangles together: that interiors
// have no common point, or, with a tolerance of 0, that they have one; and that
// no point of one interior is outside of the other solid. So equal solids are
// duplicates however their faces are divided into triangles. What neither
// decides counts as thicker than t, and `is_undecided` is set: the kind is the
// most severe one that is possible, and `thickness` encloses the exact one.
//
// Cost: that of AnyWithin if the bounds share no more than t or the surfaces
// are apart. Otherwise some tens of microseconds for meshes of a dozen
// triangles, and some microseconds for each triangle at which they touch.
// Coincident surfaces, plane or curved, cost no more than others; walls of
// about the thickness t cost most. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_CLASH_H_
#define ORBOX_BVH_SOLIDS_CLASH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Ascending in severity.
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
  // t, in the model's unit. 0 stands for the rounding error (see above), here
  // and in the command. Negative or NaN counts as 0.
  double tolerance = 0;
  // d. A clearance that is not above the tolerance has no effect.
  double clearance = 0;
  // Has an effect only with a tolerance of 0. Decides exactly whether the
  // interiors of closed meshes have a common point (interior_overlap.h). If so,
  // the kind is as for a shared region, however thin; otherwise the meshes
  // touch or are apart. Solids that overlap only by rounding then clash.
  bool exact = false;
  // The rule for the inside of a closed mesh.
  InsideRule inside = InsideRule::kWinding;
  // Closes the holes of open meshes if each is shorter than this, in the
  // model's unit (close_holes.h). 0 closes none; negative or NaN counts as 0.
  double close_holes = 0;

  // Measurements in addition to the kind. Each has its own cost.
  // Measures the thickness of the shared region, to `error`, and the centre of
  // the ball. Solids that touch are not measured: the tolerance is a bound.
  bool thickness = false;
  // Measures the volume of the shared region, to `error`, unless solids touch.
  bool volume = false;
  // Finds the closest points of surfaces that touch, cross or clash. If false,
  // `gap` is set only for kClearance.
  bool gap = false;
  // Measures the penetration depth, and finds a translation that frees the
  // meshes (penetration.h). Only for pairs for which IsClash is true.
  bool depth = false;
  MeasureError error = {};
};

struct Clash {
  ClashKind kind = ClashKind::kApart;
  // Bounds of the thickness of the shared region. Within `error` if `thickness`
  // was set, otherwise as close as the kind required. For kCrossing, twice the
  // depth of the open surface in the other solid. Zeros for other kinds if a
  // mesh is open.
  MeasureBounds thickness;
  // The search gave up, so that the kind may be too severe (see above).
  bool is_undecided = false;
  // The place to look at. If thickness.lower is not 0, the centre of a ball
  // inside both solids with that diameter. Otherwise, if `gap` is set, a point
  // where the surfaces are closest.
  Vec3 center;
  // Set if it was requested, both meshes are closed, and they share a region
  // thicker than the tolerance.
  std::optional<MeasureBounds> volume;
  // The smallest distance of the surfaces, with the closest points; 0 if the
  // surfaces overlap.
  std::optional<Witness> gap;
  // Set if it was requested and IsClash is true, unless no translation that
  // frees the meshes could be verified. Applies to the first solid. Triangles
  // of its witness from the mesh's triangle count on close holes.
  std::optional<Penetration> depth;
  // Number of holes that were closed in each mesh, by the option `close_holes`.
  std::array<size_t, 2> closed_holes = {0, 0};
};

// Has a form with run options (query_options.h). One thread.
ORBOX_EXPORT Clash ClashOf(const PosedTree& a, const PosedTree& b,
                           const ClashOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Clash> ClashOf(const PosedTree& a,
                                           const PosedTree& b,
                                           const ClashOptions& options,
                                           const RunOptions& run);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_CLASH_H_
