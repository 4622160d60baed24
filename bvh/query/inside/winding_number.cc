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

double WindingNumberField::At(const Vec3& p,
                              const WindingOptions& options) const {
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(p));
  return WindingNumberAt(data_->moments, p, options.max_error, run);
}

absl::StatusOr<std::vector<double>> WindingNumberField::At(
    std::span<const Vec3> points, const WindingOptions& options) const {
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  return BatchRun(tree().space(), points.size(), Execution(options))
      .RunEach<double>(PositionsOf(points),
                       [&](size_t i, const QueryOptions& alone) {
                         auto one = Execution(alone).Alone<WindingOptions>();
                         one.max_error = options.max_error;
                         return At(points[i], one);
                       });
}

bool WindingNumberField::IsInside(const Vec3& p,
                                  const QueryOptions& options) const {
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(p));
  return IsWindingAboveHalf(data_->moments, p, run);
}

absl::StatusOr<std::vector<uint8_t>> WindingNumberField::IsInside(
    std::span<const Vec3> points, const QueryOptions& options) const {
  return RunEachOf<uint8_t>(
      tree(), points, PositionsOf(points), options,
      [this](TreeAtPose, const Vec3& p, const QueryOptions& alone) {
        return IsInside(p, alone);
      });
}

const Tree& WindingNumberField::tree() const { return data_->moments.tree; }

}  // namespace orbox
