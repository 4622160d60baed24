// SPDX-License-Identifier: Apache-2.0

// The boxes of boost_geometry/index.h, in a tree.
//
//   ValueTree<Value> boxes(tree);
//
// A node of the mesh's tree holds volumes of triangles, which may be smaller
// than their boxes. So the boxes have a separate tree. It has the nodes and
// leaves of the mesh's tree, and stores the exact bounding box of all values
// below each child. Users of the index do not need this header.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_BOXES_H_
#define ORBOX_BVH_BOOST_GEOMETRY_BOXES_H_

#include <boost/geometry/algorithms/assign.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/boost_geometry/concepts.h"
#include "orbox/bvh/boost_geometry/predicates.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::boost_geometry_internal {

// A child: either a node, without values, or `count` values from `first` on.
// `fulfil` is not 0 if all of them are known to fulfil the predicates.
struct Below {
  uint32_t first;
  uint32_t count : 31;
  uint32_t fulfil : 1;
};

template <typename T>
struct BoxNode {
  T lo[3][kLanes] = {};
  T hi[3][kLanes] = {};
  Below below[kLanes] = {};
  Below values[kLanes] = {};  // all below child i, which are contiguous
  uint32_t count = 0;
  uint32_t inner_count = 0;  // of nodes, which come first
};

template <typename Value>
struct ValueTree {
  using Box = typename Value::first_type;
  using Id = typename Value::second_type;
  using T = typename bg::coordinate_type<Box>::type;
  static_assert(BoostBox<Box> && std::floating_point<T>,
                "values are pairs of a box in space, of float or double, and "
                "an id");

  ValueTree() = default;
  explicit ValueTree(const Tree& of);

  Box bounds() const;
  uint32_t TriangleOf(const Value* value) const {
    return triangles[static_cast<size_t>(value - values.data())];
  }
  const Value* ValueOf(uint32_t triangle) const {
    return &values[positions[triangle]];
  }

  // Conversions between our boxes in T and the boxes of values.
  static Box ToBox(const BasicAabb<T>& from);
  static Box LaneBox(const BoxNode<T>& node, size_t lane);

  std::optional<Tree> tree;
  std::vector<BoxNode<T>> nodes;  // as the tree numbers them; empty: no values
  std::vector<Value> values;      // leaf by leaf
  std::vector<uint32_t> triangles;  // values[i] is of triangles[i]
  std::vector<uint32_t> positions;  // the inverse

 private:
  BasicAabb<T> FillNode(uint32_t index,
                        const std::vector<uint32_t>& leaf_start);
};

// Returns bit i if child i is within reach.
template <typename T>
uint32_t WithinReach(const BoxNode<T>& node, const Reach<T>& reach);

// Returns bit i if the reach contains all values below child i.
template <typename T>
uint32_t Covered(const BoxNode<T>& node, const Reach<T>& reach);

// Implementation only below.

template <typename Value>
ValueTree<Value>::ValueTree(const Tree& of) : tree(of) {
  const Mesh& mesh = of.mesh();
  values.reserve(mesh.triangle_count());
  triangles.reserve(mesh.triangle_count());
  positions.resize(mesh.triangle_count());
  std::vector<uint32_t> leaf_start;
  leaf_start.reserve(of.leaf_count() + 1);
  for (size_t leaf = 0; leaf < of.leaf_count(); ++leaf) {
    leaf_start.push_back(static_cast<uint32_t>(values.size()));
    for (const uint32_t id : of.leaf_ids(leaf)) {
      if (id == kNoTriangle) break;
      positions[id] = static_cast<uint32_t>(values.size());
      triangles.push_back(id);
      values.emplace_back(ToBox(ToAabb<T>(BoundsOf(mesh.triangle(id)))),
                          static_cast<Id>(id));
    }
  }
  leaf_start.push_back(static_cast<uint32_t>(values.size()));
  nodes.resize(of.node_count());
  FillNode(Tree::kRoot, leaf_start);
}

template <typename Value>
BasicAabb<typename ValueTree<Value>::T> ValueTree<Value>::FillNode(
    uint32_t index, const std::vector<uint32_t>& leaf_start) {
  const Node from = tree->node(index);
  BoxNode<T>& node = nodes[index];
  node.count = from.count;
  node.inner_count = from.inner_count;
  BasicAabb<T> all;
  for (uint32_t lane = 0; lane < from.count; ++lane) {
    BasicAabb<T> box;
    if (lane < from.inner_count) {
      const uint32_t child = from.first_node + lane;
      const Node inner = tree->node(child);
      const uint32_t first = leaf_start[inner.first_leaf];
      node.below[lane] = {child, 0, 0};
      node.values[lane] = {
          first, leaf_start[inner.first_leaf + inner.leaves_below] - first, 0};
      box = FillNode(child, leaf_start);
    } else {
      const uint32_t leaf = from.first_leaf + lane - from.inner_count;
      const uint32_t first = leaf_start[leaf];
      node.below[lane] = {first, leaf_start[leaf + 1] - first, 0};
      node.values[lane] = node.below[lane];
      box = ToAabb<T>(values[first].first);
      for (uint32_t i = first + 1; i < leaf_start[leaf + 1]; ++i) {
        box = Union(box, ToAabb<T>(values[i].first));
      }
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      node.lo[axis][lane] = box.lo[axis];
      node.hi[axis][lane] = box.hi[axis];
    }
    all = lane == 0 ? box : Union(all, box);
  }
  return all;
}

template <typename Value>
typename ValueTree<Value>::Box ValueTree<Value>::bounds() const {
  Box box;
  if (nodes.empty()) {
    bg::assign_inverse(box);
    return box;
  }
  const BoxNode<T>& root = nodes[Tree::kRoot];
  BasicAabb<T> all = ToAabb<T>(LaneBox(root, 0));
  for (uint32_t lane = 1; lane < root.count; ++lane) {
    all = Union(all, ToAabb<T>(LaneBox(root, lane)));
  }
  return ToBox(all);
}

template <typename Value>
typename ValueTree<Value>::Box ValueTree<Value>::ToBox(
    const BasicAabb<T>& from) {
  Box box;
  bg::set<bg::min_corner, 0>(box, from.lo.x);
  bg::set<bg::min_corner, 1>(box, from.lo.y);
  bg::set<bg::min_corner, 2>(box, from.lo.z);
  bg::set<bg::max_corner, 0>(box, from.hi.x);
  bg::set<bg::max_corner, 1>(box, from.hi.y);
  bg::set<bg::max_corner, 2>(box, from.hi.z);
  return box;
}

template <typename Value>
typename ValueTree<Value>::Box ValueTree<Value>::LaneBox(const BoxNode<T>& node,
                                                         size_t lane) {
  return ToBox({{node.lo[0][lane], node.lo[1][lane], node.lo[2][lane]},
                {node.hi[0][lane], node.hi[1][lane], node.hi[2][lane]}});
}

// Returns bit i if no difference(axis, i) is positive. Rounded differences have
// the sign of the exact ones. Compares all lanes, so that the compiler can
// vectorize.
template <typename T, typename Difference>
uint32_t LanesWithoutPositive(const BoxNode<T>& node, Difference difference) {
  T largest[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    T all = -1;
    for (size_t axis = 0; axis < 3; ++axis) {
      const T of_axis = difference(axis, lane);
      all = of_axis > all ? of_axis : all;
    }
    largest[lane] = all;
  }
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    lanes |= static_cast<uint32_t>(largest[lane] <= 0) << lane;
  }
  return lanes & ((1u << node.count) - 1);
}

template <typename T>
uint32_t WithinReach(const BoxNode<T>& node, const Reach<T>& reach) {
  return LanesWithoutPositive(node, [&](size_t axis, size_t lane) {
    const T above = node.lo[axis][lane] - reach.hi[axis];
    const T below = reach.lo[axis] - node.hi[axis][lane];
    return above > below ? above : below;
  });
}

template <typename T>
uint32_t Covered(const BoxNode<T>& node, const Reach<T>& reach) {
  return LanesWithoutPositive(node, [&](size_t axis, size_t lane) {
    const T below = reach.lo[axis] - node.lo[axis][lane];
    const T above = node.hi[axis][lane] - reach.hi[axis];
    return above > below ? above : below;
  });
}

}  // namespace orbox::boost_geometry_internal

#endif  // ORBOX_BVH_BOOST_GEOMETRY_BOXES_H_
