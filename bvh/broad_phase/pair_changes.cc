// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/pair_changes.h"

namespace orbox {

PairChanges ChangesOf(std::span<const BodyPair> before,
                      std::span<const BodyPair> after) {
  PairChanges changes;
  auto old = before.begin();
  for (const BodyPair& pair : after) {
    for (; old != before.end() && *old < pair; ++old) {
      changes.ended.push_back(*old);
    }
    if (old != before.end() && *old == pair) {
      changes.staying.push_back(pair);
      ++old;
    } else {
      changes.begun.push_back(pair);
    }
  }
  changes.ended.insert(changes.ended.end(), old, before.end());
  return changes;
}

}  // namespace orbox
