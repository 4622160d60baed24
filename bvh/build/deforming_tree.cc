// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/deforming_tree.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <new>
#include <numbers>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/choose_volume.h"
#include "orbox/bvh/build/internal/fill.h"
#include "orbox/bvh/build/internal/refit_tree.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {

// The memory of a tree and its mesh, except for the mesh's triangle indices.
struct DeformingTree::Room {
  std::vector<Vec3> vertices;
  std::vector<Node> nodes;
  std::vector<Leaf> leaves;
  std::vector<Triangle> corners;
};

namespace {

absl::Status CheckOptions(const DeformingOptions& options) {
  if (!(options.most_growth >= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("DeformingOptions::most_growth is ", options.most_growth,
                     "; give how many times as much a query may cost, 1 "
                     "at least"));
  }
  if (options.build.storage == Storage::kCompact) {
    return absl::InvalidArgumentError(
        "DeformingOptions::build asks for compact storage, which cannot be "
        "refitted in place; use Storage::kWide");
  }
  return absl::OkStatus();
}

absl::Status CheckVertices(const Mesh& mesh, std::span<const Vec3> vertices) {
  if (vertices.size() != mesh.vertex_count()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the mesh has ", mesh.vertex_count(), " vertices, and it was moved to ",
        vertices.size(), " places; give one for each vertex"));
  }
  return mesh_internal::CheckCoordinates("was moved to", vertices);
}

// Returns the expected cost of a query of the tree, divided by that of its
// triangles alone: the volume of all nodes dilated by a ball, divided by that
// of the triangles dilated by the ball. Unlike the probability of a random hit
// in the box of the mesh, this ratio does not change if the mesh rotates, or if
// one component moves far away.
double CostOf(const Tree& tree) {
  const Mesh& mesh = tree.mesh();
  const double scale = tree.space().scale;
  double area = 0;
  for (const auto& [i, j, k] : mesh.triangles()) {
    const Vec3 a = mesh.vertices()[i] * scale;
    area += 0.5 * Norm(Cross(mesh.vertices()[j] * scale - a,
                             mesh.vertices()[k] * scale - a));
  }
  // A hundredth of the mesh's size, as in ExpectedVisits. For a mesh without
  // area, a hundredth of half the box's size.
  const double r = 0.01 * (area > 0 ? std::sqrt(area) : 1);
  // Steiner's formula for a flat set, without the term for its perimeter.
  constexpr double kBall = 4.0 / 3.0 * std::numbers::pi;
  const double least =
      2 * r * area +
      kBall * r * r * r * static_cast<double>(mesh.triangle_count());
  return DilatedVolumes(tree, r) / least;
}

absl::Status OutOfMemory(const Mesh& mesh) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "out of memory while moving a tree over ", mesh.triangle_count(),
      " triangles; it takes about 140 bytes a triangle"));
}

}  // namespace

DeformingTree::DeformingTree(Tree tree, const DeformingOptions& options)
    : options_(options),
      tree_(std::move(tree)),
      built_cost_(CostOf(tree_)),
      cost_(built_cost_) {}

absl::StatusOr<DeformingTree> DeformingTree::Create(
    const Mesh& mesh, const DeformingOptions& options) try {
  if (absl::Status s = CheckOptions(options); !s.ok()) return s;
  absl::StatusOr<Tree> tree = Build(mesh, options.build);
  if (!tree.ok()) return tree.status();
  return DeformingTree(*std::move(tree), options);
} catch (const std::bad_alloc&) {
  return OutOfMemory(mesh);
}

std::shared_ptr<DeformingTree::Room> DeformingTree::FreeRoom() {
  if (rooms_[1] != nullptr && rooms_[1].use_count() == 1) {
    // Synchronises with the thread that released the last copy, so that all its
    // reads are finished.
    std::atomic_thread_fence(std::memory_order_acquire);
    return rooms_[1];
  }
  return std::make_shared<Room>();
}

void DeformingTree::Accept(Tree tree, std::shared_ptr<Room> room, double cost) {
  tree_ = std::move(tree);
  if (room != rooms_[1]) rooms_[1] = std::move(room);
  std::swap(rooms_[0], rooms_[1]);
  cost_ = cost;
}

Tree DeformingTree::Refitted(const Mesh& mesh, std::shared_ptr<Room> room,
                             bool keep_frames) const {
  const TreeSpace space = SpaceAround(mesh.bounds());
  FillTree(mesh, space,
           {.volumes = tree_.volumes(), .keep_frames = keep_frames},
           room->nodes, room->leaves, room->corners,
           Workers(options_.build.threads));
  return Tree(
      {.mesh = mesh,
       .space = space,
       .nodes = Array<Node>(room->nodes, room),
       .leaves = Array<Leaf>(room->leaves, room),
       .corners = Array<Triangle>(room->corners, room),
       .volumes = tree_.volumes(),
       .depth = tree_.depth(),
       .detail_trees = RefitDetailTrees(tree_.detail_trees(), mesh,
                                        Workers(options_.build.threads))});
}

absl::Status DeformingTree::Move(std::span<const Vec3> vertices) try {
  if (absl::Status s = CheckVertices(tree_.mesh(), vertices); !s.ok()) {
    return s;
  }
  std::shared_ptr<Room> room = FreeRoom();
  room->vertices.assign(vertices.begin(), vertices.end());
  for (Vec3& v : room->vertices) v = TinyAsZero(v);
  room->nodes.assign(tree_.nodes().begin(), tree_.nodes().end());
  room->leaves.assign(tree_.leaves().begin(), tree_.leaves().end());
  room->corners.resize(tree_.corners().size());
  const Mesh mesh = mesh_internal::MeshAccess::WithVertices(
      tree_.mesh(), Array<Vec3>(room->vertices, room));

  const double most_cost = options_.most_growth * built_cost_;
  Tree tree = Refitted(mesh, room, /*keep_frames=*/true);
  double cost = CostOf(tree);
  const bool chooses_frames = !(cost <= most_cost);
  if (chooses_frames) {
    tree = Refitted(mesh, room, /*keep_frames=*/false);
    cost = CostOf(tree);
  }
  const bool builds = !(cost <= most_cost);
  if (builds) {
    absl::StatusOr<Tree> built = Build(mesh, options_.build);
    if (!built.ok()) return built.status();
    tree = *std::move(built);
    cost = built_cost_ = CostOf(tree);
  }
  frame_choices_ += chooses_frames ? 1 : 0;
  builds_ += builds ? 1 : 0;
  Accept(std::move(tree), std::move(room), cost);
  return absl::OkStatus();
} catch (const std::bad_alloc&) {
  return OutOfMemory(tree_.mesh());
}

}  // namespace orbox
