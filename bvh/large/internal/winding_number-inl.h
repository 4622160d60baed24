// SPDX-License-Identifier: Apache-2.0

// LargeWindingNumberField (winding_number.h), for any target. A library
// specialises WindingBatch for its target, defines CheckWinding, FillMoments
// and InStep, and instantiates the class. Private.
#ifndef ORBOX_BVH_LARGE_INTERNAL_WINDING_NUMBER_INL_H_
#define ORBOX_BVH_LARGE_INTERNAL_WINDING_NUMBER_INL_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/internal/winding_chunks.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

inline constexpr char kNoMemoryForWindings[] =
    "for winding numbers; request fewer";

// One batch of a target. All processes of the target call the same functions.
//
//   WindingBatch(tree, moments, points, options);
//   // Sets numbers[i], for each i in `which`, within `max_error`.
//   absl::Status Find(which, max_error, numbers);
//   // Sets *any to true if it is true in any process.
//   absl::Status Any(bool* any);
//   absl::Status Finish();   // makes the last report of the progress
template <LargeTree T>
class WindingBatch;

template <LargeTree T>
struct LargeWindingNumberField<T>::Data {
  explicit Data(const T& of) : tree(of), moments(of.chunks()) {}

  T tree;
  ChunkMoments moments;
};

template <LargeTree T>
absl::StatusOr<LargeWindingNumberField<T>> LargeWindingNumberField<T>::Of(
    const T& tree, const Options& options) {
  absl::Status status =
      CheckWinding(tree, "WindingNumberField", 0, {}, options);
  if (!status.ok()) return status;
  std::shared_ptr<Data> data;
  status = InStep(tree, kNoMemoryForWindings, [&] {
    data = std::make_shared<Data>(tree);
    return absl::OkStatus();
  });
  if (status.ok()) status = FillMoments(tree, options, &data->moments);
  if (!status.ok()) return status;
  return LargeWindingNumberField(std::move(data));
}

template <LargeTree T>
absl::StatusOr<std::vector<double>> LargeWindingNumberField<T>::At(
    std::span<const Vec3> points, double max_error,
    const Options& options) const {
  const T& tree = data_->tree;
  absl::Status status =
      CheckWinding(tree, "WindingNumbers", max_error, points, options);
  if (!status.ok()) return status;
  std::optional<WindingBatch<T>> batch;
  std::vector<uint32_t> which;
  std::vector<double> numbers;
  status = InStep(tree, kNoMemoryForWindings, [&] {
    batch.emplace(tree, data_->moments, points, options);
    which = FiniteOnes(points);
    numbers.assign(points.size(), std::numeric_limits<double>::quiet_NaN());
    return absl::OkStatus();
  });
  if (status.ok()) status = batch->Find(which, max_error, numbers);
  if (status.ok()) status = batch->Finish();
  if (!status.ok()) return status;
  return numbers;
}

template <LargeTree T>
absl::StatusOr<std::vector<uint8_t>> LargeWindingNumberField<T>::IsInside(
    std::span<const Vec3> points, const Options& options) const {
  const T& tree = data_->tree;
  absl::Status status =
      CheckWinding(tree, "IsInside by winding numbers", 0, points, options);
  if (!status.ok()) return status;
  std::optional<WindingBatch<T>> batch;
  std::optional<InsideByWinding> inside;
  status = InStep(tree, kNoMemoryForWindings, [&] {
    batch.emplace(tree, data_->moments, points, options);
    inside.emplace(points);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  // Most points are far from 1/2, so that a large error suffices for them.
  for (const double max_error : InsideByWinding::kErrors) {
    status = batch->Find(inside->undecided(), max_error, inside->numbers());
    if (!status.ok()) return status;
    inside->Settle(max_error);
    bool any = !inside->undecided().empty();
    status = batch->Any(&any);
    if (!status.ok()) return status;
    if (!any) break;
  }
  std::vector<uint8_t> result;
  status = InStep(tree, kNoMemoryForWindings, [&] {
    result = inside->Result();
    return absl::OkStatus();
  });
  if (status.ok()) status = batch->Finish();
  if (!status.ok()) return status;
  return result;
}

template <LargeTree T>
const T& LargeWindingNumberField<T>::tree() const {
  return data_->tree;
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_WINDING_NUMBER_INL_H_
