#include "orbox/bvh/query/posed_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/build/build.h"

namespace orbox {
namespace {

// Poses that skew more than this get a tree of their own: the bounds that allow
// for a skew of s are loose by about 4 s of the model's size.
constexpr double kMostSkew = 0x1p-16;

// The square of the pose's uniform scale and the skew that is left.
std::pair<double, double> ScaleAndSkew(const Pose& pose) {
  double gram[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      gram[i][j] = Dot(pose.rows[i], pose.rows[j]);
    }
  }
  const double squared = (gram[0][0] + gram[1][1] + gram[2][2]) / 3;
  double skew = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double off = gram[i][j] - (i == j ? squared : 0);
      skew = std::max(skew, std::abs(off) / squared);
    }
  }
  return {squared, skew};
}

// Whether the box's corners, and so all that is in it, are moved to finite
// coordinates.
bool StaysInRange(const Aabb& b, const Pose& pose) {
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

BuildOptions OptionsLike(const Tree& tree) {
  BuildOptions options;
  options.volumes = tree.volumes();
  return options;
}

absl::StatusOr<PosedTree> WithTreeOfItsOwn(const Tree& tree, const Pose& pose) {
  std::vector<Vec3> moved;
  moved.reserve(tree.mesh().vertex_count());
  for (const Vec3& v : tree.mesh().vertices()) moved.push_back(pose.Apply(v));
  absl::StatusOr<Mesh> mesh = Mesh::Create(
      std::move(moved),
      {tree.mesh().triangles().begin(), tree.mesh().triangles().end()});
  if (!mesh.ok()) return mesh.status();
  absl::StatusOr<Tree> own = Build(*mesh, OptionsLike(tree));
  if (!own.ok()) return own.status();
  return PosedTree(*own);
}

}  // namespace

absl::StatusOr<PosedTree> PosedTree::Create(const Tree& tree,
                                            const Pose& pose) {
  if (!pose.IsFinite()) {
    return absl::InvalidArgumentError(
        "the pose holds a value that is NaN or infinite; give twelve finite "
        "numbers, row by row of [R | t]");
  }
  if (!StaysInRange(tree.mesh().bounds(), pose)) {
    return absl::InvalidArgumentError(
        "the pose moves the mesh beyond the range of double; scale the model "
        "or the pose down");
  }
  const auto [squared, skew] = ScaleAndSkew(pose);
  // Squares that leave the middle of double's range say nothing reliable.
  const bool is_similarity =
      squared > 0x1p-900 && squared < 0x1p900 && skew <= kMostSkew;
  if (!is_similarity) return WithTreeOfItsOwn(tree, pose);
  return PosedTree(tree, pose, std::sqrt(squared), skew);
}

}  // namespace orbox
