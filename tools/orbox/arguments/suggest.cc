// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

// Returns the optimal string alignment distance: the number of edits of single
// letters and swaps of neighbours, in which no letter is edited twice.
size_t EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the dynamic programming table. `row` is for the first i
  // letters.
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// Maximum length of a typed name that is compared. Known names are short.
constexpr size_t kLongestName = 64;

}  // namespace

std::string_view Suggest(std::string_view typed,
                         std::span<const std::string_view> known) {
  std::string_view best;
  if (typed.size() > kLongestName) return best;
  size_t best_distance = 0;
  for (const std::string_view name : known) {
    const size_t distance = EditDistance(typed, name);
    if (3 * distance > std::max(typed.size(), name.size())) continue;
    if (best.empty() || distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view typed,
                       std::span<const std::string_view> known) {
  const std::string_view name = Suggest(typed, known);
  return name.empty() ? "" : Cat("; did you mean '", name, "'?");
}

}  // namespace orbox::cli
