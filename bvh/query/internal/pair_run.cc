// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/pair_run.h"

#include <atomic>
#include <optional>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/internal/pair_parts.h"
#include "orbox/bvh/query/internal/pair_sinks.h"
#include "orbox/bvh/query/internal/sort_pairs.h"
#include "orbox/bvh/traverse/internal/piece_run.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {
namespace {

// A scope: whole, or divided into tasks if the options require it.
class PartRun {
 public:
  // Result of the search of task i.
  struct Outcome {
    bool is_any = false;
    Step step = Step::kContinue;
  };
  using Work = absl::FunctionRef<Outcome(size_t i, const PairScope& part,
                                         const Watch& watch)>;

  // Returns true if scopes need not be cut into tasks.
  static bool StaysWhole(const Execution& run, int threads) {
    return threads == 1 && !run.wants_shares();
  }

  PartRun(const PairScope& whole, double limit, const Execution& run,
          int threads)
      : whole_(whole), run_(run) {
    if (StaysWhole(run, threads)) return;
    parts_.emplace(whole, limit, run.statistics());
    pieces_.emplace(run, parts_->size(), threads);
  }

  size_t size() const { return parts_ ? parts_->size() : 1; }
  // Null if the scope is whole.
  const Workers* workers() const {
    return pieces_ ? &pieces_->workers() : nullptr;
  }

  // Calls `work` for each task, until one stops.
  void ForEach(Work work) {
    if (!parts_) {
      work(0, whole_, run_);
      return;
    }
    std::vector<PartOutcome> outcomes(size(), PartOutcome::kNotEntered);
    pieces_->For(size(), 1, [&](size_t i, size_t, const Watch& watch) {
      if (!stopped_) outcomes[i] = RunPart(i, work, watch);
    });
    parts_->Finish(outcomes);
  }

 private:
  PartOutcome RunPart(size_t i, Work work, const Watch& watch) {
    const PairScope part{whole_.a, whole_.b, whole_.self, (*parts_)[i]};
    const Outcome outcome = work(i, part, watch);
    if (outcome.step == Step::kStop) stopped_ = true;
    return outcome.is_any ? PartOutcome::kFruitful : PartOutcome::kBarren;
  }

  const PairScope& whole_;
  const Execution& run_;
  std::optional<PairParts> parts_;
  std::optional<PieceRun> pieces_;
  std::atomic<bool> stopped_ = false;
};

template <typename Pair>
std::vector<Pair> Joined(std::vector<std::vector<Pair>> found,
                         const Workers& workers) {
  size_t count = 0;
  for (const auto& pairs : found) count += pairs.size();
  std::vector<Pair> all;
  all.reserve(count);
  for (auto& pairs : found) {
    workers.Poll();
    all.insert(all.end(), pairs.begin(), pairs.end());
    std::vector<Pair>().swap(pairs);
  }
  SortPairs(&all, workers);
  return all;
}

}  // namespace

template <typename Pair>
std::vector<Pair> PairSearch<Pair>::All(const PairScope& scope) const {
  RequireValid();
  PartRun parts(scope, limit_, run_, run_.threads());
  std::vector<std::vector<Pair>> found(parts.size());
  parts.ForEach([&](size_t i, const PairScope& part, const Watch& watch) {
    CollectingPairs<Pair> sink(&found[i]);
    Find(part, sink, watch);
    return PartRun::Outcome{!found[i].empty()};
  });
  if (parts.workers() != nullptr) {
    return Joined(std::move(found), *parts.workers());
  }
  SortPairs(&found[0], Workers(1, PollOf(run_)));
  return std::move(found[0]);
}

template <typename Pair>
size_t PairSearch<Pair>::Count(const PairScope& scope) const {
  RequireValid();
  PartRun parts(scope, limit_, run_, run_.threads());
  std::atomic<size_t> count = 0;
  parts.ForEach([&](size_t, const PairScope& part, const Watch& watch) {
    CountingPairs<Pair> sink;
    Find(part, sink, watch);
    count += sink.count();
    return PartRun::Outcome{sink.count() != 0};
  });
  return count;
}

template <typename Pair>
void PairSearch<Pair>::Visit(
    const PairScope& scope,
    absl::FunctionRef<orbox::Visit(const Pair&)> visitor) const {
  RequireValid();
  PartRun(scope, limit_, run_, 1)
      .ForEach([&](size_t, const PairScope& part, const Watch& watch) {
        VisitingPairs<Pair> sink(visitor);
        const Step step = Find(part, sink, watch);
        return PartRun::Outcome{sink.is_any(), step};
      });
}

template <typename Pair>
bool PairSearch<Pair>::Any(const PairScope& scope) const {
  RequireValid();
  // Often takes a microsecond, which a PartRun would increase noticeably.
  if (PartRun::StaysWhole(run_, 1)) return IsAny(scope, run_);
  bool is_any = false;
  PartRun(scope, limit_, run_, 1)
      .ForEach([&](size_t, const PairScope& part, const Watch& watch) {
        is_any = IsAny(part, watch);
        return PartRun::Outcome{is_any, is_any ? Step::kStop : Step::kContinue};
      });
  return is_any;
}

template class PairSearch<TrianglePair>;
template class PairSearch<PairDistance>;

}  // namespace orbox
