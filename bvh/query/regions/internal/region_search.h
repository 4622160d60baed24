// SPDX-License-Identifier: Apache-2.0

// Runs a query of one region on one tree: any, the number, all, or a visit of
// the triangles that overlap it. Private.
//
//   return RegionSearch(options).Count(tree, region);
//
// Requires a valid region; otherwise ends the program with a message. Requires
// options that outlive the object.
#ifndef ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_SEARCH_H_
#define ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT RegionSearch {
 public:
  template <typename Options>
  explicit RegionSearch(const Options& options) : watch_(Execution(options)) {}
  explicit RegionSearch(const Watch& watch) : watch_(watch) {}

  bool Any(TreeAtPose tree, const Region& region) const;
  size_t Count(TreeAtPose tree, const Region& region) const;
  void Visit(TreeAtPose tree, const Region& region,
             TriangleVisitor visitor) const;
  // Appends the ids to `ids`.
  void Append(TreeAtPose tree, const Region& region, std::vector<uint32_t>* ids,
              IdOrder order = IdOrder::kAscending) const;

 private:
  const Watch watch_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_SEARCH_H_
