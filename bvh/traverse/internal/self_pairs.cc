// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/self_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// For vertices of fewer triangles, testing the pairs takes less time than using
// fans.
constexpr uint32_t kManyTriangles = 64;

// Directions, axes and angles have errors below 2^-45.
constexpr double kMargin = 0x1p-40;

// A cone with an angle of a right angle or more is not convex.
constexpr double kWidest = 0.5 * std::numbers::pi - kMargin;

// Unlike the error of the cosine, the error does not grow for small angles.
double AngleBetween(const Vec3& a, const Vec3& b) {
  return std::atan2(Norm(Cross(a, b)), Dot(a, b));
}

// Returns zero for a vector without a direction.
Vec3 Direction(const Vec3& v) {
  const double length = Norm(v);
  return length > 0 ? v * (1 / length) : Vec3{};
}

// A direction of several, and the largest angle between it and the others.
struct Spread {
  Vec3 direction;
  double angle;
};

// Sets axis and angle to a cone around all directions. Returns false if it
// would be too wide.
bool Enclose(std::span<const Spread> spreads, Vec3* axis, double* angle) {
  Vec3 sum;
  for (const Spread& s : spreads) {
    if (s.direction == Vec3{}) return false;
    sum += s.direction;
  }
  *axis = Direction(sum);
  *angle = 0;
  if (*axis == Vec3{}) return false;
  for (const Spread& s : spreads) {
    *angle = std::max(*angle, AngleBetween(*axis, s.direction) + s.angle);
  }
  return *angle < kWidest;
}

std::vector<uint32_t> ValencesOf(const Mesh& mesh) {
  std::vector<uint32_t> valences(mesh.vertex_count());
  for (const TriangleIndices& triangle : mesh.triangles()) {
    for (const uint32_t vertex : triangle) ++valences[vertex];
  }
  return valences;
}

}  // namespace

SelfFans::SelfFans(const Tree& tree) {
  const std::vector<uint32_t> valences = ValencesOf(tree.mesh());
  if (std::ranges::max(valences) < kManyTriangles) return;
  leaves_.resize(tree.leaf_count());
  for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    leaves_[leaf] = ConeOfLeaf(tree, leaf, valences);
  }
  nodes_.resize(tree.node_count());
  FillBelow(tree, Tree::kRoot);
}

SelfFans::Cone SelfFans::ConeOfLeaf(
    const Tree& tree, size_t leaf,
    const std::vector<uint32_t>& valences) const {
  const Mesh& mesh = tree.mesh();
  const auto ids = tree.leaf_ids(leaf);
  // The vertex with the most triangles, among those that all these triangles
  // share.
  Cone cone;
  uint32_t most = kManyTriangles - 1;
  for (const uint32_t vertex : mesh.triangles()[ids[0]]) {
    const bool have_all = std::ranges::all_of(ids, [&](uint32_t id) {
      return id == kNoTriangle ||
             std::ranges::count(mesh.triangles()[id], vertex) == 1;
    });
    if (have_all && valences[vertex] > most) {
      most = valences[vertex];
      cone.apex = vertex;
    }
  }
  if (cone.apex == kNone) return {};
  std::array<Spread, 2 * size_t{kLanes}> spreads;
  size_t count = 0;
  for (const uint32_t id : ids) {
    if (id == kNoTriangle) continue;
    for (const uint32_t vertex : mesh.triangles()[id]) {
      if (vertex == cone.apex) continue;
      spreads[count++] = {
          Direction(mesh.vertices()[vertex] - mesh.vertices()[cone.apex]), 0};
    }
  }
  // A cone that is too wide is of no use, so only the apex is stored.
  if (!Enclose({spreads.data(), count}, &cone.axis, &cone.angle)) {
    cone.axis = {};
  }
  return cone;
}

SelfFans::Cone SelfFans::FillBelow(const Tree& tree, uint32_t index) {
  const Node node = tree.node(index);
  std::array<Spread, kLanes> spreads;
  Cone cone;
  bool is_fan = true;
  for (uint32_t lane = 0; lane < node.count; ++lane) {
    const Cone child = lane < node.inner_count
                           ? FillBelow(tree, node.first_node + lane)
                           : leaves_[node.first_leaf + lane - node.inner_count];
    if (lane == 0) cone.apex = child.apex;
    is_fan = is_fan && child.apex != kNone && child.apex == cone.apex;
    spreads[lane] = {child.axis, child.angle};
  }
  if (!is_fan) {
    cone = {};
  } else if (!Enclose({spreads.data(), node.count}, &cone.axis, &cone.angle)) {
    cone.axis = {};
  }
  nodes_[index] = cone;
  return cone;
}

bool SelfFans::AreApart(const Cone& a, const Cone& b) {
  if (a.axis == Vec3{} || b.axis == Vec3{}) return false;
  return AngleBetween(a.axis, b.axis) > a.angle + b.angle + kMargin;
}

namespace {

CornerSet CommonIndices(const Mesh& mesh, TrianglePair ids) {
  const TriangleIndices& a = mesh.triangles()[ids.a];
  const TriangleIndices& b = mesh.triangles()[ids.b];
  CornerSet common;
  for (const uint32_t i : a) {
    if (i == b[0] || i == b[1] || i == b[2]) common.Add(mesh.vertices()[i]);
  }
  return common;
}

// Returns the number of different corners.
size_t CornerCount(const Triangle& t) {
  if (t.a == t.b) return t.b == t.c ? 1 : 2;
  return t.c == t.a || t.c == t.b ? 2 : 3;
}

}  // namespace

bool SelfPairs::AreNeighbours(TrianglePair ids, const Triangle& a,
                              const Triangle& b) const {
  if (shared_ == SharedCorners::kByPosition) {
    return CommonCorners(a, b).size() != 0;
  }
  const TriangleIndices& s = mesh_.triangles()[ids.a];
  const TriangleIndices& t = mesh_.triangles()[ids.b];
  return std::find_first_of(s.begin(), s.end(), t.begin(), t.end()) != s.end();
}

SelfPairs::Kind SelfPairs::KindOf(TrianglePair ids, const Triangle& a,
                                  const Triangle& b,
                                  ArithmeticCounts* counts) const {
  const CornerSet shared = shared_ == SharedCorners::kByPosition
                               ? CommonCorners(a, b)
                               : CommonIndices(mesh_, ids);
  if (shared.size() == 0) return Kind::kStrangers;
  if (shared.size() == CornerCount(a) && shared.size() == CornerCount(b)) {
    if (counts != nullptr) ++counts->by_double;
    return Kind::kNeighboursOverlap;
  }
  return OverlapsBeyond(a, b, shared.points(), counts)
             ? Kind::kNeighboursOverlap
             : Kind::kNeighboursApart;
}

bool SelfPairs::Overlap(TrianglePair ids, const Triangle& a, const Triangle& b,
                        ArithmeticCounts* counts) const {
  const Kind kind = KindOf(ids, a, b, counts);
  return kind == Kind::kStrangers ? Overlaps(a, b, counts)
                                  : kind == Kind::kNeighboursOverlap;
}

const SelfFans* SelfPairs::FansOf(const Tree& tree) const {
  std::call_once(looked_for_fans_, [&] { fans_.emplace(tree); });
  return fans_->empty() ? nullptr : &*fans_;
}

}  // namespace orbox
