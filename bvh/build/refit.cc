// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/refit.h"

#include <algorithm>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/choose_volume.h"
#include "orbox/bvh/build/internal/refit_tree.h"

namespace orbox {
namespace {

absl::Status CheckSameTriangles(const Mesh& mesh, const Mesh& moved) {
  if (mesh.triangle_count() != moved.triangle_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the tree is over ", mesh.triangle_count(),
                     " triangles and the moved "
                     "mesh has ",
                     moved.triangle_count(),
                     "; a refit needs the same ones: build a new tree"));
  }
  const auto [here, there] =
      std::mismatch(mesh.triangles().begin(), mesh.triangles().end(),
                    moved.triangles().begin());
  if (here == mesh.triangles().end()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "triangle ", here - mesh.triangles().begin(), " has the vertices ",
      (*here)[0], ", ", (*here)[1], ", ", (*here)[2],
      " in the tree's mesh and ", (*there)[0], ", ", (*there)[1], ", ",
      (*there)[2],
      " in the moved one; a refit needs the same: build a new tree"));
}

}  // namespace

absl::StatusOr<Tree> Refit(const Tree& tree, const Mesh& moved,
                           const RefitOptions& options) {
  if (absl::Status s = CheckSameTriangles(tree.mesh(), moved); !s.ok()) {
    return s;
  }
  if (options.threads < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("RefitOptions::threads is ", options.threads,
                     "; give 0 for all cores, or how many to use"));
  }
  try {
    return RefitTree(tree, moved, Workers(options.threads));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of memory while refitting a tree over ", moved.triangle_count(),
        " triangles; it takes about 140 bytes a triangle"));
  }
}

double ExpectedVisits(const Tree& tree) {
  const Aabb& bounds = tree.mesh().bounds();
  const Vec3 edges =
      tree.space().FromModel(bounds.hi) - tree.space().FromModel(bounds.lo);
  const double r = 0.01 * 0.5 * Norm(edges);
  // A mesh that is a single point has no size to compare with. A query then
  // expands all volumes.
  const double whole = DilatedBoxVolume(edges, r);
  return whole > 0
             ? DilatedVolumes(tree, r) / whole
             : static_cast<double>(tree.node_count() - 1 + tree.leaf_count());
}

}  // namespace orbox
