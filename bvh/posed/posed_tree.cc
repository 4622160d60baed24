// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/posed_tree.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/bvh/posed/internal/check_pose.h"
#include "orbox/bvh/posed/internal/singular_values.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {
namespace {

// Poses with a larger skew are not treated as similarities. The bounds that
// allow for a skew of s are loose by about 4 s times the size of the model.
constexpr double kMostSkew = 0x1p-16;

// Returns the square of the pose's uniform scale, and the remaining skew.
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

// Returns true if the corners of the box, and therefore all points in it, stay
// in the range.
bool KeepsBoxInRange(const Aabb& b, const Pose& pose) {
  const Vec3 reach = Max(Abs(b.lo), Abs(b.hi));
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = std::max(
        largest, Dot(Abs(pose.rows[i]), reach) + std::abs(pose.translation[i]));
  }
  return largest < kLargestCoordinate * (1 - 0x1p-40);
}

absl::Status CheckTriangles(const Mesh& mesh, const Pose& pose) {
  std::vector<bool> is_used(mesh.vertex_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t i : t) is_used[i] = true;
  }
  mesh_internal::CoordinateCheck check;
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) check.Add(i, pose.Apply(mesh.vertices()[i]));
  }
  return check.ok() ? absl::OkStatus()
                    : check.Error("is moved by the pose to", is_used.size());
}

absl::StatusOr<PosedTree> WithTreeOfItsOwn(const Tree& tree, const Pose& pose) {
  return GuardMemory("for a mesh at a pose",
                     [&]() -> absl::StatusOr<PosedTree> {
                       // Triangles that are near each other stay so, so the
                       // grouping of the existing tree is good enough.
                       const absl::StatusOr<Tree> own =
                           Refit(tree, WorldMesh(tree.mesh(), pose));
                       if (!own.ok()) return own.status();
                       return PosedTree(*own);
                     });
}

}  // namespace

struct PosedTree::Place {
  std::once_flag built;
  std::optional<PosedTree> tree;
};

const PosedTree& PosedTree::InWorld() const {
  if (place_ == nullptr) return *this;
  std::call_once(place_->built, [this] {
    absl::StatusOr<PosedTree> own = WithTreeOfItsOwn(tree_, pose_);
    if (own.ok()) place_->tree = *std::move(own);
  });
  return place_->tree.has_value() ? *place_->tree : *this;
}

absl::Status CheckPose(const Pose& pose) {
  if (!pose.IsFinite()) {
    return absl::InvalidArgumentError(
        "the pose holds a value that is NaN or infinite; give twelve finite "
        "numbers, row by row of [R | t]");
  }
  if (!IsBeyond(pose)) return absl::OkStatus();
  double largest = MaxCoordinate(Abs(pose.translation));
  for (const Vec3& row : pose.rows) {
    largest = std::max(largest, MaxCoordinate(Abs(row)));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the pose holds ", largest,
      ", and it moves too far: ", mesh_internal::RangeAdvice(largest)));
}

absl::StatusOr<PosedTree> PosedTree::Create(const Tree& tree,
                                            const Pose& given) {
  if (absl::Status s = CheckPose(given); !s.ok()) return s;
  const Pose pose = TinyAsZero(given);
  if (!KeepsBoxInRange(tree.mesh().bounds(), pose)) {
    const absl::Status s = GuardMemory("for a mesh at a pose", [&] {
      return CheckTriangles(tree.mesh(), pose);
    });
    if (!s.ok()) return s;
  }
  const auto [squared, skew] = ScaleAndSkew(pose);
  if (squared == 0) return WithTreeOfItsOwn(tree, pose);
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
