// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/winding_number.h"

#include <limits>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/query/inside/internal/winding_moments.h"
#include "orbox/bvh/query/inside/internal/winding_sum.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

struct WindingNumberField::Data {
  WindingMoments moments;
};

WindingNumberField WindingNumberField::Of(TreeAtPose at) {
  if (at.moved() != nullptr) {
    const absl::StatusOr<Tree> own = WorldTree(*at.moved(), {});
    if (!own.ok()) throw std::bad_alloc();  // the only error of a valid pose
    return Of(*own);
  }
  const Tree& tree = at.tree();
  return WindingNumberField(
      std::make_shared<const Data>(Data{WindingMomentsOf(tree, Workers(0))}));
}

double WindingNumberField::At(const Vec3& p, double max_error) const {
  Require(CheckQuery(p));
  return WindingNumberAt(data_->moments, p, max_error, Watch());
}

absl::StatusOr<double> WindingNumberField::At(const Vec3& p, double max_error,
                                              const RunOptions& options) const {
  return WithRunOptions(options, CheckQuery(p), [&](const Execution& run) {
    return WindingNumberAt(data_->moments, p, max_error, run);
  });
}

absl::StatusOr<std::vector<double>> WindingNumberField::At(
    std::span<const Vec3> points, double max_error,
    const RunOptions& options) const {
  return RunEachOf<double>(
      tree(), points, PositionsOf(points), options,
      [&](TreeAtPose, const Vec3& p, const Execution& run) {
        return WindingNumberAt(data_->moments, p, max_error, run);
      });
}

bool WindingNumberField::IsInside(const Vec3& p) const {
  Require(CheckQuery(p));
  return IsWindingAboveHalf(data_->moments, p, Watch());
}

absl::StatusOr<bool> WindingNumberField::IsInside(
    const Vec3& p, const RunOptions& options) const {
  return WithRunOptions(options, CheckQuery(p), [&](const Execution& run) {
    return IsWindingAboveHalf(data_->moments, p, run);
  });
}

absl::StatusOr<std::vector<uint8_t>> WindingNumberField::IsInside(
    std::span<const Vec3> points, const RunOptions& options) const {
  return RunEachOf<uint8_t>(
      tree(), points, PositionsOf(points), options,
      [&](TreeAtPose, const Vec3& p, const Execution& run) {
        return IsWindingAboveHalf(data_->moments, p, run);
      });
}

const Tree& WindingNumberField::tree() const { return data_->moments.tree; }

}  // namespace orbox
