// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_winding_number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/large/internal/winding_chunks.h"
#include "orbox/bvh/mpi/internal/owner_loop.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {

struct DistributedWindingNumberField::Data {
  explicit Data(const DistributedTree& of) : tree(of), moments(of.chunks()) {}

  DistributedTree tree;
  ChunkMoments moments;
};

namespace {

constexpr char kNoMemoryForWindings[] = "for winding numbers";

// One batch of queries of this rank, computed together with those of the
// others.
class WindingOfRanks {
 public:
  WindingOfRanks(const DistributedTree& tree, const ChunkMoments& chunks,
                 std::span<const Vec3> points,
                 const DistributedOptions& options)
      : tree_(tree),
        ranks_(tree.ranks()),
        chunks_(chunks),
        points_(points),
        progress_(options.progress, 1),
        options_(PartOf(options, &progress_)) {}

  // See WindingOfChunks (chunked_winding_number.cc).
  absl::Status Find(std::span<const uint32_t> which, double max_error,
                    std::span<double> numbers) {
    std::array<uint64_t, 1> left = {1};
    while (left[0] != 0) {
      absl::Status status = RunPhase(ranks_, kNoMemoryForWindings, [&] {
        LookAtSome(&which, max_error, numbers);
        return CheckCancelled(options_);
      });
      if (!status.ok()) return status;
      status = RunOnOwners(tree_, WindingChunkTraits{},
                           Fingerprint("WindingNumber").Add(max_error),
                           queries_, options_, &answers_);
      if (!status.ok()) return status;
      // Contributions to a point are in the order of their chunks.
      for (size_t n = 0; n < near_.size(); ++n) {
        numbers[near_[n].point] += answers_[n].number;
      }
      left[0] = which.size();
      status = ranks_.Max(left);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  using WindingQuery = WindingChunkTraits::Query;

  // Takes the next points from `which`, as many as the memory allows.
  void LookAtSome(std::span<const uint32_t>* which, double max_error,
                  std::span<double> numbers) {
    constexpr size_t kTaskSize = 256;
    const size_t most =
        options_.memory / 4 / (sizeof(NearChunk) + sizeof(WindingQuery));
    near_.clear();
    while (!which->empty() && near_.size() <= most) {
      const size_t some = std::min(kTaskSize, which->size());
      chunks_.Look(points_, which->first(some), max_error, workers_, numbers,
                   &near_);
      *which = which->subspan(some);
    }
    queries_.clear();
    queries_.reserve(near_.size());
    for (const NearChunk& n : near_) {
      queries_.push_back({points_[n.point], n.max_error, n.chunk});
    }
    answers_.clear();
  }

  const DistributedTree& tree_;
  Communicator& ranks_;
  const ChunkMoments& chunks_;
  const std::span<const Vec3> points_;
  Progress progress_;
  const DistributedOptions options_;  // of several queries
  const Workers workers_{1, PollOf(WatchOf(options_, options_.progress))};
  std::vector<NearChunk> near_;
  std::vector<WindingQuery> queries_;
  std::vector<WindingChunkTraits::Answer> answers_;
};

// Checks that the arguments are valid, and equal on all ranks.
absl::Status CheckWinding(const DistributedTree& tree, Fingerprint of,
                          size_t points, const DistributedOptions& options) {
  const absl::Status status = tree.ranks().AgreeOn(
      of.Add(tree.chunks()).Add(options).value(), "the arguments");
  if (!status.ok()) return status;
  return RunPhase(tree.ranks(), kNoMemoryForWindings, [&]() -> absl::Status {
    if (points > std::numeric_limits<uint32_t>::max()) {
      return absl::InvalidArgumentError(
          "more than 2^32 - 1 points of a rank; use smaller batches");
    }
    return CheckOptions(options);
  });
}

absl::Status ReportTheEnd(Communicator& ranks,
                          const DistributedOptions& options) {
  return RunPhase(ranks, kNoMemoryForWindings, [&] {
    if (options.progress) options.progress(1);
    return absl::OkStatus();
  });
}

}  // namespace

absl::StatusOr<DistributedWindingNumberField> DistributedWindingNumberField::Of(
    const DistributedTree& tree, const DistributedOptions& options) {
  absl::Status status =
      CheckWinding(tree, Fingerprint("WindingNumberField"), 0, options);
  if (!status.ok()) return status;
  std::shared_ptr<Data> data;
  status = RunPhase(tree.ranks(), kNoMemoryForWindings, [&] {
    data = std::make_shared<Data>(tree);
    const auto [begin, end] = tree.owned();
    const absl::Status put = data->moments.Put(
        tree.chunks(), begin, end,
        Workers(1, PollOf(WatchOf(options, options.progress))));
    return put.ok() ? CheckCancelled(options) : put;
  });
  if (status.ok()) status = tree.ranks().Sum(data->moments.bits());
  if (!status.ok()) return status;
  return DistributedWindingNumberField(std::move(data));
}

absl::StatusOr<std::vector<double>> DistributedWindingNumberField::At(
    std::span<const Vec3> own_points, double max_error,
    const DistributedOptions& options) const {
  Communicator& ranks = data_->tree.ranks();
  absl::Status status =
      CheckWinding(data_->tree, Fingerprint("WindingNumbers").Add(max_error),
                   own_points.size(), options);
  if (!status.ok()) return status;
  std::optional<WindingOfRanks> winding;
  std::vector<uint32_t> which;
  std::vector<double> numbers;
  status = RunPhase(ranks, kNoMemoryForWindings, [&] {
    winding.emplace(data_->tree, data_->moments, own_points, options);
    which = FiniteOnes(own_points);
    numbers.assign(own_points.size(), std::numeric_limits<double>::quiet_NaN());
    return absl::OkStatus();
  });
  if (status.ok()) status = winding->Find(which, max_error, numbers);
  if (status.ok()) status = ReportTheEnd(ranks, options);
  if (!status.ok()) return status;
  return numbers;
}

absl::StatusOr<std::vector<uint8_t>> DistributedWindingNumberField::IsInside(
    std::span<const Vec3> own_points, const DistributedOptions& options) const {
  Communicator& ranks = data_->tree.ranks();
  absl::Status status =
      CheckWinding(data_->tree, Fingerprint("IsInside by winding numbers"),
                   own_points.size(), options);
  if (!status.ok()) return status;
  std::optional<WindingOfRanks> winding;
  std::optional<InsideByWinding> inside;
  status = RunPhase(ranks, kNoMemoryForWindings, [&] {
    winding.emplace(data_->tree, data_->moments, own_points, options);
    inside.emplace(own_points);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  for (const double max_error : InsideByWinding::kErrors) {
    status = winding->Find(inside->undecided(), max_error, inside->numbers());
    if (!status.ok()) return status;
    inside->Settle(max_error);
    std::array<uint64_t, 1> left = {inside->undecided().size()};
    status = ranks.Max(left);
    if (!status.ok()) return status;
    if (left[0] == 0) break;
  }
  std::vector<uint8_t> result;
  status = RunPhase(ranks, kNoMemoryForWindings, [&] {
    result = inside->Result();
    return absl::OkStatus();
  });
  if (status.ok()) status = ReportTheEnd(ranks, options);
  if (!status.ok()) return status;
  return result;
}

const DistributedTree& DistributedWindingNumberField::tree() const {
  return data_->tree;
}

}  // namespace orbox
