// SPDX-License-Identifier: Apache-2.0

// Divides the time of a query among its steps. The time of a kind of step is
// the number of its steps times the cost of one. The costs are fitted to times
// that are measured on several trees of one mesh.
//
//   const StepCosts costs = FitStepCosts(measured);
//   double in_leaves = steps[kLeafStep] * costs.seconds[kLeafStep];
//
// Steps are not measured directly, because reading a clock takes as long as a
// step.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_COST_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_COST_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/node.h"

namespace orbox::cli {

// Steps and time of one query on one tree.
struct MeasuredCost {
  TraversalStatistics statistics;
  double seconds = 0;
};

// Kinds of steps of a query: nodes by kind, leaves, triangles that floats do
// not decide, and a constant step for everything that is equal for all trees.
// For a single tree, a step is a visited node or leaf. For two trees, or for
// one tree against itself, a step is a test of two volumes or of two triangles.
inline constexpr int kStepKinds = kVolumeKinds + 3;
inline constexpr int kLeafStep = kVolumeKinds;
inline constexpr int kBeyondFloatStep = kVolumeKinds + 1;
inline constexpr int kRestStep = kVolumeKinds + 2;
using Steps = std::array<double, kStepKinds>;

// Returns true if pairs of volumes were tested.
bool IsOfPairs(const TraversalStatistics& statistics);

// Returns the number of steps for nodes of a kind.
uint64_t NodeStepsOf(const VolumeStatistics& counts, bool of_pairs);

Steps StepsOf(const TraversalStatistics& statistics);

struct StepCosts {
  Steps seconds{};  // of one step; none is negative

  // True if the measurements determine the time fraction of a kind of step in
  // the first measurement: all costs that fit well give about the same
  // fraction.
  std::array<bool, kStepKinds> distinguished{};

  // Root mean square of the relative errors of the fit.
  double error = 0;
};

// Returns the non-negative costs with the least sum of squared relative errors.
// Requires positive times. If the measurements cannot distinguish some steps,
// the division of the cost among these is arbitrary, and `distinguished` is
// false for them.
StepCosts FitStepCosts(std::span<const MeasuredCost> measured);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_COST_H_
