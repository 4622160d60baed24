// Which triangles meet a sphere, an axis-aligned box, an oriented box, or a
// convex set of half-spaces, such as a view frustum?
//
//   std::vector<uint32_t> ids = CollectInRange(tree, Sphere{{0, 0, 1}, 0.1});
//   bool any = AnyInRange(tree, box);
//   VisitRange(tree, box, [&](uint32_t id) { return Visit::kContinue; });
//
// Exact: the triangles are those that exact arithmetic on the given coordinates
// finds, touching included. A shape that is not valid (NaN, negative radius, lo
// above hi) is the empty set; infinite radii, offsets of half-spaces, and sides
// of boxes but oriented ones are legal. Near O(log n + results). Thread-safe;
// nothing is allocated but the result, and a list of the half-spaces.
#ifndef ORBOX_BVH_QUERY_RANGE_H_
#define ORBOX_BVH_QUERY_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

// Calls `visitor` with each triangle id, in no particular order, until it
// answers kStop.
using TriangleVisitor = absl::FunctionRef<Visit(uint32_t triangle)>;
ORBOX_EXPORT void VisitRange(const Tree& tree, const Sphere& ball,
                             TriangleVisitor visitor,
                             TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT void VisitRange(const Tree& tree, const Aabb& box,
                             TriangleVisitor visitor,
                             TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT void VisitRange(const Tree& tree, const Obb& box,
                             TriangleVisitor visitor,
                             TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT void VisitRange(const Tree& tree, HalfSpaces set,
                             TriangleVisitor visitor,
                             TraversalStatistics* statistics = nullptr);

// The ids, ascending.
ORBOX_EXPORT std::vector<uint32_t> CollectInRange(
    const Tree& tree, const Sphere& ball,
    TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT std::vector<uint32_t> CollectInRange(
    const Tree& tree, const Aabb& box,
    TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT std::vector<uint32_t> CollectInRange(
    const Tree& tree, const Obb& box,
    TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT std::vector<uint32_t> CollectInRange(
    const Tree& tree, HalfSpaces set,
    TraversalStatistics* statistics = nullptr);

// In which order are ids wanted? The tree's costs nothing, and is the same on
// every machine; but it depends on the builder and the kind of volumes.
enum class IdOrder { kAscending, kOfTree };

// The same, appended to `ids`: for callers that keep the memory.
ORBOX_EXPORT void AppendInRange(const Tree& tree, const Sphere& ball,
                                std::vector<uint32_t>* ids,
                                IdOrder order = IdOrder::kAscending,
                                TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT void AppendInRange(const Tree& tree, const Aabb& box,
                                std::vector<uint32_t>* ids,
                                IdOrder order = IdOrder::kAscending,
                                TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT void AppendInRange(const Tree& tree, const Obb& box,
                                std::vector<uint32_t>* ids,
                                IdOrder order = IdOrder::kAscending,
                                TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT void AppendInRange(const Tree& tree, HalfSpaces set,
                                std::vector<uint32_t>* ids,
                                IdOrder order = IdOrder::kAscending,
                                TraversalStatistics* statistics = nullptr);

ORBOX_EXPORT size_t CountInRange(const Tree& tree, const Sphere& ball,
                                 TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT size_t CountInRange(const Tree& tree, const Aabb& box,
                                 TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT size_t CountInRange(const Tree& tree, const Obb& box,
                                 TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT size_t CountInRange(const Tree& tree, HalfSpaces set,
                                 TraversalStatistics* statistics = nullptr);

// Stops at the first triangle found.
ORBOX_EXPORT bool AnyInRange(const Tree& tree, const Sphere& ball,
                             TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT bool AnyInRange(const Tree& tree, const Aabb& box,
                             TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT bool AnyInRange(const Tree& tree, const Obb& box,
                             TraversalStatistics* statistics = nullptr);
ORBOX_EXPORT bool AnyInRange(const Tree& tree, HalfSpaces set,
                             TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RANGE_H_
