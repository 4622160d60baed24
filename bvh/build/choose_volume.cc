#include "orbox/bvh/build/choose_volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace orbox {
namespace {

// What a query's radius is taken to be, in half diagonals of the node. Queries
// from afar end with balls far larger than the nodes they pass, queries near
// the surface with smaller ones; a tenth serves both.
constexpr double kRadiusShare = 0.1;

// The cost of testing a block, in units of opening a child: an oriented block
// turns the query once before it does what an aligned one does.
constexpr double kObbTestCost = 0.1;

struct Block {
  VolumeKind kind;
  FrameMatrix frame = kIdentityFrame;
  std::array<Aabbf, kLanes> boxes{};
  std::array<Spheref, kLanes> spheres{};
  double cost = std::numeric_limits<double>::infinity();
};

Vec3 EdgesOf(const Aabbf& box) {
  return {static_cast<double>(box.hi.x) - box.lo.x,
          static_cast<double>(box.hi.y) - box.lo.y,
          static_cast<double>(box.hi.z) - box.lo.z};
}

Block FitBoxes(std::span<const std::span<const Vec3>> children, VolumeKind kind,
               const FrameMatrix& frame, double r) {
  Block block{.kind = kind, .frame = frame, .cost = 0};
  for (size_t i = 0; i < children.size(); ++i) {
    block.boxes[i] = FitBox(children[i], frame);
    block.cost += DilatedBoxVolume(EdgesOf(block.boxes[i]), r);
  }
  return block;
}

Block FitSpheres(std::span<const std::span<const Vec3>> children, double r) {
  Block block{.kind = VolumeKind::kSphere, .cost = 0};
  for (size_t i = 0; i < children.size(); ++i) {
    block.spheres[i] = FitSphere(children[i]);
    block.cost += DilatedSphereVolume(block.spheres[i].radius, r);
  }
  return block;
}

void Write(const Block& block, size_t count, Node* node) {
  node->kind = block.kind;
  std::copy(block.frame.begin(), block.frame.end(), node->frame);
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const size_t i = lane < count ? lane : 0;
    const Spheref& s = block.spheres[i];
    const Aabbf& b = block.boxes[i];
    const bool round = block.kind == VolumeKind::kSphere;
    const std::array<float, 6> column =
        round ? std::array<float, 6>{s.center.x, s.center.y, s.center.z,
                                     s.radius,   0,          0}
              : std::array<float, 6>{b.lo.x, b.lo.y, b.lo.z,
                                     b.hi.x, b.hi.y, b.hi.z};
    for (size_t row = 0; row < 6; ++row) node->rows[row][lane] = column[row];
  }
}

}  // namespace

double DilatedBoxVolume(const Vec3& e, double r) {
  constexpr double kPi = std::numbers::pi;
  return e.x * e.y * e.z + 2 * (e.x * e.y + e.y * e.z + e.z * e.x) * r +
         kPi * (e.x + e.y + e.z) * r * r + 4.0 / 3 * kPi * r * r * r;
}

double DilatedSphereVolume(double radius, double r) {
  const double sum = radius + r;
  return 4.0 / 3 * std::numbers::pi * sum * sum * sum;
}

void ChooseVolumes(std::span<const std::span<const Vec3>> children,
                   const SurfaceMoments& moments, Volumes allowed, Node* node) {
  Block best = FitBoxes(children, VolumeKind::kAabb, kIdentityFrame, 0);
  Aabbf whole = best.boxes[0];
  for (size_t i = 1; i < children.size(); ++i) {
    whole = Union(whole, best.boxes[i]);
  }
  const Vec3 edges = EdgesOf(whole);
  const double r = kRadiusShare * 0.5 * Norm(edges);
  const double once = DilatedBoxVolume(edges, r);

  const auto offer = [&](Block block, double test_cost) {
    block.cost += test_cost * once;
    if (block.cost < best.cost) best = block;
  };
  best.cost = std::numeric_limits<double>::infinity();
  if (allowed == Volumes::kAabb || allowed == Volumes::kMixed) {
    offer(FitBoxes(children, VolumeKind::kAabb, kIdentityFrame, r), 0);
  }
  if (allowed == Volumes::kSphere || allowed == Volumes::kMixed) {
    offer(FitSpheres(children, r), 0);
  }
  if (allowed == Volumes::kObb || allowed == Volumes::kMixed) {
    for (const FrameMatrix& frame :
         {PrincipalFrame(moments), NormalFrame(moments), kIdentityFrame}) {
      offer(FitBoxes(children, VolumeKind::kObb, frame, r), kObbTestCost);
    }
  }
  Write(best, children.size(), node);
}

}  // namespace orbox
