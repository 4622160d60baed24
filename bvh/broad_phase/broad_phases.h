// The kinds of broad phases, each a row of one table: tests and benches go
// through the rows. All give the same pairs; they differ in what a frame costs.
//
//   std::unique_ptr<BroadPhase> phase = MakeBroadPhase();
//   for (const BroadPhaseRow& row : kBroadPhases) Measure(row.name, row.kind);
#ifndef ORBOX_BVH_BROAD_PHASE_BROAD_PHASES_H_
#define ORBOX_BVH_BROAD_PHASE_BROAD_PHASES_H_

#include <memory>
#include <string_view>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/export.h"

namespace orbox {

// With n bodies, p pairs, and m bodies that moved.
enum class BroadPhaseKind {
  kAllPairs,     // every body against every other, eight at a time: O(n^2)
  kColumnSweep,  // columns across two axes, a sweep along the third
  kMortonTree,   // a wide tree in Morton order, made anew: about O(n + p)
  kAdaptive,     // what the others' figures recommend for what it sees
};

struct BroadPhaseRow {
  BroadPhaseKind kind;
  std::string_view name;
};

inline constexpr BroadPhaseRow kBroadPhases[] = {
    {BroadPhaseKind::kAllPairs, "all_pairs"},
    {BroadPhaseKind::kColumnSweep, "column_sweep"},
    {BroadPhaseKind::kMortonTree, "morton_tree"},
    {BroadPhaseKind::kAdaptive, "adaptive"},
};

ORBOX_EXPORT std::unique_ptr<BroadPhase> MakeBroadPhase(
    BroadPhaseKind kind = BroadPhaseKind::kAdaptive);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_BROAD_PHASES_H_
