// SPDX-License-Identifier: Apache-2.0

// The chunks of a target as FarthestSearch measures them, and the team of one
// process. Private.
//
//   OneProcess alone(target, options);
//   ChunkTarget measured(alone);
//   FarthestSearch search(measured, goal);
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_TARGET_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/chunk_traits.h"
#include "orbox/bvh/large/internal/chunked_farthest.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Concatenates the values of all processes, in their order, on each process.
template <typename Value>
absl::Status JoinValues(FarthestTeam& team, std::span<const Value> own,
                        std::vector<Value>* all) {
  std::vector<std::byte> bytes;
  std::vector<std::byte> joined;
  absl::Status status = team.Together([&] {
    const std::span<const std::byte> from = std::as_bytes(own);
    bytes.assign(from.begin(), from.end());
    return absl::OkStatus();
  });
  if (status.ok()) status = team.Join(bytes, &joined);
  if (!status.ok()) return status;
  return team.Together([&] {
    all->resize(joined.size() / sizeof(Value));
    if (!joined.empty()) {
      std::memcpy(all->data(), joined.data(), joined.size());
    }
    return absl::OkStatus();
  });
}

// Returns the run of `count` items that belongs to this process.
inline std::pair<size_t, size_t> OwnRun(const FarthestTeam& team,
                                        size_t count) {
  return {count * team.number() / team.size(),
          count * (team.number() + 1) / team.size()};
}

// The target of a search, measured by a team.
class ChunkTarget final : public FarthestTarget {
 public:
  explicit ChunkTarget(FarthestTeam& team) : team_(team) {}

  // Set if all processes have equal questions, so that each measures a share of
  // them. Otherwise each measures its own.
  void set_is_shared(bool is_shared) { is_shared_ = is_shared; }

  absl::Status Measure(std::span<const DistanceQuery> queries,
                       std::span<DistanceSample> samples) override {
    const auto [begin, end] = is_shared_ ? OwnRun(team_, queries.size())
                                         : std::pair(size_t{0}, queries.size());
    absl::Status status =
        team_.Closest(queries.subspan(begin, end - begin), &found_);
    if (!status.ok()) return status;
    status = team_.Together([&] {
      own_.clear();
      for (const DistanceChunkTraits::Answer& near : found_) {
        own_.push_back(*near);
      }
      return absl::OkStatus();
    });
    if (status.ok() && is_shared_) {
      status = JoinValues<NearTriangle>(team_, own_, &all_);
    }
    if (!status.ok()) return status;
    return team_.Together([&] {
      const std::vector<NearTriangle>& near = is_shared_ ? all_ : own_;
      for (size_t i = 0; i < queries.size(); ++i) {
        samples[i] = {queries[i].point, near[i].distance, near[i].triangle,
                      near[i].known};
        Remember(near[i].triangle, near[i].corners);
      }
      return absl::OkStatus();
    });
  }

  Triangle TriangleOf(uint64_t id) const override {
    return triangles_.find(id)->second;
  }

  absl::Status Together(absl::FunctionRef<absl::Status()> work) override {
    return team_.Together(work);
  }

  void Remember(uint64_t id, const Triangle& triangle) {
    triangles_.emplace(id, triangle);
  }
  void Remember(const SampledCorners& corners,
                std::span<const Triangle, 3> near) {
    for (size_t k = 0; k < 3; ++k) Remember(corners[k].triangle, near[k]);
  }
  void Forget() { triangles_.clear(); }

 private:
  FarthestTeam& team_;
  bool is_shared_ = false;
  std::vector<DistanceChunkTraits::Answer> found_;
  std::vector<NearTriangle> own_;
  std::vector<NearTriangle> all_;
  std::unordered_map<uint64_t, Triangle> triangles_;
};

// A team of this process alone.
class OneProcess final : public FarthestTeam {
 public:
  // `progress` reports from inside of the team's queries; may be empty.
  OneProcess(const ChunkedTree& target, const RunOptions& options,
             std::function<void(double)> progress)
      : target_(target), traits_{SpaceAround(target.bounds())} {
    options_.progress = std::move(progress);
    options_.statistics = options.statistics;
    options_.threads = options.threads;
    options_.cancelled = options.cancelled;
  }

  absl::Status Together(absl::FunctionRef<absl::Status()> work) override {
    return work();
  }
  absl::Status Closest(
      std::span<const DistanceQuery> own,
      std::vector<DistanceChunkTraits::Answer>* found) override {
    auto answers = RunOnChunks(target_, traits_, own, options_);
    if (!answers.ok()) return answers.status();
    found->resize(own.size());
    for (size_t n = 0; n < own.size(); ++n) {
      (*found)[answers->order[n]] = answers->answers[n];
    }
    return absl::OkStatus();
  }
  absl::Status Join(const std::vector<std::byte>& own,
                    std::vector<std::byte>* all) override {
    *all = own;
    return absl::OkStatus();
  }

 private:
  const ChunkedTree& target_;
  const DistanceChunkTraits traits_;
  QueryOptions options_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_TARGET_H_
