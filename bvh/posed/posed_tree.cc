// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/posed_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/posed/internal/singular_values.h"

namespace orbox {
namespace {

// Poses that skew more than this are no similarities any more: the bounds that
// allow for a skew of s are loose by about 4 s of the model's size.
constexpr double kMostSkew = 0x1p-16;

// The square of the pose's uniform scale and the skew that is left.
std::pair<double, double> ScaleAndSkew(const Pose& pose) {
  const auto gram = [&](int i, int j) {
    return Dot(pose.rows[i], pose.rows[j]);
  };
  const double diagonal[3] = {gram(0, 0), gram(1, 1), gram(2, 2)};
  const double squared = (diagonal[0] + diagonal[1] + diagonal[2]) / 3;
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    most = std::max({most, std::abs(diagonal[i] - squared),
                     std::abs(gram(i, (i + 1) % 3))});
  }
  return {squared, most / squared};
}

// Whether the box's corners, and so all that is in it, are moved to finite
// coordinates.
bool KeepsBoxInRange(const Aabb& b, const Pose& pose) {
  const Vec3 reach = Max(Abs(b.lo), Abs(b.hi));
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = std::max(
        largest, Dot(Abs(pose.rows[i]), reach) + std::abs(pose.translation[i]));
  }
  if (largest < 0x1p1000) return true;  // far from where rounding matters
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner{(i & 1) != 0 ? b.hi.x : b.lo.x,
                      (i & 2) != 0 ? b.hi.y : b.lo.y,
                      (i & 4) != 0 ? b.hi.z : b.lo.z};
    if (!IsFinite(pose.Apply(corner))) return false;
  }
  return true;
}

bool KeepsTrianglesInRange(const Mesh& mesh, const Pose& pose) {
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t i : t) {
      if (!IsFinite(pose.Apply(mesh.vertices()[i]))) return false;
    }
  }
  return true;
}

// Requires that triangles stay in the range of double.
absl::StatusOr<Mesh> MovedMesh(const Mesh& mesh, const Pose& pose) {
  try {
    std::vector<Vec3> moved;
    moved.reserve(mesh.vertex_count());
    for (const Vec3& v : mesh.vertices()) {
      const Vec3 p = pose.Apply(v);
      // A vertex that no triangle uses may be anything.
      moved.push_back(IsFinite(p) ? p : Vec3{});
    }
    return Mesh::Create(std::move(moved),
                        {mesh.triangles().begin(), mesh.triangles().end()});
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        absl::StrCat("out of memory while moving a mesh of ",
                     mesh.vertex_count(), " vertices"));
  }
}

absl::StatusOr<PosedTree> WithTreeOfItsOwn(const Tree& tree, const Pose& pose) {
  const absl::StatusOr<Mesh> mesh = MovedMesh(tree.mesh(), pose);
  if (!mesh.ok()) return mesh.status();
  // Neighbours stay neighbours, so the tree is parted well enough.
  const absl::StatusOr<Tree> own = Refit(tree, *mesh);
  if (!own.ok()) return own.status();
  return PosedTree(*own);
}

}  // namespace

struct PosedTree::Place {
  std::once_flag built;
  std::optional<PosedTree> tree;
};

const PosedTree& PosedTree::InPlace() const {
  if (place_ == nullptr) return *this;
  std::call_once(place_->built, [this] {
    absl::StatusOr<PosedTree> own = WithTreeOfItsOwn(tree_, pose_);
    if (own.ok()) place_->tree = *std::move(own);
  });
  return place_->tree.has_value() ? *place_->tree : *this;
}

absl::StatusOr<PosedTree> PosedTree::Create(const Tree& tree,
                                            const Pose& pose) {
  if (!pose.IsFinite()) {
    return absl::InvalidArgumentError(
        "the pose holds a value that is NaN or infinite; give twelve finite "
        "numbers, row by row of [R | t]");
  }
  const bool keeps_box = KeepsBoxInRange(tree.mesh().bounds(), pose);
  if (!keeps_box && !KeepsTrianglesInRange(tree.mesh(), pose)) {
    return absl::InvalidArgumentError(
        "the pose moves the mesh beyond the range of double; scale the model "
        "or the pose down");
  }
  const auto [squared, skew] = ScaleAndSkew(pose);
  // Squares that leave the middle of double's range say nothing reliable, and
  // the tree's volumes are within the box.
  if (!keeps_box || !(squared > 0x1p-900 && squared < 0x1p900)) {
    return WithTreeOfItsOwn(tree, pose);
  }
  if (skew <= kMostSkew) {
    return PosedTree(tree, pose, std::sqrt(squared), skew, 1);
  }
  const SingularValues lengths =
      SingularValuesOf({pose.rows[0], pose.rows[1], pose.rows[2]});
  if (!(lengths.largest < kMostStretch * lengths.least)) {
    return WithTreeOfItsOwn(tree, pose);
  }
  return GuardMemory(
      "for a mesh at a pose", [&]() -> absl::StatusOr<PosedTree> {
        PosedTree skewed(tree, pose, lengths.least, 0,
                         lengths.largest / lengths.least * (1 + 0x1p-50));
        skewed.place_ = std::make_shared<Place>();
        return skewed;
      });
}

}  // namespace orbox
