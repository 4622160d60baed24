// Which tree should a query be asked of? What follows from times that were
// measured in turn.
//
//   const Advice advice = Recommend(timings);    // [0]: the tree at hand
//   if (advice.often != 0) ...                   // another one is faster
//
// A tree is recommended where it is clearly faster than the one at hand: in its
// median and in three rounds of four, each beside the same round of the other,
// by more than kClearGain. What disturbs a machine disturbs neighbours in time
// alike, so rounds are compared with themselves.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_ADVICE_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_ADVICE_H_

#include <cstddef>
#include <span>
#include <vector>

namespace orbox::cli {

// In seconds, an entry for each round.
struct Timing {
  std::vector<double> build;  // zeros where the tree is there already
  std::vector<double> query;
};

// The share of the time that has to be saved.
inline constexpr double kClearGain = 0.05;

// With fewer rounds nothing is clear.
inline constexpr size_t kFewestRounds = 3;

struct Advice {
  // Positions of the trees to use; 0 keeps the one at hand.
  size_t once = 0;   // ... where the query is asked once: its build counts
  size_t often = 0;  // ... where it is asked so often that no build counts

  // The share of the time that they save, of medians: 0 .. 1.
  double once_gain = 0;
  double often_gain = 0;

  // How often the query has to be asked for `often` to cost less in all than
  // `once`, builds included; 1 where that is the same tree.
  double pays_from = 1;
};

double Median(std::vector<double> values);

// Requires at least one timing. Builds may have fewer rounds than queries.
Advice Recommend(std::span<const Timing> timings);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_ADVICE_H_
