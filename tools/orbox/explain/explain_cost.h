// SPDX-License-Identifier: Apache-2.0

// Divides the time of a query among its steps: number of steps of each kind,
// times the cost of such a step. The costs are fitted to times measured on
// several trees of one mesh.
//
//   const StepCosts costs = FitStepCosts(measured);
//   double in_leaves = steps[kLeafStep] * costs.seconds[kLeafStep];
//
// A query reads no clock inside, because that would cost as much as a step.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_COST_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_COST_H_

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
// decide, and one step for the rest, which is equal for all trees. For a single
// tree, a step is a visited node or leaf. For two trees, or one tree against
// itself, a step is a test of two volumes or of two triangles.
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

  // True if the fraction of the time that a kind of step takes in the first
  // measurement is known: all costs that fit well give about the same fraction.
  std::array<bool, kStepKinds> distinguished{};

  // The root mean square of the relative errors of the fit.
  double error = 0;
};

// Returns the non-negative costs with the least sum of squared relative errors.
// Requires positive times. If measurements do not distinguish some steps, the
// division of the cost among them is arbitrary, and `distinguished` is false.
StepCosts FitStepCosts(std::span<const MeasuredCost> measured);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_COST_H_
