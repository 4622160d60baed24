// SPDX-License-Identifier: Apache-2.0

// Divides the time of a query among its steps: counted steps, times the cost of
// a step of each kind, fitted to times measured on several trees of one mesh.
//
//   const StepCosts costs = FitStepCosts(measured);
//   double in_leaves = steps[kLeafStep] * costs.seconds[kLeafStep];
//
// No clock is read inside a query: it would cost as much as a step.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_COST_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_COST_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/node.h"

namespace orbox::cli {

// One query on one tree.
struct MeasuredCost {
  TraversalStatistics statistics;
  double seconds = 0;
};

// The steps of a query: nodes by kind, leaves, triangles that floats did not
// settle, and once the rest, which is the same for any tree. For one tree a
// step is a visited node or leaf; for two trees, or one against itself, a test
// of two volumes or of two triangles.
inline constexpr int kStepKinds = kVolumeKinds + 3;
inline constexpr int kLeafStep = kVolumeKinds;
inline constexpr int kBeyondFloatStep = kVolumeKinds + 1;
inline constexpr int kRestStep = kVolumeKinds + 2;
using Steps = std::array<double, kStepKinds>;

// Returns true if pairs of volumes were tested.
bool IsOfPairs(const TraversalStatistics& statistics);

// The number of steps in a node's kind.
uint64_t NodeStepsOf(const VolumeStatistics& counts, bool of_pairs);

Steps StepsOf(const TraversalStatistics& statistics);

struct StepCosts {
  Steps seconds{};  // of one step; none is negative

  // True if the share of a kind of step in the time of the first measurement is
  // known: other costs that fit about as well give about the same share.
  std::array<bool, kStepKinds> told_apart{};

  // The root of the mean square of the relative errors of the fit.
  double error = 0;
};

// The costs, none negative, with the least sum of squared relative errors.
// Requires positive times. Steps that the measurements do not distinguish share
// their cost in any way, and are not told apart.
StepCosts FitStepCosts(std::span<const MeasuredCost> measured);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_COST_H_
