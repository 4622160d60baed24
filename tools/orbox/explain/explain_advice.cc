// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_advice.h"

#include <algorithm>
#include <cmath>

namespace orbox::cli {
namespace {

using Seconds = std::vector<double>;

bool IsClearlyFaster(const Seconds& other, const Seconds& base) {
  const size_t rounds = std::min(other.size(), base.size());
  if (rounds < kFewestRounds) return false;
  const double factor = 1 - kClearGain;
  size_t faster = 0;
  for (size_t i = 0; i < rounds; ++i) faster += other[i] < factor * base[i];
  return 4 * faster >= 3 * rounds && Median(other) < factor * Median(base);
}

// Returns the tree with the least median, if it is clearly faster than the
// first tree, or the first tree.
size_t Fastest(std::span<const Seconds> all) {
  size_t best = 0;
  for (size_t i = 1; i < all.size(); ++i) {
    if (!IsClearlyFaster(all[i], all[0])) continue;
    if (Median(all[i]) < Median(all[best])) best = i;
  }
  return best;
}

double GainOf(const Seconds& other, const Seconds& base) {
  return 1 - Median(other) / Median(base);
}

// Returns the time of a build plus one query, for each round.
Seconds Once(const Timing& timing) {
  const size_t rounds = std::min(timing.build.size(), timing.query.size());
  Seconds once(rounds);
  for (size_t i = 0; i < rounds; ++i) {
    once[i] = timing.build[i] + timing.query[i];
  }
  return once;
}

// Returns the number of queries from which `late` is cheaper in total than
// `early`.
double PaysFrom(const Timing& late, const Timing& early) {
  const double build = Median(late.build) - Median(early.build);
  const double query = Median(early.query) - Median(late.query);
  return std::max(1.0, std::ceil(build / query));
}

}  // namespace

double Median(Seconds values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2;
}

Advice Recommend(std::span<const Timing> timings) {
  std::vector<Seconds> often, once;
  for (const Timing& timing : timings) {
    often.push_back(timing.query);
    once.push_back(Once(timing));
  }
  Advice advice;
  advice.often = Fastest(often);
  advice.once = Fastest(once);
  // If the tree that is best for one query is as fast as any other for many
  // queries, a second tree gains nothing.
  if (!IsClearlyFaster(often[advice.often], often[advice.once])) {
    if (advice.once != 0) advice.often = advice.once;
  }
  if (advice.once != 0) advice.once_gain = GainOf(once[advice.once], once[0]);
  if (advice.often != 0) {
    advice.often_gain = GainOf(often[advice.often], often[0]);
  }
  if (advice.often != advice.once) {
    advice.pays_from = PaysFrom(timings[advice.often], timings[advice.once]);
  }
  return advice;
}

}  // namespace orbox::cli
