// Which triangles meet a sphere, an axis-aligned box or an oriented box?
//
//   std::vector<uint32_t> ids = CollectInRange(tree, Sphere{{0, 0, 1}, 0.1});
//   bool any = AnyInRange(tree, box);
//   VisitRange(tree, box, [&](uint32_t id) { return Visit::kContinue; });
//
// Exact: the triangles are those that exact arithmetic on the given coordinates
// finds, touching included. A shape that is not valid (NaN, negative radius, lo
// above hi) is the empty set and meets nothing; infinite radii and box sides
// are legal. Near O(log n + results). Thread-safe; nothing is allocated but the
// result.
#ifndef ORBOX_BVH_QUERY_RANGE_H_
#define ORBOX_BVH_QUERY_RANGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

// Calls `visitor` with each triangle id, in no particular order, until it
// answers kStop.
using TriangleVisitor = absl::FunctionRef<Visit(uint32_t triangle)>;
void VisitRange(const Tree& tree, const Sphere& ball, TriangleVisitor visitor,
                TraversalStatistics* statistics = nullptr);
void VisitRange(const Tree& tree, const Aabb& box, TriangleVisitor visitor,
                TraversalStatistics* statistics = nullptr);
void VisitRange(const Tree& tree, const Obb& box, TriangleVisitor visitor,
                TraversalStatistics* statistics = nullptr);

// The ids, ascending.
template <typename Shape>
std::vector<uint32_t> CollectInRange(const Tree& tree, const Shape& shape,
                                     TraversalStatistics* statistics = nullptr);

template <typename Shape>
size_t CountInRange(const Tree& tree, const Shape& shape,
                    TraversalStatistics* statistics = nullptr);

// Stops at the first triangle found.
template <typename Shape>
bool AnyInRange(const Tree& tree, const Shape& shape,
                TraversalStatistics* statistics = nullptr);

// Implementation.

template <typename Shape>
std::vector<uint32_t> CollectInRange(const Tree& tree, const Shape& shape,
                                     TraversalStatistics* statistics) {
  std::vector<uint32_t> ids;
  VisitRange(
      tree, shape,
      [&ids](uint32_t id) {
        ids.push_back(id);
        return Visit::kContinue;
      },
      statistics);
  std::sort(ids.begin(), ids.end());
  return ids;
}

template <typename Shape>
size_t CountInRange(const Tree& tree, const Shape& shape,
                    TraversalStatistics* statistics) {
  size_t count = 0;
  VisitRange(
      tree, shape,
      [&count](uint32_t) {
        ++count;
        return Visit::kContinue;
      },
      statistics);
  return count;
}

template <typename Shape>
bool AnyInRange(const Tree& tree, const Shape& shape,
                TraversalStatistics* statistics) {
  bool found = false;
  VisitRange(
      tree, shape,
      [&found](uint32_t) {
        found = true;
        return Visit::kStop;
      },
      statistics);
  return found;
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RANGE_H_
