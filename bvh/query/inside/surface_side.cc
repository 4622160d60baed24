// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/surface_side.h"

#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/posed/internal/mirrors.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

struct SurfaceSideField::Data {
  Tree tree;
  SurfaceSides sides;
  int front;  // -1 if the pose mirrors, which keeps the front, else 1
};

SurfaceSideField SurfaceSideField::Of(TreeAtPose at) {
  Tree tree = at.tree();
  if (at.moved() != nullptr) {
    absl::StatusOr<Tree> own = WorldTree(*at.moved(), {});
    if (!own.ok()) throw std::bad_alloc();  // the only error of a valid pose
    tree = *std::move(own);
  }
  SurfaceSides sides = SurfaceSides::Of(tree.mesh());
  return SurfaceSideField(std::make_shared<const Data>(
      Data{std::move(tree), std::move(sides), Mirrors(at) ? -1 : 1}));
}

SurfaceSide SurfaceSideField::Side(const Vec3& p,
                                   const SurfacePoint& closest) const {
  if (closest.distance == 0) return SurfaceSide::kOn;
  return static_cast<SurfaceSide>(data_->front *
                                  data_->sides.SignOf(p, closest.triangle));
}

std::optional<SurfaceSide> SurfaceSideField::SideAt(
    const Vec3& p, const std::optional<SurfacePoint>& closest) const {
  if (!closest.has_value()) return std::nullopt;
  return Side(p, *closest);
}

std::optional<SurfaceSide> SurfaceSideField::Side(const Vec3& p) const {
  return SideAt(p, ClosestPoint(tree(), p));
}

absl::StatusOr<std::optional<SurfaceSide>> SurfaceSideField::Side(
    const Vec3& p, const RunOptions& options) const {
  const auto closest = ClosestPoint(tree(), p, options);
  if (!closest.ok()) return closest.status();
  return SideAt(p, *closest);
}

absl::StatusOr<std::vector<std::optional<SurfaceSide>>> SurfaceSideField::Side(
    std::span<const Vec3> points, const RunOptions& options) const {
  using Sides = std::vector<std::optional<SurfaceSide>>;
  const auto closest = ClosestPoint(tree(), points, options);
  if (!closest.ok()) return closest.status();
  const Execution run(options);
  return GuardMemory("for the sides; use smaller batches",
                     [&]() -> absl::StatusOr<Sides> {
                       Sides sides(points.size());
                       for (size_t i = 0; i < points.size(); ++i) {
                         run.CheckCancelled();
                         sides[i] = SideAt(points[i], (*closest)[i]);
                       }
                       return sides;
                     });
}

const Tree& SurfaceSideField::tree() const { return data_->tree; }

}  // namespace orbox
