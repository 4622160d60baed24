// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/weld.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

namespace orbox::mesh_internal {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// Odd multipliers spread the bits to higher ones, and the shifts move high bits
// back down (the final step of splitmix64). Adding +0 turns -0 into +0.
uint64_t Hash(const Vec3& p) {
  uint64_t h = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    h ^= std::bit_cast<uint64_t>(p[axis] + 0.0);
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 32;
  }
  h *= 0x94d049bb133111ebu;
  return h ^ (h >> 29);
}

}  // namespace

Welded Weld(std::span<const Vec3> points, const Workers& workers) {
  // The table is at most half full, so that probes of ordinary points are
  // short.
  const size_t slots =
      std::bit_ceil(std::max<size_t>(2 * points.size(), size_t{16}));
  std::vector<uint32_t> table(slots, kNone);
  Welded welded;
  welded.id.reserve(points.size());

  // Random points take about 1.5 probes each. If there are far more, the points
  // were probably chosen to collide.
  size_t probes_left = 16 * points.size() + 1024;
  for (size_t i = 0; i < points.size();) {
    for (const size_t end = workers.EndOfBlock(i, points.size()); i < end;
         ++i) {
      size_t slot = Hash(points[i]) & (slots - 1);
      while (table[slot] != kNone &&
             points[welded.first[table[slot]]] != points[i]) {
        slot = (slot + 1) & (slots - 1);
        if (--probes_left == 0) return WeldBySorting(points);
      }
      if (table[slot] == kNone) {
        table[slot] = static_cast<uint32_t>(welded.first.size());
        welded.first.push_back(static_cast<uint32_t>(i));
      }
      welded.id.push_back(table[slot]);
    }
  }
  return welded;
}

Welded WeldBySorting(std::span<const Vec3> points) {
  std::vector<uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [points](uint32_t i, uint32_t j) {
    const Vec3& p = points[i];
    const Vec3& q = points[j];
    return std::tie(p.x, p.y, p.z, i) < std::tie(q.x, q.y, q.z, j);
  });

  // Equal points are adjacent in this order. The first of them comes first.
  std::vector<uint32_t> front(points.size());
  for (size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && points[order[k]] == points[order[k - 1]];
    front[order[k]] = same ? front[order[k - 1]] : order[k];
  }

  Welded welded;
  welded.id.resize(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    if (front[i] == i) {
      welded.id[i] = static_cast<uint32_t>(welded.first.size());
      welded.first.push_back(static_cast<uint32_t>(i));
    } else {
      welded.id[i] = welded.id[front[i]];
    }
  }
  return welded;
}

}  // namespace orbox::mesh_internal
