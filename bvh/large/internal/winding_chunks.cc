// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/winding_chunks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/inside/internal/winding_sum.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {
namespace {

constexpr size_t kWidth = MomentRow::kColumns;
// Points per task.
constexpr size_t kTaskOfPoints = 64;

}  // namespace

// The view of all chunks from points, one point after another.
class ChunkMoments::View {
 public:
  explicit View(const ChunkMoments& moments)
      : moments_(moments),
        seen_(moments.rows_.size() * kWidth),
        errors_(moments.rows_.size() * kWidth),
        order_(moments.chunks_) {}

  // Returns the sum over the chunks that are far enough; appends the others to
  // `near`.
  double LookFrom(const Vec3& p, uint32_t i, double max_error,
                  std::vector<NearChunk>* near) {
    SeePatches(moments_.rows_, moments_.space_.FromModel(p), seen_.data(),
               errors_.data());
    // Half of the permitted error is for far chunks. Those with the least
    // errors are counted as far, as many as this half suffices for.
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [this](uint32_t x, uint32_t y) {
      return errors_[x] != errors_[y] ? errors_[x] < errors_[y] : x < y;
    });
    double error = 0;
    size_t far = 0;
    while (far < order_.size() &&
           error + errors_[order_[far]] <= max_error / 2) {
      error += errors_[order_[far++]];
    }
    const auto middle = order_.begin() + static_cast<ptrdiff_t>(far);
    std::sort(order_.begin(), middle);
    std::sort(middle, order_.end());
    double number = 0;
    for (size_t k = 0; k < far; ++k) number += seen_[order_[k]];
    const auto left = static_cast<double>(order_.size() - far);
    for (size_t k = far; k < order_.size(); ++k) {
      near->push_back({order_[k], i, std::max(0.0, max_error - error) / left});
    }
    return number;
  }

 private:
  const ChunkMoments& moments_;
  std::vector<double> seen_;
  std::vector<double> errors_;
  std::vector<uint32_t> order_;
};

ChunkMoments::ChunkMoments(const ChunkedTree& tree)
    : space_(SpaceAround(tree.bounds())),
      chunks_(tree.table().size()),
      rows_((chunks_ + kWidth - 1) / kWidth) {}

absl::Status ChunkMoments::Put(const ChunkedTree& tree, size_t begin,
                               size_t end, const Workers& workers) {
  for (size_t i = begin; i < end; ++i) {
    const absl::StatusOr<Chunk> chunk = tree.Load(i);
    if (!chunk.ok()) return chunk.status();
    workers.Poll();
    PutMomentsOfTree(chunk->tree, space_, rows_[i / kWidth], i % kWidth,
                     workers);
  }
  return absl::OkStatus();
}

std::span<uint64_t> ChunkMoments::bits() {
  static_assert(std::is_trivially_copyable_v<MomentRow> &&
                sizeof(MomentRow) % sizeof(uint64_t) == 0);
  return {reinterpret_cast<uint64_t*>(rows_.data()),
          rows_.size() * sizeof(MomentRow) / sizeof(uint64_t)};
}

void ChunkMoments::Look(std::span<const Vec3> points,
                        std::span<const uint32_t> which, double max_error,
                        const Workers& workers, std::span<double> numbers,
                        std::vector<NearChunk>* near) const {
  std::vector<std::vector<NearChunk>> found(which.size() / kTaskOfPoints + 1);
  workers.For(which.size(), kTaskOfPoints, [&](size_t begin, size_t end) {
    workers.Poll();
    View view(*this);
    for (size_t n = begin; n < end; ++n) {
      const uint32_t i = which[n];
      numbers[i] =
          view.LookFrom(points[i], i, max_error, &found[begin / kTaskOfPoints]);
    }
  });
  for (std::vector<NearChunk>& some : found) {
    near->insert(near->end(), some.begin(), some.end());
    std::vector<NearChunk>().swap(some);
  }
}

InsideByWinding::InsideByWinding(std::span<const Vec3> points)
    : points_(points),
      undecided_(FiniteOnes(points)),
      numbers_(points.size()) {}

void InsideByWinding::Settle(double max_error) {
  // The terms 1e-9 cover rounding.
  const double sure = max_error * (1 + 1e-9) + 1e-9;
  std::erase_if(undecided_,
                [&](uint32_t i) { return std::abs(numbers_[i] - 0.5) > sure; });
}

std::vector<uint8_t> InsideByWinding::Result() const {
  std::vector<uint8_t> inside(points_.size());
  for (size_t i = 0; i < points_.size(); ++i) {
    inside[i] = IsFinite(points_[i]) && numbers_[i] > 0.5 ? 1 : 0;
  }
  return inside;
}

std::vector<uint32_t> FiniteOnes(std::span<const Vec3> points) {
  std::vector<uint32_t> which;
  for (uint32_t i = 0; i < points.size(); ++i) {
    if (IsFinite(points[i])) which.push_back(i);
  }
  return which;
}

void WindingChunkTraits::Run(const Chunk& chunk, std::span<const Query> queries,
                             std::span<const uint32_t> which,
                             std::span<Answer> answers,
                             const Watch& watch) const {
  const WindingMoments moments =
      WindingMomentsOf(chunk.tree, Workers(1, PollOf(watch)));
  for (const uint32_t i : which) {
    answers[i].number +=
        WindingNumberAt(moments, queries[i].point, queries[i].max_error, watch);
  }
}

}  // namespace orbox
