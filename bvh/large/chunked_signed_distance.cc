// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_signed_distance.h"

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/chunked_queries.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/sign_search.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForSigns[] =
    "for the distances; ask in smaller batches";

}  // namespace

absl::StatusOr<ChunkedSignedDistanceField> ChunkedSignedDistanceField::Create(
    const ChunkedTree& tree) {
  const auto create = [&]() -> absl::StatusOr<ChunkedSignedDistanceField> {
    const absl::StatusOr<UnpairedEdges> edges = FindUnpairedEdges(tree);
    if (!edges.ok()) return edges.status();
    const absl::Status closed = CheckClosed(*edges);
    if (!closed.ok()) return closed;
    return ChunkedSignedDistanceField(tree);
  };
  return GuardMemory("for the edges between chunks; build larger ones", create);
}

absl::StatusOr<std::vector<SignedPoint>>
ChunkedSignedDistanceField::ClosestPoint(std::span<const Vec3> points,
                                         const QueryOptions& options) const {
  absl::StatusOr<std::vector<SignedPoint>> closest =
      orbox::ClosestPoint(tree_, points, options);
  if (!closest.ok()) return closest.status();
  const auto sign = [&]() -> absl::StatusOr<std::vector<SignedPoint>> {
    SignSearch signs;
    signs.Begin(points, *closest, tree_.bounds());
    QueryOptions quiet = options;
    quiet.progress = nullptr;
    const absl::StatusOr<std::vector<uint8_t>> inside =
        orbox::IsInside(tree_, signs.queries(), quiet);
    if (!inside.ok()) return inside.status();
    signs.Finish(*inside, *closest);
    return std::move(closest);
  };
  return GuardMemory(kNoMemoryForSigns, sign);
}

absl::StatusOr<SignedPoint> ChunkedSignedDistanceField::ClosestPoint(
    const Vec3& p, const QueryOptions& options) const {
  const absl::StatusOr<std::vector<SignedPoint>> closest =
      ClosestPoint(std::span(&p, 1), options);
  if (!closest.ok()) return closest.status();
  return closest->front();
}

absl::StatusOr<double> ChunkedSignedDistanceField::Distance(
    const Vec3& p, const QueryOptions& options) const {
  const absl::StatusOr<SignedPoint> closest = ClosestPoint(p, options);
  if (!closest.ok()) return closest.status();
  return DistanceOf(*closest);
}

absl::StatusOr<std::vector<double>> ChunkedSignedDistanceField::Distance(
    std::span<const Vec3> points, const QueryOptions& options) const {
  const absl::StatusOr<std::vector<SignedPoint>> closest =
      ClosestPoint(points, options);
  if (!closest.ok()) return closest.status();
  return GuardMemory(kNoMemoryForSigns,
                     [&]() -> absl::StatusOr<std::vector<double>> {
                       return DistancesOf(*closest);
                     });
}

absl::StatusOr<bool> ChunkedSignedDistanceField::IsInside(
    const Vec3& p, const QueryOptions& options) const {
  return orbox::IsInside(tree_, p, options);
}

absl::StatusOr<std::vector<uint8_t>> ChunkedSignedDistanceField::IsInside(
    std::span<const Vec3> points, const QueryOptions& options) const {
  return orbox::IsInside(tree_, points, options);
}

}  // namespace orbox
