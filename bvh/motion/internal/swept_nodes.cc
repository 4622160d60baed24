// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/swept_nodes.h"

#include <algorithm>

#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/motion/internal/apart_until.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {
namespace {

SweptBox Union(const SweptBox& a, const SweptBox& b) {
  return {orbox::Union(a.from, b.from), orbox::Union(a.to, b.to)};
}

// Stores a box in the next lane, and enlarges the box around all lanes.
// `lowest` is the lowest id of a triangle in the box.
void Append(const SweptBox& box, uint32_t child, uint32_t lowest,
            SweptNode* node) {
  const size_t lane = node->count++;
  for (size_t k = 0; k < 3; ++k) {
    node->from_lo[k][lane] = box.from.lo[k];
    node->from_hi[k][lane] = box.from.hi[k];
    node->to_lo[k][lane] = box.to.lo[k];
    node->to_hi[k][lane] = box.to.hi[k];
  }
  node->child[lane] = child;
  node->lowest = lane == 0 ? lowest : std::min(node->lowest, lowest);
  node->whole = lane == 0 ? box : Union(node->whole, box);
}

Aabb BoundsAt(const MovingTriangle& t, double time) {
  Triangle lo;
  Triangle hi;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const Enclosure at = CoordinateAt(t.from[i][k], t.to[i][k], time);
      lo[i][k] = at.lo;
      hi[i][k] = at.hi;
    }
  }
  return {BoundsOf(lo).lo, BoundsOf(hi).hi};
}

}  // namespace

SweptBox SweptNode::BoxOf(size_t lane) const {
  SweptBox box;
  for (size_t k = 0; k < 3; ++k) {
    box.from.lo[k] = from_lo[k][lane];
    box.from.hi[k] = from_hi[k][lane];
    box.to.lo[k] = to_lo[k][lane];
    box.to.hi[k] = to_hi[k][lane];
  }
  return box;
}

// Lower bounds of entry times. Boxes overlap along an axis while two linear
// functions are not negative: the upper side of each box minus the lower side
// of the other. Their signs at both ends of the time are exact. The zero
// between the ends is accurate to three roundings, for coordinates in the range
// of models.
SweptEntries EntriesOf(const SweptNode& node, const SweptBox& box) {
  constexpr double kDown = 1 - 0x1p-50;
  constexpr double kUp = 1 + 0x1p-50;
  constexpr double kNever = 2;
  double enter[kLanes] = {};
  double leave[kLanes];
  std::fill_n(leave, kLanes, 1.0);
  const auto keep = [&](size_t lane, double from, double to) {
    const double zero = from / (from - to);
    enter[lane] = std::max(enter[lane],
                           from < 0 ? (to < 0 ? kNever : zero * kDown) : 0.0);
    leave[lane] = std::min(leave[lane], to < 0 && from >= 0 ? zero * kUp : 1.0);
  };
  for (size_t k = 0; k < 3; ++k) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      keep(lane, node.from_hi[k][lane] - box.from.lo[k],
           node.to_hi[k][lane] - box.to.lo[k]);
      keep(lane, box.from.hi[k] - node.from_lo[k][lane],
           box.to.hi[k] - node.to_lo[k][lane]);
    }
  }
  SweptEntries entries;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    entries.time[lane] =
        lane < node.count && enter[lane] <= leave[lane] ? enter[lane] : kNever;
  }
  return entries;
}

SweptNodes::SweptNodes(const Tree& tree, std::span<const Vec3> to)
    : tree_(tree), to_(to.begin(), to.end()) {
  for (Vec3& v : to_) v = TinyAsZero(v);
  nodes_.reserve(tree.node_count() + tree.leaf_count());
  AddNode(Tree::kRoot);
}

MovingTriangle SweptNodes::triangle(uint32_t id) const {
  const TriangleIndices& t = tree_.mesh().triangles()[id];
  return {tree_.mesh().triangle(id), {to_[t[0]], to_[t[1]], to_[t[2]]}};
}

std::vector<Aabb> SweptNodes::BoxesAt(double time) const {
  std::vector<Aabb> boxes(nodes_.size());
  for (size_t i = nodes_.size(); i-- > 0;) {
    const SweptNode& node = nodes_[i];
    Aabb box{{kInfinity, kInfinity, kInfinity},
             {-kInfinity, -kInfinity, -kInfinity}};
    for (uint32_t lane = 0; lane < node.count; ++lane) {
      const uint32_t child = node.child[lane];
      box = orbox::Union(
          box, node.is_leaf ? BoundsAt(triangle(child), time) : boxes[child]);
    }
    boxes[i] = box;
  }
  return boxes;
}

// Adds nodes depth first, so that a node is near its descendants in memory. The
// recursion is at most kMaxTreeDepth deep.
void SweptNodes::AddNode(uint32_t index) {
  const Node node = tree_.node(index);
  const size_t place = nodes_.size();
  nodes_.push_back({});
  SweptNode swept{};
  for (uint32_t lane = 0; lane < node.count; ++lane) {
    const size_t child = nodes_.size();
    if (lane < node.inner_count) {
      AddNode(node.first_node + lane);
    } else {
      AddLeaf(node.first_leaf + lane - node.inner_count);
    }
    Append(nodes_[child].whole, static_cast<uint32_t>(child),
           nodes_[child].lowest, &swept);
  }
  nodes_[place] = swept;
}

void SweptNodes::AddLeaf(uint32_t index) {
  SweptNode swept{};
  swept.is_leaf = true;
  for (const uint32_t id : tree_.leaf_ids(index)) {
    if (id == kNoTriangle) continue;
    const MovingTriangle t = triangle(id);
    Append({BoundsOf(t.from), BoundsOf(t.to)}, id, id, &swept);
  }
  nodes_.push_back(swept);
}

}  // namespace orbox
