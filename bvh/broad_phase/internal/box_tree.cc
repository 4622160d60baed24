// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/box_tree.h"

#include <algorithm>
#include <queue>

#include "orbox/bvh/base/internal/morton_code.h"
#include "orbox/bvh/base/internal/radix_sort.h"
#include "orbox/bvh/broad_phase/internal/center_scale.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/boxes/internal/ray_span.h"

namespace orbox {
namespace {

// A body and its key along the curve.
struct PlacedBody {
  uint64_t key = 0;
  BodyId body = 0;
};

// Returns the bodies in ascending order along the curve.
std::vector<PlacedBody> InOrder(const Bodies& bodies) {
  const CenterScale scale(bodies);
  std::vector<PlacedBody> order;
  order.reserve(bodies.count());
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (!bodies.Contains(body)) continue;
    const Aabb& box = bodies.box(body);
    order.push_back(
        {MortonCode(scale.Cell(box, 0), scale.Cell(box, 1), scale.Cell(box, 2)),
         body});
  }
  std::vector<PlacedBody> scratch;
  RadixSort(&order, &scratch,
            [](const PlacedBody& placed) { return placed.key; });
  return order;
}

// Returns a lower bound of t where the ray enters the box; infinite if the ray
// misses the box.
double EntryAtLeast(const Ray& ray, const Aabb& box) {
  const auto span = SpanInBox(ray, box, kInfinity);
  return span ? span->enter : kInfinity;
}

}  // namespace

void BoxTree::Build(const Bodies& bodies) {
  auto& [levels, ids] = boxes_;
  levels.clear();
  ids.clear();
  if (bodies.count() == 0) return;
  const std::vector<PlacedBody> order = InOrder(bodies);

  constexpr uint32_t kLanes = BoxBlock::kLanes;
  BoxBlock nothing;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    nothing.SetBox({{kInfinity, kInfinity, kInfinity},
                    {-kInfinity, -kInfinity, -kInfinity}},
                   lane);
  }
  const auto blocks = [](size_t boxes) {
    return (boxes + kLanes - 1) / kLanes;
  };
  levels.emplace_back(blocks(order.size()), nothing);
  ids.reserve(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    ids.push_back(order[i].body);
    levels[0][i / kLanes].SetBox(bodies.box(order[i].body), i % kLanes);
  }
  while (levels.back().size() > 1) {
    const std::vector<BoxBlock>& below = levels.back();
    std::vector<BoxBlock> above(blocks(below.size()), nothing);
    for (size_t i = 0; i < below.size(); ++i) {
      above[i / kLanes].SetBox(below[i].BoxAround(), i % kLanes);
    }
    levels.push_back(std::move(above));
  }
}

template <typename Key>
void BoxTree::VisitInOrder(Key key, double limit,
                           BroadPhase::VisitAtDistance visit) const {
  const auto& [levels, ids] = boxes_;
  if (levels.empty()) return;
  struct Entry {
    double key;
    // The level; below 0 for a body, so that it precedes blocks of equal key.
    int32_t level;
    uint32_t index;
    bool operator<(const Entry& other) const {
      return key != other.key ? key > other.key : level > other.level;
    }
  };
  std::priority_queue<Entry> waiting;
  waiting.push({0, static_cast<int32_t>(levels.size()) - 1, 0});
  while (!waiting.empty() && waiting.top().key <= limit) {
    const Entry at = waiting.top();
    waiting.pop();
    if (at.level < 0) {
      limit = std::min(limit, visit(ids[at.index], at.key));
      continue;
    }
    const BoxBlock& b = levels[static_cast<size_t>(at.level)][at.index];
    for (uint32_t lane = 0; lane < BoxBlock::kLanes; ++lane) {
      if (b.lo[0][lane] > b.hi[0][lane]) break;
      const double k = key(b.Box(lane));
      if (k < kInfinity && k <= limit) {
        waiting.push({std::max(k, at.key), at.level - 1,
                      at.index * BoxBlock::kLanes + lane});
      }
    }
  }
}

void BoxTree::VisitNearest(const Aabb& from, double distance,
                           BroadPhase::VisitAtDistance visit) const {
  VisitInOrder([&from](const Aabb& box) { return GapOf(from, box); }, distance,
               visit);
}

void BoxTree::VisitAlong(const Ray& ray, double t_max,
                         BroadPhase::VisitAtDistance visit) const {
  VisitInOrder([&ray](const Aabb& box) { return EntryAtLeast(ray, box); },
               t_max, visit);
}

}  // namespace orbox
