// SPDX-License-Identifier: Apache-2.0

// Fits a tree, or its detail trees, to a mesh whose vertices have moved.
// Private.
//
//   Tree refitted = RefitTree(tree, moved, workers);
//
// Requires that `moved` has the triangles of the tree. May throw
// std::bad_alloc.
#ifndef ORBOX_BVH_BUILD_INTERNAL_REFIT_TREE_H_
#define ORBOX_BVH_BUILD_INTERNAL_REFIT_TREE_H_

#include <memory>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

Tree RefitTree(const Tree& tree, const Mesh& moved, const Workers& workers);

// Refits detail trees. They remain detail trees even if they become large.
// Returns null if `detail_trees` is null.
std::shared_ptr<const DetailTrees> RefitDetailTrees(
    const DetailTrees* detail_trees, const Mesh& moved, const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_REFIT_TREE_H_
