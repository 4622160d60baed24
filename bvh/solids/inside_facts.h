// SPDX-License-Identifier: Apache-2.0

// Facts about the inside of a mesh: whether it has one, how its faces look, and
// its volume.
//
//   absl::StatusOr<InsideFacts> facts = FactsOfInside(tree);
//   if (!facts.ok()) return facts.status();
//   if (!facts->volume) ...                 // open, or faces do not agree
//   Report(facts->volume->lower, facts->volume->upper);
//
// The inside is that of inside.h by winding numbers: shells that overlap count
// once, and a cavity counts if it faces the other way than its shell. A mesh
// whose faces do not agree has no winding numbers, and so no volume here.
//
// The bounds enclose the exact volume. They are some roundings apart. If
// triangles of the mesh cross, touch or cover others than their neighbours, the
// bounds are as far apart as `error` allows (shared_region.h). Options are
// those of query_options.h; one thread; `max_distance` has no effect if it is
// valid. Costs about twice as much as building the tree; if shells overlap, as
// much as VolumeOfShared.
#ifndef ORBOX_BVH_SOLIDS_INSIDE_FACTS_H_
#define ORBOX_BVH_SOLIDS_INSIDE_FACTS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct InsideFacts {
  bool is_closed = false;
  bool do_faces_agree = false;  // inside_rule.h; otherwise all below is unset

  // The faces look inward, on the whole: the sum of the winding numbers over
  // all of space is negative.
  bool looks_inward = false;
  // Triangles cross, touch or cover others than their neighbours.
  bool meets_itself = false;
  // Triangles, of those that do not, have the inside on both sides: shells in
  // shells, or cavities that face as their shell does.
  bool has_walls = false;
  std::optional<MeasureBounds> volume;

  // The middle of the volume's bounds; 0 without a volume.
  double MiddleVolume() const {
    return volume ? volume->lower + (volume->upper - volume->lower) / 2 : 0;
  }
};

// Errors: kInvalidArgument, kCancelled and kResourceExhausted of
// query_options.h.
ORBOX_EXPORT absl::StatusOr<InsideFacts> FactsOfInside(
    const Tree& tree, const MeasureError& error = {.relative = 0.001},
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INSIDE_FACTS_H_
