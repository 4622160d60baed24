// SPDX-License-Identifier: Apache-2.0

// The winding numbers of large/winding_number.h, for trees that ranks share.
#include "orbox/bvh/large/winding_number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/large/internal/winding_chunks.h"
#include "orbox/bvh/large/internal/winding_number-inl.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/owner_loop.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The batch of this rank, computed together with those of the others.
template <>
class WindingBatch<DistributedTree> {
 public:
  WindingBatch(const DistributedTree& tree, const ChunkMoments& chunks,
               std::span<const Vec3> points, const DistributedOptions& options)
      : tree_(tree),
        ranks_(tree.ranks()),
        chunks_(chunks),
        points_(points),
        report_(options.progress),
        progress_(options.progress, 1),
        options_(PartOf(options, &progress_)) {}

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
  absl::Status Any(bool* any) {
    std::array<uint64_t, 1> most = {*any ? 1u : 0u};
    const absl::Status status = ranks_.Max(most);
    *any = most[0] != 0;
    return status;
  }
  absl::Status Finish() {
    return RunPhase(ranks_, kNoMemoryForWindings, [&] {
      if (report_) report_(1);
      return absl::OkStatus();
    });
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
  const std::function<void(double)>& report_;
  Progress progress_;
  const DistributedOptions options_;  // of several queries
  const Workers workers_{1, PollOf(WatchOf(options_, options_.progress))};
  std::vector<NearChunk> near_;
  std::vector<WindingQuery> queries_;
  std::vector<WindingChunkTraits::Answer> answers_;
};

// Checks that the arguments are valid, and equal on all ranks.
inline absl::Status CheckWinding(const DistributedTree& tree, const char* name,
                                 double max_error, std::span<const Vec3> points,
                                 const DistributedOptions& options) {
  Fingerprint of(name);
  of.Add(max_error).Add(tree.chunks()).Add(options);
  const absl::Status status = tree.ranks().AgreeOn(of.value(), "the arguments");
  if (!status.ok()) return status;
  return RunPhase(tree.ranks(), kNoMemoryForWindings, [&]() -> absl::Status {
    if (points.size() > std::numeric_limits<uint32_t>::max()) {
      return absl::InvalidArgumentError(
          "more than 2^32 - 1 points of a rank; use smaller batches");
    }
    return CheckOptions(options);
  });
}

inline absl::Status FillMoments(const DistributedTree& tree,
                                const DistributedOptions& options,
                                ChunkMoments* moments) {
  const absl::Status status = RunPhase(tree.ranks(), kNoMemoryForWindings, [&] {
    const auto [begin, end] = tree.owned();
    const absl::Status put =
        moments->Put(tree.chunks(), begin, end,
                     Workers(1, PollOf(WatchOf(options, options.progress))));
    return put.ok() ? CheckCancelled(options) : put;
  });
  if (!status.ok()) return status;
  return tree.ranks().Sum(moments->bits());
}

template class LargeWindingNumberField<DistributedTree>;

}  // namespace orbox
