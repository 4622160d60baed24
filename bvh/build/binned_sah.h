// Where should a node's triangles be parted? By the surface area heuristic over
// binned centroids (Wald, "On fast construction of SAH-based bounding volume
// hierarchies", 2007).
//
//   BinnedSah sah(primitives, /*max_leaf=*/8);
//   ChildRanges children = sah.SplitIntoChildren(range, depth);
//
// Two parts at a time: the part that promises most is split until there are
// eight, or none is too large for a leaf (Wald, Benthin, Boulos, "Getting rid
// of packets", 2008). Triangles are counted in rows of eight, since a leaf of
// three costs what a leaf of eight does. Private; the result depends on the
// input alone.
#ifndef ORBOX_BVH_BUILD_BINNED_SAH_H_
#define ORBOX_BVH_BUILD_BINNED_SAH_H_

#include <cstdint>
#include <span>

#include "absl/container/inlined_vector.h"
#include "orbox/bvh/build/primitive.h"
#include "orbox/bvh/tree/node.h"

namespace orbox {

using ChildRanges = absl::InlinedVector<PrimitiveRange, kLanes>;

class BinnedSah {
 public:
  // Reorders `primitives` as it goes; they have to outlive it.
  BinnedSah(std::span<Primitive> primitives, uint32_t max_leaf)
      : primitives_(primitives), max_leaf_(max_leaf) {}

  // Up to eight ranges that make up `range`, which is not empty. `depth` is
  // that of the node they are the children of: near kMaxTreeDepth, ranges are
  // halved, so that no input, however hostile, makes a tree too deep.
  ChildRanges SplitIntoChildren(PrimitiveRange range, int depth);

 private:
  // The position at which to part the range; strictly inside it.
  uint32_t SplitByArea(PrimitiveRange range);
  uint32_t SplitInHalf(PrimitiveRange range);
  float HalfAreaOf(PrimitiveRange range) const;

  std::span<Primitive> primitives_;
  uint32_t max_leaf_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_BINNED_SAH_H_
