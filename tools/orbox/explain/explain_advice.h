// SPDX-License-Identifier: Apache-2.0

// Recommends a tree for a query, from times measured in turn.
//
//   const Advice advice = Recommend(timings);    // [0]: the current tree
//   if (advice.often != 0) ...                   // another one is faster
//
// A recommended tree is clearly faster than the current one. It saves more than
// kClearGain in its median, and in three rounds of four, each compared with the
// same round of the other tree. A disturbance of the machine affects
// neighbouring measurements alike, so only measurements of one round are
// compared.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_ADVICE_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_ADVICE_H_

#include <cstddef>
#include <span>
#include <vector>

namespace orbox::cli {

// Seconds, with an entry for each round.
struct Timing {
  std::vector<double> build;  // zeros if the tree existed before
  std::vector<double> query;
};

// Fraction of the time that a recommendation must save.
inline constexpr double kClearGain = 0.05;

// Fewer rounds do not justify a recommendation.
inline constexpr size_t kFewestRounds = 3;

struct Advice {
  // Positions of the trees to use; 0 keeps the current one.
  size_t once = 0;   // ... for one query: its build counts
  size_t often = 0;  // ... for many queries: builds do not count

  // Fraction of the time saved, by medians: 0 .. 1.
  double once_gain = 0;
  double often_gain = 0;

  // Number of queries from which `often` is cheaper than `once` in total,
  // builds included; 1 if both are one tree.
  double pays_from = 1;
};

double Median(std::vector<double> values);

// Requires at least one timing. Builds may have fewer rounds than queries.
Advice Recommend(std::span<const Timing> timings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_ADVICE_H_
