// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/volume_wires.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::picture {
namespace {

// Map from tree space to picture space.
class Placement {
 public:
  Placement(const PosedTree& posed, const PictureSpace& space)
      : pose_(posed.pose()), from_(posed.tree().space()), to_(space) {}

  Vec3 operator()(const Vec3& p) const {
    return to_.FromModel(pose_.Apply(p * from_.unscale + from_.origin));
  }

  // Returns the eye in tree space. Affine maps preserve lines of sight, so
  // outlines remain correct. If the pose maps space to a plane, nothing is
  // visible, and the result is `eye`.
  Vec3 Back(const Vec3& eye) const {
    const Vec3 model = eye * (1 / to_.scale) + to_.origin - pose_.translation;
    const auto& [x, y, z] = pose_.rows;
    const double determinant = Dot(x, Cross(y, z));
    if (determinant == 0) return eye;
    const Vec3 p = (Cross(y, z) * model.x + Cross(z, x) * model.y +
                    Cross(x, y) * model.z) *
                   (1 / determinant);
    return from_.FromModel(p);
  }

 private:
  Pose pose_;
  TreeSpace from_;
  PictureSpace to_;
};

// Returns the circle around `center` through the ends of both radii, which are
// perpendicular.
std::vector<Vec3> Circle(const Vec3& center, const Vec3& u, const Vec3& v) {
  constexpr int kPerQuarter = 12;
  std::vector<Vec3> points;
  Vec3 from = u, to = v;
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (int i = 0; i < kPerQuarter; ++i) {
      // Uses a rational parametrization of the circle, without sines.
      const double t = static_cast<double>(i) / kPerQuarter;
      const double w = 1 / (1 + t * t);
      points.push_back(center + from * ((1 - t * t) * w) + to * (2 * t * w));
    }
    const Vec3 next = -from;
    from = to;
    to = next;
  }
  points.push_back(center + u);
  return points;
}

// Returns the outline of a sphere: the circle in which the lines of sight from
// `eye` touch it. Returns nothing if the eye is inside.
std::vector<Vec3> Outline(const Vec3& center, double radius, const Vec3& eye) {
  const Vec3 towards = eye - center;
  const double distance = Norm(towards);
  if (!(distance > radius)) return {};
  const Vec3 axis = towards * (1 / distance);
  const double share = radius / distance;
  const double outline = radius * std::sqrt(1 - share * share);
  const Vec3 side =
      Normalized(std::abs(axis.x) < 0.7 ? Cross(axis, Vec3{1, 0, 0})
                                        : Cross(axis, Vec3{0, 1, 0}));
  return Circle(center + axis * (radius * share), side * outline,
                Cross(axis, side) * outline);
}

std::vector<std::vector<Vec3>> SphereLines(const Vec3& center, double radius,
                                           const Vec3& eye) {
  const Vec3 x{radius, 0, 0}, y{0, radius, 0}, z{0, 0, radius};
  std::vector<std::vector<Vec3>> lines = {
      Circle(center, x, y), Circle(center, y, z), Circle(center, z, x)};
  std::vector<Vec3> outline = Outline(center, radius, eye);
  if (!outline.empty()) lines.push_back(std::move(outline));
  return lines;
}

std::vector<std::vector<Vec3>> BoxLines(const std::array<Vec3, 8>& corners) {
  std::vector<std::vector<Vec3>> lines;
  for (size_t from = 0; from < 8; ++from) {
    for (const size_t axis : {1U, 2U, 4U}) {
      if ((from & axis) == 0) {
        lines.push_back({corners[from], corners[from | axis]});
      }
    }
  }
  return lines;
}

// Returns the lines of the volume of one child, in tree space.
std::vector<std::vector<Vec3>> LinesOf(const Node& node, size_t lane,
                                       const Vec3& eye) {
  const auto row = [&node, lane](size_t i) {
    return double{node.rows[i][lane]};
  };
  if (node.kind == VolumeKind::kSphere) {
    return SphereLines({row(0), row(1), row(2)}, row(3), eye);
  }
  std::array<Vec3, 8> corners;
  for (size_t i = 0; i < 8; ++i) {
    Vec3 q;
    for (size_t axis = 0; axis < 3; ++axis) {
      q[axis] = row((i >> axis & 1) != 0 ? axis + 3 : axis);
    }
    // The frame is the identity for axis-aligned boxes.
    for (size_t axis = 0; axis < 3; ++axis) {
      corners[i][axis] = node.frame[0][axis] * q.x + node.frame[1][axis] * q.y +
                         node.frame[2][axis] * q.z;
    }
  }
  return BoxLines(corners);
}

}  // namespace

std::vector<VolumeWire> VolumeWires(const PosedTree& posed, int level,
                                    const PictureSpace& space,
                                    const Vec3& eye) {
  const Tree& tree = posed.tree();
  const Placement place(posed, space);
  const Vec3 eye_there = place.Back(eye);
  std::vector<uint32_t> nodes = {Tree::kRoot};
  for (int depth = 0; depth < level; ++depth) {
    std::vector<uint32_t> below;
    for (const uint32_t i : nodes) {
      const Node node = tree.node(i);
      for (uint32_t lane = 0; lane < node.inner_count; ++lane) {
        below.push_back(node.first_node + lane);
      }
    }
    nodes = std::move(below);
  }
  std::vector<VolumeWire> wires;
  for (const uint32_t i : nodes) {
    const Node node = tree.node(i);
    for (size_t lane = 0; lane < node.count; ++lane) {
      VolumeWire wire{node.kind, LinesOf(node, lane, eye_there)};
      for (std::vector<Vec3>& line : wire.lines) {
        for (Vec3& p : line) p = place(p);
      }
      wires.push_back(std::move(wire));
    }
  }
  return wires;
}

}  // namespace orbox::picture
