// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/batch_run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/morton_code.h"
#include "orbox/bvh/base/internal/radix_sort.h"

namespace orbox {
namespace {

// Number of bits per coordinate. A cell of a thousandth of the model is smaller
// than the neighbourhood that a query visits.
constexpr int kMortonBits = 10;

// Table that moves bit i of a number of kMortonBits bits to bit 3 i.
constexpr auto kSpread = [] {
  std::array<uint32_t, 1 << kMortonBits> spread{};
  for (uint32_t i = 0; i < spread.size(); ++i) {
    spread[i] = static_cast<uint32_t>(SpreadBits(i));
  }
  return spread;
}();

// Number of bits of a query's index. A key and an index share one word, sorted
// by key and then by index.
constexpr int kQueryBits = 32;

}  // namespace

uint32_t MortonKey(const TreeSpace& space, const Vec3& place) {
  const Vec3 t = space.FromModel(place);
  uint32_t key = 0;
  for (size_t k = 3; k-- > 0;) {
    // Maps all numbers to [-1, 1], and [-1, 1] of tree space to the middle
    // half. Infinite numbers are mapped to the ends.
    constexpr double kAlmostInfinite = 0x1p1000;
    const double far = std::clamp(t[k], -kAlmostInfinite, kAlmostInfinite);
    const double x = far / (1 + std::abs(far));
    constexpr double kHalf = 1 << (kMortonBits - 1);
    const double cell = std::min(x * kHalf + kHalf, 2 * kHalf - 1);
    // NaN gets an arbitrary key, because its query has no result.
    key = key << 1 | kSpread[cell >= 0 ? static_cast<int32_t>(cell) : 0];
  }
  return key;
}

absl::Status BatchRun::Check() const {
  if (absl::Status s = run_.Check(); !s.ok()) return s;
  if (count_ > std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a batch has at most 2^32 - 1 queries, and this one has ",
                     count_, "; ask in several batches"));
  }
  return absl::OkStatus();
}

std::span<const uint32_t> BatchRun::QueriesOf(size_t task) const {
  const size_t begin = task * grain_;
  return std::span(order_).subspan(begin, std::min(grain_, count_ - begin));
}

void BatchRun::Sort(absl::FunctionRef<Vec3(size_t query)> position_of) {
  std::vector<uint64_t> entries(count_);
  // A key takes nanoseconds.
  constexpr size_t kGrain = 1 << 14;
  runner_->workers().For(count_, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const uint64_t key = MortonKey(space_, position_of(i));
      entries[i] = (key << kQueryBits) | i;
    }
  });
  std::vector<uint64_t> scratch;
  RadixSort(
      &entries, &scratch, [](uint64_t entry) { return entry >> kQueryBits; },
      runner_->workers());
  order_.resize(count_);
  std::transform(entries.begin(), entries.end(), order_.begin(),
                 [](uint64_t entry) { return static_cast<uint32_t>(entry); });
}

absl::Status BatchRun::ForEachTask(PositionOf position_of, Work work) {
  return ForEachTaskInOrder(
      [&](const Workers&) {
        if (position_of.has_value()) {
          Sort(*position_of);
        } else {
          order_.resize(count_);
          std::iota(order_.begin(), order_.end(), 0u);
        }
      },
      work);
}

absl::Status BatchRun::ForEachTaskInOrder(Prepare prepare, Work work) {
  if (absl::Status s = Check(); !s.ok()) return s;
  return GuardMemory([&] {
    runner_.emplace(run_, count_);
    prepare(runner_->workers());
    runner_->For(
        count_, grain_, [&](size_t begin, size_t end, const Watch& watch) {
          const size_t task = begin / grain_;
          work({task, begin, end,
                order_.empty() ? std::span<const uint32_t>() : QueriesOf(task),
                watch});
        });
    runner_->progress().Finish();  // an empty batch has no task that reports
    return absl::OkStatus();
  });
}

}  // namespace orbox
