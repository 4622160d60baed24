// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_cost.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace orbox::cli {
namespace {

// Number of steps of each measurement, divided by its time. With perfect costs,
// the sum over all steps is 1 for each measurement.
using Shares = std::vector<Steps>;

double SumOfSquares(const Shares& shares, const Steps& costs) {
  double sum = 0;
  for (const Steps& row : shares) {
    double error = -1;
    for (int k = 0; k < kStepKinds; ++k) error += row[k] * costs[k];
    sum += error * error;
  }
  return sum;
}

// Returns the least squares solution for the steps in `used`, by the normal
// equations, scaled to a diagonal of ones. Returns nothing if they are
// singular.
std::optional<Steps> LeastSquares(const Shares& shares, unsigned used) {
  std::vector<int> steps;
  for (int k = 0; k < kStepKinds; ++k) {
    if ((used >> k & 1) != 0) steps.push_back(k);
  }
  const size_t n = steps.size();
  Steps scale{};
  for (const int k : steps) {
    for (const Steps& row : shares) scale[k] += row[k] * row[k];
    if (scale[k] == 0) return std::nullopt;
    scale[k] = 1 / std::sqrt(scale[k]);
  }
  // Rows of the equations, with the right side as the last column.
  std::vector<std::vector<double>> m(n, std::vector<double>(n + 1));
  for (const Steps& row : shares) {
    for (size_t i = 0; i < n; ++i) {
      const double left = row[steps[i]] * scale[steps[i]];
      for (size_t j = 0; j < n; ++j) {
        m[i][j] += left * row[steps[j]] * scale[steps[j]];
      }
      m[i][n] += left;
    }
  }
  // Pivots below this count as zero: the rows are linearly dependent. The
  // diagonal is scaled to ones.
  constexpr double kSingular = 1e-9;
  for (size_t i = 0; i < n; ++i) {
    size_t pivot = i;
    for (size_t r = i + 1; r < n; ++r) {
      if (std::abs(m[r][i]) > std::abs(m[pivot][i])) pivot = r;
    }
    if (std::abs(m[pivot][i]) < kSingular) return std::nullopt;
    std::swap(m[i], m[pivot]);
    for (size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = m[r][i] / m[i][i];
      for (size_t c = i; c <= n; ++c) m[r][c] -= factor * m[i][c];
    }
  }
  Steps costs{};
  for (size_t i = 0; i < n; ++i) {
    costs[steps[i]] = m[i][n] / m[i][i] * scale[steps[i]];
  }
  return costs;
}

// Relative difference of times that counts as noise.
constexpr double kAsGood = 0.02;
// Largest error of a fraction that is shown.
constexpr double kSameShare = 0.1;
// Largest error of costs that are useful.
constexpr double kPoor = 0.25;

// Returns the fraction of each step in the total cost.
Steps PartsOf(const Steps& steps, const Steps& costs) {
  Steps parts{};
  double sum = 0;
  for (int k = 0; k < kStepKinds; ++k) {
    parts[k] = steps[k] * costs[k];
    sum += parts[k];
  }
  for (double& part : parts) part = sum > 0 ? part / sum : 0;
  return parts;
}

}  // namespace

bool IsOfPairs(const TraversalStatistics& statistics) {
  return statistics.TotalOfPairs().tests > 0;
}

uint64_t NodeStepsOf(const VolumeStatistics& counts, bool of_pairs) {
  return of_pairs ? counts.volume_tests : counts.nodes_visited;
}

Steps StepsOf(const TraversalStatistics& statistics) {
  const bool of_pairs = IsOfPairs(statistics);
  Steps steps{};
  for (int k = 0; k < kVolumeKinds; ++k) {
    steps[k] = static_cast<double>(NodeStepsOf(
        statistics.TotalOfKind(static_cast<VolumeKind>(k)), of_pairs));
  }
  steps[kLeafStep] = static_cast<double>(of_pairs ? statistics.triangle_tests
                                                  : statistics.leaves_visited);
  steps[kBeyondFloatStep] = static_cast<double>(
      statistics.settled_by_double + statistics.settled_by_expansion +
      statistics.settled_by_exact);
  steps[kRestStep] = 1;
  return steps;
}

StepCosts FitStepCosts(std::span<const MeasuredCost> measured) {
  if (measured.empty()) return {};
  Shares shares;
  for (const MeasuredCost& one : measured) {
    Steps row = StepsOf(one.statistics);
    for (double& steps : row) steps /= one.seconds;
    shares.push_back(row);
  }
  const auto error_of = [&](const Steps& costs) {
    return std::sqrt(SumOfSquares(shares, costs) /
                     static_cast<double>(shares.size()));
  };
  // The best solution without negative costs is the least squares solution for
  // the steps that it uses. All subsets of steps are tried, because there are
  // few.
  std::vector<Steps> fits;
  for (unsigned used = 1; used < 1U << kStepKinds; ++used) {
    const std::optional<Steps> costs = LeastSquares(shares, used);
    if (!costs.has_value()) continue;
    if (*std::min_element(costs->begin(), costs->end()) < 0) continue;
    fits.push_back(*costs);
  }
  StepCosts best{.error = error_of({})};
  for (const Steps& costs : fits) {
    if (error_of(costs) >= best.error) continue;
    best.error = error_of(costs);
    best.seconds = costs;
  }
  Steps least;
  Steps most{};
  least.fill(1);
  for (const Steps& costs : fits) {
    if (error_of(costs) > best.error + kAsGood) continue;
    const Steps parts = PartsOf(shares[0], costs);
    for (int k = 0; k < kStepKinds; ++k) {
      least[k] = std::min(least[k], parts[k]);
      most[k] = std::max(most[k], parts[k]);
    }
  }
  for (int k = 0; k < kStepKinds; ++k) {
    best.distinguished[k] =
        best.error < kPoor && most[k] - least[k] <= kSameShare;
  }
  return best;
}

}  // namespace orbox::cli
