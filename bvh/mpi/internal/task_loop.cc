// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/task_loop.h"

#include <algorithm>
#include <span>

#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/shared_statistics.h"

namespace orbox {

namespace {

absl::Status PoseInto(const PosedDistributedTree& tree,
                      std::optional<PosedChunkedTree>* posed) {
  absl::StatusOr<PosedChunkedTree> made =
      PosedChunkedTree::Create(tree.tree.chunks(), tree.pose);
  if (made.ok()) posed->emplace(*std::move(made));
  return made.status();
}

}  // namespace

absl::Status TaskLoop::Prepare(Fingerprint fingerprint, double distance) {
  fingerprint.Add(options_).Add(distance);
  fingerprint.Add(of_a_.tree.chunks()).Add(of_a_.pose);
  if (of_b_ != nullptr) {
    fingerprint.Add(of_b_->tree.chunks()).Add(of_b_->pose);
  }
  absl::Status status = ranks_.AgreeOn(fingerprint.value(), "the arguments");
  if (!status.ok()) return status;
  status = RunPhase(ranks_, "for pairs of chunks", [&] {
    if (of_b_ != nullptr && &of_b_->tree.ranks() != &of_a_.tree.ranks()) {
      return absl::InvalidArgumentError(
          "the trees have different communicators");
    }
    absl::Status posed = PoseInto(of_a_, &a_);
    if (posed.ok() && of_b_ != nullptr) posed = PoseInto(*of_b_, &b_);
    if (!posed.ok()) return posed;
    local_.max_distance = options_.max_distance;
    local_.cancelled = options_.cancelled;
    if (options_.progress) local_.progress = Heartbeat(&progress_);
    if (options_.statistics != nullptr || options_.own_statistics != nullptr) {
      local_.statistics = &statistics_;
    }
    run_.emplace(a(), b(),
                 b_.has_value() ? TaskRun::Of::kTwo : TaskRun::Of::kSelf,
                 local_);
    return CheckOptions(options_);
  });
  if (!status.ok()) return status;
  return SetTasks(
      [&]() -> std::vector<ChunkTask> {
        const double within = std::min(distance, options_.max_distance);
        if (!(distance >= 0)) return {};
        return b_.has_value() ? PairTasks(*a_, *b_, within)
                              : SelfTasks(*a_, within);
      },
      Shares::kEven);
}

absl::Status TaskLoop::SetTasks(
    absl::FunctionRef<std::vector<ChunkTask>()> tasks, Shares shares) {
  return RunPhase(ranks_, "for pairs of chunks", [&] {
    shares_ = shares;
    tasks_ = tasks();
    own_.clear();
    const auto size = static_cast<size_t>(ranks_.size());
    std::vector<uint32_t> rank_of;
    if (shares == Shares::kEven) rank_of = AssignTasks(tasks_, size);
    for (size_t i = 0; i < tasks_.size(); ++i) {
      const size_t rank = shares == Shares::kEven ? rank_of[i] : i % size;
      if (rank == static_cast<size_t>(ranks_.rank())) {
        own_.push_back(static_cast<uint32_t>(i));
      }
    }
    return absl::OkStatus();
  });
}

absl::Status TaskLoop::RunRound(size_t begin, size_t end, Work work) {
  for (size_t i = begin; i < end && !stops_; ++i) {
    absl::Status done;
    const absl::Status status = run_->ForEach(
        std::span(tasks_).subspan(own_[i], 1), [&](const TaskRun::Task& task) {
          done = work(task, own_[i]);
          return Visit::kContinue;
        });
    if (!status.ok()) return status;
    if (!done.ok()) return done;
  }
  return absl::OkStatus();
}

absl::Status TaskLoop::Run(Work work, After after) {
  uint64_t numbers[] = {own_.size()};
  absl::Status status = ranks_.Max(numbers);
  if (!status.ok()) return status;
  const uint64_t most = numbers[0];
  uint64_t step = shares_ == Shares::kEven ? (most + kRounds - 1) / kRounds : 1;
  for (uint64_t begin = 0; begin < most;) {
    const uint64_t end = std::min(most, begin + step);
    status = RunPhase(ranks_, "for pairs of triangles", [&] {
      const absl::Status done =
          RunRound(std::min<size_t>(begin, own_.size()),
                   std::min<size_t>(end, own_.size()), work);
      if (!done.ok()) return done;
      progress_.Add(kUnits * end / most - kUnits * begin / most);
      // Ranks without a task may be cancelled, too.
      return CheckCancelled(options_);
    });
    if (!status.ok()) return status;
    bool goes_on = true;
    status = after(&goes_on);
    if (!status.ok() || !goes_on) return status;
    begin = end;
    if (shares_ == Shares::kInTurn) step *= 2;
  }
  return absl::OkStatus();
}

absl::Status TaskLoop::Run(Work work) {
  return Run(work, [&](bool* goes_on) {
    uint64_t stops[] = {stops_ ? uint64_t{1} : 0};
    const absl::Status status = ranks_.Max(stops);
    has_stopped_ = stops[0] != 0;
    *goes_on = !has_stopped_;
    return status;
  });
}

absl::Status TaskLoop::Finish() {
  const absl::Status status = RunPhase(ranks_, "for the progress", [&] {
    progress_.Finish();
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return ShareStatistics(ranks_, statistics_, options_);
}

}  // namespace orbox
