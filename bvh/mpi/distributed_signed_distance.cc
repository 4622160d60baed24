// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_signed_distance.h"

#include "orbox/bvh/large/internal/sign_search.h"
#include "orbox/bvh/mpi/distributed_queries.h"
#include "orbox/bvh/mpi/internal/edge_exchange.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForSigned[] = "for signed distances";

}  // namespace

absl::StatusOr<DistributedSignedDistanceField>
DistributedSignedDistanceField::Create(const DistributedTree& tree,
                                       const DistributedOptions& options) {
  UnpairedEdges edges;
  absl::Status status = EdgeExchange(tree, options).Find(&edges);
  if (!status.ok()) return status;
  status = RunPhase(tree.ranks(), kNoMemoryForSigned,
                    [&] { return CheckClosed(edges); });
  if (!status.ok()) return status;
  return DistributedSignedDistanceField(tree);
}

absl::StatusOr<std::vector<SignedPoint>>
DistributedSignedDistanceField::ClosestPoint(
    std::span<const Vec3> own_points, const DistributedOptions& options) const {
  absl::StatusOr<std::vector<SignedPoint>> closest =
      orbox::ClosestPoint(tree_, own_points, options);
  if (!closest.ok()) return closest.status();
  std::optional<DistributedOptions> of_signs;
  SignSearch signs;
  const absl::Status status = RunPhase(tree_.ranks(), kNoMemoryForSigned, [&] {
    of_signs.emplace(options);
    if (options.progress) {
      of_signs->progress = [&](double) { options.progress(1); };
    }
    signs.Begin(own_points, *closest, tree_.chunks().bounds());
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<uint8_t>> inside =
      orbox::IsInside(tree_, signs.queries(), *of_signs);
  if (!inside.ok()) return inside.status();
  signs.Finish(*inside, *closest);
  return closest;
}

absl::StatusOr<std::vector<double>> DistributedSignedDistanceField::Distance(
    std::span<const Vec3> own_points, const DistributedOptions& options) const {
  const absl::StatusOr<std::vector<SignedPoint>> closest =
      ClosestPoint(own_points, options);
  if (!closest.ok()) return closest.status();
  std::vector<double> distances;
  const absl::Status status = RunPhase(tree_.ranks(), kNoMemoryForSigned, [&] {
    distances = DistancesOf(*closest);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return distances;
}

absl::StatusOr<std::vector<uint8_t>> DistributedSignedDistanceField::IsInside(
    std::span<const Vec3> own_points, const DistributedOptions& options) const {
  return orbox::IsInside(tree_, own_points, options);
}

}  // namespace orbox
