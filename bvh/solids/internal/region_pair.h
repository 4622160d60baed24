// SPDX-License-Identifier: Apache-2.0

// Two solids near their shared region, and the boxes into which a search
// divides that region. Private.
//
//   const RegionPair pair = RegionPair::Shared(a, b);
//   RegionCell cell = pair.Root();
//   pair.Keep(cell.box, &cell);                 // what does not reach the box
//   const CellSplit split = pair.SplitOf(cell);
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_REGION_PAIR_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_REGION_PAIR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/solids/internal/local_solid.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A box of the region's frame, and the triangles of each solid that may matter
// inside the box.
struct RegionCell {
  Aabb box;
  std::array<std::vector<uint32_t>, 2> triangles;
};

struct CellSplit {
  size_t axis;
  double at;
};

class RegionPair {
 public:
  // The solids must outlive this object.
  static RegionPair Shared(const Solid& a, const Solid& b);

  // False if the bounds have no common point. Then no other function may be
  // called.
  bool has_region() const { return has_region_; }
  // Box that contains the region.
  const Aabb& box() const { return box_; }
  const Frame& frame() const { return frame_; }
  const LocalSolid& solid(size_t i) const { return solids_[i]; }
  // Bound of the rounding error of a coordinate or a distance.
  double error() const { return error_; }

  RegionCell Root() const;
  // Drops triangles that do not overlap `reach`.
  void Keep(const Aabb& reach, RegionCell* cell) const;

  // Returns the cut of a cell: along the face at right angles to an axis that
  // is nearest to the middle, or else through the middle of the longest side. A
  // side not longer than `shortest` is not cut along faces.
  CellSplit SplitOf(const RegionCell& cell, double shortest) const;

 private:
  RegionPair(const Solid& a, const Solid& b, const Aabb& world);

  bool has_region_;
  Frame frame_;
  Aabb box_;
  std::vector<LocalSolid> solids_;
  double error_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_REGION_PAIR_H_
