// SPDX-License-Identifier: Apache-2.0

// Recommends a tree for a query, from alternating measurements of several
// trees.
//
//   const Advice advice = Recommend(timings);    // [0]: the current tree
//   if (advice.often != 0) ...                   // another one is faster
//
// A recommended tree is clearly faster than the current one. It saves more than
// kClearGain in its median and in three of four rounds. Only times of the same
// round are compared, because a disturbance of the machine affects consecutive
// measurements in the same way.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_ADVICE_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_ADVICE_H_

#include <cstddef>
#include <span>
#include <vector>

namespace orbox::cli {

// Measured seconds, with an entry for each round.
struct Timing {
  std::vector<double> build;  // zeros if the tree existed before
  std::vector<double> query;
};

// Fraction of the time that a recommended tree must save.
inline constexpr double kClearGain = 0.05;

// Smallest number of rounds for a recommendation.
inline constexpr size_t kFewestRounds = 3;

struct Advice {
  // Positions of the trees to use; 0 keeps the current one.
  size_t once = 0;   // for one query, including the build
  size_t often = 0;  // for many queries, without the build

  // Fraction of the time saved, from medians: 0 .. 1.
  double once_gain = 0;
  double often_gain = 0;

  // Number of queries from which `often` is cheaper than `once` in total,
  // including builds. 1 if both are the same tree.
  double pays_from = 1;
};

double Median(std::vector<double> values);

// Requires at least one timing. Builds may have fewer rounds than queries.
Advice Recommend(std::span<const Timing> timings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_ADVICE_H_
