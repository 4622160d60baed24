// SPDX-License-Identifier: Apache-2.0

// The core of Orbox, in the order in which data flows: the tour of orbox::bvh.
//
//   absl::StatusOr<Mesh> mesh = Mesh::Create(vertices, triangles);  // mesh/
//   absl::StatusOr<Tree> tree = Build(*mesh);                       // build/
//   auto hit = ClosestPoint(*tree, {0, 0, 1});                      // query/
//   std::vector<PairDistance> tight = AllWithin(*tree, other, 0.5);
//
// Mesh::Create, Build, PosedTree::Create and batches of queries return errors.
// A single query returns a plain value. It ends the program if an argument is
// not valid (traverse/query_options.h). Meshes and trees are immutable values
// that share their data, and any number of threads may query them. A query adds
// its cost to a TraversalStatistics if the options contain one.
//
// orbox/orbox.h has the core and all that stands on it: files, solids, motion,
// meshes larger than memory, other broad phases.
#ifndef ORBOX_BVH_BVH_H_
#define ORBOX_BVH_BVH_H_

// A mesh: validated triangles.
#include "orbox/bvh/mesh/inside_rule.h"      // IWYU pragma: export
#include "orbox/bvh/mesh/mesh.h"             // IWYU pragma: export
#include "orbox/bvh/mesh/mesh_components.h"  // IWYU pragma: export

// A tree over it.
#include "orbox/bvh/build/build.h"           // IWYU pragma: export
#include "orbox/bvh/build/deforming_tree.h"  // IWYU pragma: export
#include "orbox/bvh/build/refit.h"           // IWYU pragma: export
#include "orbox/bvh/tree/tree.h"             // IWYU pragma: export
#include "orbox/bvh/tree/tree_file.h"        // IWYU pragma: export
#include "orbox/bvh/tree/tree_shape.h"       // IWYU pragma: export

// One tree. Which triangles overlap a region?
#include "orbox/bvh/query/region.h"                  // IWYU pragma: export
#include "orbox/bvh/query/regions/region_overlap.h"  // IWYU pragma: export

// Closest points; inside or outside.
#include "orbox/bvh/query/inside/inside.h"           // IWYU pragma: export
#include "orbox/bvh/query/inside/signed_distance.h"  // IWYU pragma: export
#include "orbox/bvh/query/inside/surface_side.h"     // IWYU pragma: export
#include "orbox/bvh/query/inside/winding_number.h"   // IWYU pragma: export
#include "orbox/bvh/query/points/closest_point.h"    // IWYU pragma: export
#include "orbox/bvh/query/points/k_nearest.h"        // IWYU pragma: export
#include "orbox/bvh/query/points/surface_normal.h"   // IWYU pragma: export

// Hits of rays and of moving balls.
#include "orbox/bvh/query/rays/ray_crossings.h"  // IWYU pragma: export
#include "orbox/bvh/query/rays/ray_hit.h"        // IWYU pragma: export
#include "orbox/bvh/query/rays/sweep_hit.h"      // IWYU pragma: export

// Lists of batches, and what visitors return.
#include "orbox/bvh/query/lists.h"  // IWYU pragma: export
#include "orbox/bvh/query/visit.h"  // IWYU pragma: export

// Two trees, each with a pose: overlap, distance, clearance.
#include "orbox/bvh/posed/posed_tree.h"                  // IWYU pragma: export
#include "orbox/bvh/posed/witness.h"                     // IWYU pragma: export
#include "orbox/bvh/query/pairs/closest_pair.h"          // IWYU pragma: export
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"  // IWYU pragma: export
#include "orbox/bvh/query/pairs/pair_clusters.h"         // IWYU pragma: export
#include "orbox/bvh/query/pairs/pair_overlap.h"          // IWYU pragma: export
#include "orbox/bvh/query/pairs/pair_within.h"           // IWYU pragma: export

// Two trees: contacts, inside or not, deviation; and a mesh's overlaps with
// itself.
#include "orbox/bvh/query/deviation/deviation_summary.h"  // IWYU pragma: export
#include "orbox/bvh/query/deviation/hausdorff.h"          // IWYU pragma: export
#include "orbox/bvh/query/inside/mesh_relation.h"         // IWYU pragma: export
#include "orbox/bvh/query/pairs/pair_contacts.h"          // IWYU pragma: export
#include "orbox/bvh/query/pairs/self_overlap.h"           // IWYU pragma: export
#include "orbox/bvh/query/pairs/self_within.h"            // IWYU pragma: export

// Many moving boxes: the overlapping pairs, frame by frame.
#include "orbox/bvh/broad_phase/broad_phase.h"   // IWYU pragma: export
#include "orbox/bvh/broad_phase/pair_changes.h"  // IWYU pragma: export

// Many bodies, each a tree and a pose. Which overlap each other, a mesh (also
// at many poses), or a region; which are within d; which is closest to another,
// a mesh, or a point; what does a ray hit; what changes from frame to frame?
#include "orbox/bvh/scene/body_answers.h"          // IWYU pragma: export
#include "orbox/bvh/scene/body_filter.h"           // IWYU pragma: export
#include "orbox/bvh/scene/contact_tracker.h"       // IWYU pragma: export
#include "orbox/bvh/scene/scene.h"                 // IWYU pragma: export
#include "orbox/bvh/scene/scene_closest.h"         // IWYU pragma: export
#include "orbox/bvh/scene/scene_hit.h"             // IWYU pragma: export
#include "orbox/bvh/scene/scene_overlap.h"         // IWYU pragma: export
#include "orbox/bvh/scene/scene_region_overlap.h"  // IWYU pragma: export
#include "orbox/bvh/scene/scene_within.h"          // IWYU pragma: export

// Options, and the cost of queries.
#include "orbox/bvh/traverse/query_options.h"   // IWYU pragma: export
#include "orbox/bvh/traverse/shared_corners.h"  // IWYU pragma: export
#include "orbox/bvh/traverse/statistics.h"      // IWYU pragma: export

#endif  // ORBOX_BVH_BVH_H_
