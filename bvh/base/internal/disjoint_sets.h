// SPDX-License-Identifier: Apache-2.0

// Disjoint sets of numbers, as a forest. Each search halves its path (Tarjan,
// van Leeuwen, "Worst-case analysis of set union algorithms", 1984). Private.
//
//   DisjointSets sets(n);
//   sets.Join(3, 5);
//   bool same = sets.Find(3) == sets.Find(5);
#ifndef ORBOX_BVH_BASE_INTERNAL_DISJOINT_SETS_H_
#define ORBOX_BVH_BASE_INTERNAL_DISJOINT_SETS_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace orbox {

class DisjointSets {
 public:
  explicit DisjointSets(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }

  // Returns the representative of the set of i: a number that is equal for all
  // members of the set.
  uint32_t Find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void Join(uint32_t i, uint32_t j) { parent_[Find(i)] = Find(j); }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_DISJOINT_SETS_H_
