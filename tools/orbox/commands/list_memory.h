// SPDX-License-Identifier: Apache-2.0

// Refuses lists of pairs that do not fit into the memory of the command, and
// the option to count the pairs only.
//
//   absl::Status fits = CheckListFits<TrianglePair>(
//       {.memory = settings.memory, .pair_bytes = 24, .most_pairs = n * m},
//       [&](PairVisitor visitor) { VisitOverlaps(a, b, visitor); });
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_LIST_MEMORY_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_LIST_MEMORY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "orbox/bvh/query/visit.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

inline constexpr Option kCountOption = {
    "--count", "",
    "count the pairs, and list none: for more of them than fit into --memory"};

struct ListMemory {
  uint64_t memory = 0;      // of the list, at most
  uint64_t pair_bytes = 0;  // of each pair, at least 1
  double most_pairs = 0;    // of any list: every triangle with every other
};

// `visit` calls its argument with each pair until it returns kStop. It is not
// called for meshes whose longest list fits. Counts at most the pairs that fit,
// without storing any. Returns kResourceExhausted if there are more.
template <typename Pair, typename VisitPairs>
absl::Status CheckListFits(const ListMemory& list, VisitPairs visit) {
  const uint64_t most = list.memory / list.pair_bytes;
  if (list.most_pairs <= static_cast<double>(most)) return absl::OkStatus();
  uint64_t count = 0;
  visit([&count, most](const Pair&) {
    return ++count > most ? Visit::kStop : Visit::kContinue;
  });
  if (count <= most) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      Cat("there are more than ", Grouped(most),
          " pairs, and their list would take more than --memory; give more, or "
          "--count, which lists none"));
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_LIST_MEMORY_H_
