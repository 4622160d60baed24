// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/mesh_outline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <set>

#include "orbox/bvh/traverse/internal/posed_box.h"

namespace orbox {
namespace {

// With this many volumes, boxes are about a tenth larger than the mesh. More
// volumes reduce this only slightly, and each costs 20 nanoseconds per move.
constexpr size_t kMostVolumes = 64;

// Upper bound, in tree space, of the error of a point that was computed with
// the transpose of a block's frame instead of its inverse. It is 3 kFrameError
// times the point's distance from the origin, which is at most 4 sqrt(3) even
// if the tree reaches beyond [-1, 1]^3.
constexpr double kFrameSlack = 24 * kFrameError;

}  // namespace

MeshOutline::Volume MeshOutline::VolumeOf(const TreeSpace& space,
                                          const Node& node, int lane) {
  const auto row = [&](int i) { return double{node.rows[i][lane]}; };
  Volume v;
  if (node.kind == VolumeKind::kSphere) {
    v.center = space.origin + Vec3{row(0), row(1), row(2)} * space.unscale;
    v.radius = row(3) * space.unscale;
    v.size = v.radius;
    return v;
  }
  const Vec3 lo{row(0), row(1), row(2)};
  const Vec3 hi{row(3), row(4), row(5)};
  Vec3 center;
  for (int j = 0; j < 3; ++j) {
    const float* const of_axis = node.frame[j];
    const Vec3 axis{of_axis[0], of_axis[1], of_axis[2]};
    center += axis * (0.5 * (lo[j] + hi[j]));
    v.half_axes[j] = axis * (0.5 * (hi[j] - lo[j]) * space.unscale);
  }
  v.center = space.origin + center * space.unscale;
  v.radius = node.kind == VolumeKind::kObb ? kFrameSlack * space.unscale : 0;
  v.size = Norm(hi - lo) * 0.5 * space.unscale;
  return v;
}

MeshOutline::MeshOutline(const Tree& tree) : tree_(tree) {
  if (!AddVertices()) AddVolumes();
}

bool MeshOutline::AddVertices() {
  const Mesh& mesh = tree_.mesh();
  // A closed mesh has half as many vertices as triangles.
  if (mesh.triangle_count() > 2 * kMostVolumes) return false;
  std::set<uint32_t> corners;
  for (const TriangleIndices& t : mesh.triangles()) {
    corners.insert(t.begin(), t.end());
  }
  if (corners.size() > kMostVolumes) return false;
  for (const uint32_t i : corners) {
    volumes_.emplace_back().center = mesh.vertices()[i];
  }
  return true;
}

void MeshOutline::AddVolumes() {
  // The volume of a node. These volumes are in a heap, the largest on top.
  struct Entry {
    Volume volume;
    uint32_t node;
    bool operator<(const Entry& other) const {
      return volume.size < other.volume.size;
    }
  };
  std::priority_queue<Entry> inner;
  const auto open = [&](uint32_t index) {
    const Node node = tree_.node(index);
    for (int lane = 0; lane < node.count; ++lane) {
      const Volume v = VolumeOf(tree_.space(), node, lane);
      if (lane < node.inner_count) {
        inner.push({v, node.first_node + static_cast<uint32_t>(lane)});
      } else {
        volumes_.push_back(v);
      }
    }
  };
  open(0);
  while (!inner.empty() &&
         inner.size() + volumes_.size() + kLanes - 1 <= kMostVolumes) {
    const uint32_t largest = inner.top().node;
    inner.pop();
    open(largest);
  }
  for (; !inner.empty(); inner.pop()) volumes_.push_back(inner.top().volume);
}

Aabb MeshOutline::BoundsAt(const PosedTree& posed) const {
  // Without a pose, or if the posed tree has a moved mesh, its bounds are
  // exact.
  const Aabb& standing = posed.tree().mesh().bounds();
  if (!posed.is_moved()) return standing;
  const Pose& pose = posed.pose();
  if (const auto box = PosedBox(standing, pose)) return *box;
  const TreeSpace& space = tree_.space();
  const Vec3 reach = Abs(space.origin) + Vec3{4, 4, 4} * space.unscale;
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Vec3& row = pose.rows[i];
    // Covers about twenty roundings, here and in the volumes, each of at most
    // 2^-53 of the sum. The smallest normal number covers underflow.
    const double slack =
        0x1p-47 * (Dot(Abs(row), reach) + std::abs(pose.translation[i])) +
        std::numeric_limits<double>::min();
    const double length = Norm(row);
    double lo = std::numeric_limits<double>::infinity();
    double hi = -lo;
    for (const Volume& v : volumes_) {
      const double middle = Dot(row, v.center);
      const double half = std::abs(Dot(row, v.half_axes[0])) +
                          std::abs(Dot(row, v.half_axes[1])) +
                          std::abs(Dot(row, v.half_axes[2])) +
                          length * v.radius;
      lo = std::min(lo, middle - half);
      hi = std::max(hi, middle + half);
    }
    box.lo[i] = lo + pose.translation[i] - slack;
    box.hi[i] = hi + pose.translation[i] + slack;
  }
  return box;
}

}  // namespace orbox
