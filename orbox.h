// SPDX-License-Identifier: Apache-2.0

// Everything of orbox::orbox except what needs Boost or MPI: the core, whose
// tour is bvh/bvh.h, and the libraries that stand on it.
//
//   absl::StatusOr<Mesh> mesh = ReadMeshFile("part.stl");    // bvh/io/
//   absl::StatusOr<Tree> tree = Build(*mesh);                // bvh/build/
//   auto hit = ClosestPoint(*tree, {0, 0, 1});               // bvh/query/
//   std::vector<PairDistance> tight = AllWithin(*tree, other, 0.5);
//
// Each library is a target of CMake and has a folder of its own: orbox::io is
// bvh/io/. Link and include only what you use, or all of it by this header.
#ifndef ORBOX_ORBOX_H_
#define ORBOX_ORBOX_H_

// The core: meshes in memory, trees, queries, scenes.
#include "orbox/bvh/bvh.h"  // IWYU pragma: export

// A mesh from a file or from a formula, and to a file.
#include "orbox/bvh/io/generate.h"      // IWYU pragma: export
#include "orbox/bvh/io/named_body.h"    // IWYU pragma: export
#include "orbox/bvh/io/read_bodies.h"   // IWYU pragma: export
#include "orbox/bvh/io/read_mesh.h"     // IWYU pragma: export
#include "orbox/bvh/io/write_bodies.h"  // IWYU pragma: export
#include "orbox/bvh/io/write_mesh.h"    // IWYU pragma: export

// Two solids, or the solids of a scene: clash, touch, or clear; the region that
// they share; the depth of a penetration; facts about the inside of a solid.
#include "orbox/bvh/solids/clash.h"             // IWYU pragma: export
#include "orbox/bvh/solids/close_holes.h"       // IWYU pragma: export
#include "orbox/bvh/solids/inside_facts.h"      // IWYU pragma: export
#include "orbox/bvh/solids/interior_overlap.h"  // IWYU pragma: export
#include "orbox/bvh/solids/penetration.h"       // IWYU pragma: export
#include "orbox/bvh/solids/scene_clash.h"       // IWYU pragma: export
#include "orbox/bvh/solids/shared_region.h"     // IWYU pragma: export

// Moving meshes: the time at which they first touch.
#include "orbox/bvh/motion/deforming_contact.h"  // IWYU pragma: export
#include "orbox/bvh/motion/rigid_motion.h"       // IWYU pragma: export
#include "orbox/bvh/motion/time_of_contact.h"    // IWYU pragma: export

// Meshes larger than memory: trees in chunks, in files.
#include "orbox/bvh/large/build_chunked.h"      // IWYU pragma: export
#include "orbox/bvh/large/chunk_tasks.h"        // IWYU pragma: export
#include "orbox/bvh/large/chunked_hausdorff.h"  // IWYU pragma: export
#include "orbox/bvh/large/chunked_tree.h"       // IWYU pragma: export
#include "orbox/bvh/large/global_ids.h"         // IWYU pragma: export
#include "orbox/bvh/large/mesh_relation.h"      // IWYU pragma: export
#include "orbox/bvh/large/pairs.h"              // IWYU pragma: export
#include "orbox/bvh/large/queries.h"            // IWYU pragma: export
#include "orbox/bvh/large/signed_distance.h"    // IWYU pragma: export
#include "orbox/bvh/large/winding_number.h"     // IWYU pragma: export

// Other broad phases than the one of scenes, for comparison.
#include "orbox/bvh/broad_phases/broad_phases.h"  // IWYU pragma: export

#endif  // ORBOX_ORBOX_H_
