// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/chunked_winding_number.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/internal/winding_moments.h"
#include "orbox/bvh/query/internal/winding_sum.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {

struct ChunkedWindingNumberField::Data {
  ChunkedTree tree;
  TreeSpace space;
  std::vector<MomentRow> rows;  // of chunks, eight a row
};

namespace {

constexpr char kNoMemoryForNumbers[] = "for winding numbers; ask for fewer";
// Points of a piece of work.
constexpr size_t kPieceOfPoints = 64;

// One batch of questions, chunk by chunk.
class WindingOfChunks {
 public:
  WindingOfChunks(const ChunkedTree& tree, const TreeSpace& space,
                  std::span<const MomentRow> rows, std::span<const Vec3> points,
                  const Execution& run)
      : tree_(tree),
        space_(space),
        rows_(rows),
        points_(points),
        run_(run),
        workers_(run.threads()) {}

  // Sets numbers[i] for the i of `which`, within `max_error`.
  absl::Status Find(std::span<const uint32_t> which, double max_error,
                    std::span<double> numbers) {
    Look(which, max_error, numbers);
    std::vector<Near> near;
    for (std::vector<Near>& some : near_) {
      near.insert(near.end(), some.begin(), some.end());
      std::vector<Near>().swap(some);
    }
    std::sort(near.begin(), near.end(), [](const Near& x, const Near& y) {
      return x.chunk != y.chunk ? x.chunk < y.chunk : x.point < y.point;
    });
    for (size_t begin = 0; begin < near.size();) {
      size_t end = begin;
      while (end < near.size() && near[end].chunk == near[begin].chunk) ++end;
      const absl::Status status =
          Ask(std::span(near).subspan(begin, end - begin), numbers);
      if (!status.ok()) return status;
      begin = end;
    }
    return absl::OkStatus();
  }

 private:
  // A chunk that a point cannot see as a whole, and the error that it may have.
  struct Near {
    uint32_t chunk;
    uint32_t point;
    double max_error;
  };

  // What is seen from afar, and which chunks are near.
  void Look(std::span<const uint32_t> which, double max_error,
            std::span<double> numbers) {
    near_.assign(which.size() / kPieceOfPoints + 1, {});
    workers_.For(which.size(), kPieceOfPoints, [&](size_t begin, size_t end) {
      const size_t places = rows_.size() * MomentRow::kColumns;
      std::vector<double> seen(places);
      std::vector<double> errors(places);
      std::vector<uint32_t> order(tree_.table().size());
      for (size_t n = begin; n < end; ++n) {
        const uint32_t i = which[n];
        SeePatches(rows_, space_.FromModel(points_[i]), seen.data(),
                   errors.data());
        LookFrom(i, max_error, seen, errors, order, &numbers[i],
                 &near_[begin / kPieceOfPoints]);
      }
    });
  }

  void LookFrom(uint32_t i, double max_error, std::span<const double> seen,
                std::span<const double> errors, std::vector<uint32_t>& order,
                double* number, std::vector<Near>* near) const {
    // Half of the error is for what is far: as many as it suffices for, those
    // with the least error first.
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
      return errors[x] != errors[y] ? errors[x] < errors[y] : x < y;
    });
    double error = 0;
    size_t far = 0;
    while (far < order.size() && error + errors[order[far]] <= max_error / 2) {
      error += errors[order[far++]];
    }
    std::sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(far));
    *number = 0;
    for (size_t k = 0; k < far; ++k) *number += seen[order[k]];
    const auto left = static_cast<double>(order.size() - far);
    for (size_t k = far; k < order.size(); ++k) {
      near->push_back({order[k], i, std::max(0.0, max_error - error) / left});
    }
  }

  absl::Status Ask(std::span<const Near> near, std::span<double> numbers) {
    if (run_.is_cancelled()) return Execution::Cancelled();
    const absl::StatusOr<Chunk> chunk = tree_.Load(near[0].chunk);
    if (!chunk.ok()) return chunk.status();
    const WindingMoments moments =
        WindingMomentsOf(chunk->tree, run_.threads());
    workers_.For(near.size(), kPieceOfPoints, [&](size_t begin, size_t end) {
      std::optional<TraversalStatistics> own;
      if (run_.statistics() != nullptr) own.emplace();
      const Execution alone(QueryOptions{.statistics = own ? &*own : nullptr});
      for (size_t n = begin; n < end; ++n) {
        numbers[near[n].point] += WindingNumberAt(
            moments, points_[near[n].point], near[n].max_error, alone);
      }
      if (!own) return;
      const std::lock_guard lock(mutex_);
      *run_.statistics() += *own;
    });
    return absl::OkStatus();
  }

  const ChunkedTree& tree_;
  const TreeSpace& space_;
  const std::span<const MomentRow> rows_;
  const std::span<const Vec3> points_;
  const Execution& run_;
  const Workers workers_;
  std::vector<std::vector<Near>> near_;  // by piece of points
  std::mutex mutex_;                     // of *statistics
};

// The finite points.
std::vector<uint32_t> FiniteOnes(std::span<const Vec3> points) {
  std::vector<uint32_t> which;
  for (uint32_t i = 0; i < points.size(); ++i) {
    if (IsFinite(points[i])) which.push_back(i);
  }
  return which;
}

absl::Status CheckPoints(const Execution& run, size_t points) {
  if (absl::Status s = run.Check(); !s.ok()) return s;
  if (points <= std::numeric_limits<uint32_t>::max()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "more than 2^32 - 1 points in a batch; ask in smaller batches");
}

// The only one.
template <typename Result, typename Value>
absl::StatusOr<Result> OnlyOne(const absl::StatusOr<std::vector<Value>>& all) {
  if (!all.ok()) return all.status();
  return Result(all->front());
}

}  // namespace

absl::StatusOr<ChunkedWindingNumberField> ChunkedWindingNumberField::Of(
    const ChunkedTree& tree) {
  const auto make = [&]() -> absl::StatusOr<ChunkedWindingNumberField> {
    auto data =
        std::make_shared<Data>(Data{tree, SpaceAround(tree.bounds()), {}});
    constexpr size_t kWidth = MomentRow::kColumns;
    const size_t chunks = tree.table().size();
    data->rows.resize((chunks + kWidth - 1) / kWidth);
    for (size_t i = 0; i < chunks; ++i) {
      const absl::StatusOr<Chunk> chunk = tree.Load(i);
      if (!chunk.ok()) return chunk.status();
      PutMomentsOfTree(chunk->tree, data->space, data->rows[i / kWidth],
                       i % kWidth);
    }
    return ChunkedWindingNumberField(std::move(data));
  };
  return GuardMemory(kNoMemoryForNumbers, make);
}

absl::StatusOr<std::vector<double>> ChunkedWindingNumberField::At(
    std::span<const Vec3> points, const WindingOptions& options) const {
  const Execution run(options);
  if (absl::Status s = CheckPoints(run, points.size()); !s.ok()) return s;
  const auto find = [&]() -> absl::StatusOr<std::vector<double>> {
    Progress progress(options.progress, 1);
    std::vector<double> numbers(points.size(),
                                std::numeric_limits<double>::quiet_NaN());
    const absl::Status status =
        WindingOfChunks(data_->tree, data_->space, data_->rows, points, run)
            .Find(FiniteOnes(points), options.max_error, numbers);
    if (!status.ok()) return status;
    progress.Finish();
    return numbers;
  };
  return GuardMemory(kNoMemoryForNumbers, find);
}

absl::StatusOr<std::vector<uint8_t>> ChunkedWindingNumberField::IsInside(
    std::span<const Vec3> points, const QueryOptions& options) const {
  const Execution run(options);
  if (absl::Status s = CheckPoints(run, points.size()); !s.ok()) return s;
  const auto find = [&]() -> absl::StatusOr<std::vector<uint8_t>> {
    Progress progress(options.progress, 1);
    WindingOfChunks winding(data_->tree, data_->space, data_->rows, points,
                            run);
    std::vector<double> numbers(points.size());
    std::vector<uint32_t> open = FiniteOnes(points);
    // Most points are far from 1/2.
    for (const double max_error : {0.25, 0.02, 1e-4, 0.0}) {
      if (absl::Status s = winding.Find(open, max_error, numbers); !s.ok()) {
        return s;
      }
      // Rounding beside it.
      const double sure = max_error * (1 + 1e-9) + 1e-9;
      std::erase_if(
          open, [&](uint32_t i) { return std::abs(numbers[i] - 0.5) > sure; });
      if (open.empty()) break;
    }
    std::vector<uint8_t> inside(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      inside[i] = IsFinite(points[i]) && numbers[i] > 0.5 ? 1 : 0;
    }
    progress.Finish();
    return inside;
  };
  return GuardMemory(kNoMemoryForNumbers, find);
}

absl::StatusOr<double> ChunkedWindingNumberField::At(
    const Vec3& p, const WindingOptions& options) const {
  return OnlyOne<double>(At(std::span(&p, 1), options));
}

absl::StatusOr<bool> ChunkedWindingNumberField::IsInside(
    const Vec3& p, const QueryOptions& options) const {
  return OnlyOne<bool>(IsInside(std::span(&p, 1), options));
}

const ChunkedTree& ChunkedWindingNumberField::tree() const {
  return data_->tree;
}

}  // namespace orbox
