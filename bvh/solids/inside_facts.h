// SPDX-License-Identifier: Apache-2.0

// Facts about the inside of a mesh: whether the mesh has one, the orientation
// of its faces, and its volume.
//
//   absl::StatusOr<InsideFacts> facts = FactsOfInside(tree);
//   if (!facts.ok()) return facts.status();
//   if (!facts->volume) ...                 // open, or faces do not agree
//   Report(facts->volume->lower, facts->volume->upper);
//
// The inside is that of inside.h by winding numbers: shells that overlap count
// once, and a cavity counts if it faces the opposite way of its shell. A mesh
// whose faces do not agree has no winding numbers, and no volume here.
//
// The bounds enclose the exact volume, and are some roundings apart. If
// triangles of the mesh cross, touch or cover triangles that are not their
// neighbours, the bounds are as far apart as `error` allows (shared_region.h).
// One thread. Costs about twice the build of a tree; if shells overlap, a
// VolumeOfShared.
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

  // The faces look inward as a whole: the sum of the winding numbers over all
  // of space is negative.
  bool looks_inward = false;
  // Triangles cross, touch or cover triangles that are not their neighbours.
  bool meets_itself = false;
  // Some other triangles have the inside on both sides. They belong to shells
  // in shells, or to cavities that face the same way as their shell.
  bool has_walls = false;
  std::optional<MeasureBounds> volume;

  // Returns the middle of the volume's bounds; 0 without a volume.
  double MiddleVolume() const {
    return volume ? volume->lower + (volume->upper - volume->lower) / 2 : 0;
  }
};

// Errors: kInvalidArgument, kCancelled and kResourceExhausted of
// query_options.h.
ORBOX_EXPORT absl::StatusOr<InsideFacts> FactsOfInside(
    const Tree& tree, const MeasureError& error = {.relative = 0.001},
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INSIDE_FACTS_H_
