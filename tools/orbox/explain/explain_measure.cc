// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explain_measure.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/orbox/explain/query_runner.h"

namespace orbox::cli {
namespace {

// Returns the current variant, then the variants that differ from it in one
// option.
std::vector<Variant> VariantsOf(std::span<const Operand> operands,
                                const Settings& settings) {
  Variant base{settings.volumes, settings.quality, settings.storage};
  // If trees are read from files, the first one represents all.
  if (operands[0].loaded.tree.has_value()) {
    base.volumes = operands[0].loaded.tree->volumes();
    base.storage = operands[0].loaded.tree->storage();
  }
  std::vector<Variant> variants = {base};
  const auto add = [&](Variant variant) {
    const auto found = std::find(variants.begin(), variants.end(), variant);
    if (found == variants.end()) variants.push_back(variant);
  };
  for (const Volumes volumes :
       {Volumes::kMixed, Volumes::kSphere, Volumes::kAabb, Volumes::kObb}) {
    add({volumes, base.quality, base.storage});
  }
  for (const Quality quality :
       {Quality::kFast, Quality::kBalanced, Quality::kBest}) {
    add({base.volumes, quality, base.storage});
  }
  for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
    add({base.volumes, base.quality, storage});
  }
  return variants;
}

// Returns the number of rounds that fit into the time, between `least` and
// `most`.
size_t RoundsIn(double seconds, double round, size_t least, size_t most) {
  const double rounds = seconds / std::max(round, 1e-9);
  return static_cast<size_t>(std::clamp(rounds, static_cast<double>(least),
                                        static_cast<double>(most)));
}

class Measurer {
 public:
  Measurer(Query& query, std::span<const Operand> operands,
           const Settings& settings, double seconds, ProgressDisplay& progress)
      : operands_(operands),
        threads_(settings.threads),
        seconds_(seconds),
        progress_(progress),
        runner_(query, settings) {
    for (const Variant& variant : VariantsOf(operands, settings)) {
      costs_.emplace_back().variant = variant;
    }
    shown_ = costs_.size();
    // Trees with partly filled leaves make the costs of leaves and nodes
    // distinguishable.
    for (const int triangles : {kLanes / 2, kLanes / 4}) {
      Variant& variant = costs_.emplace_back().variant;
      variant = costs_[0].variant;
      variant.max_leaf_triangles = triangles;
    }
  }

  absl::StatusOr<Measurements> Run() {
    absl::Status status = BuildAndCheck();
    if (!status.ok()) return status;
    status = TimeBuilds();
    if (!status.ok()) return status;
    Measurements result;
    MeasureAll();
    result.trees = built_[0].trees;
    Fit(&result);
    costs_.resize(shown_);
    status = Advise(&result);
    if (!status.ok()) return status;
    result.variants = std::move(costs_);
    return result;
  }

 private:
  bool IsAtHand(size_t i) const { return i == 0; }

  absl::Status BuildAndCheck();
  absl::Status TimeBuilds();
  void MeasureAll();
  void Fit(Measurements* result) const;
  std::vector<size_t> Candidates() const;
  absl::Status Advise(Measurements* result);

  std::span<const Operand> operands_;
  const size_t threads_;
  const double seconds_;
  ProgressDisplay& progress_;
  QueryRunner runner_;
  std::vector<VariantCost> costs_;
  std::vector<Built> built_;  // trees of costs_
  size_t shown_ = 0;          // later costs_ are used only for the fit
};

absl::Status Measurer::BuildAndCheck() {
  progress_.Begin("building trees", costs_.size());
  std::optional<Digest> answers;
  for (VariantCost& cost : costs_) {
    absl::StatusOr<Built> built =
        BuildAll(operands_, cost.variant, IsAtHand(built_.size()), threads_);
    if (!built.ok()) return built.status();
    const absl::StatusOr<Digest> digest = runner_.AnswersOf(*built);
    if (!digest.ok()) return digest.status();
    if (!answers.has_value()) answers = *digest;
    cost.same_answers = *digest == *answers;
    const absl::StatusOr<TraversalStatistics> statistics =
        runner_.StatisticsOf(*built);
    if (!statistics.ok()) return statistics.status();
    cost.statistics = *statistics;
    cost.bytes = built->size_bytes(operands_);
    cost.timing.build = {built->seconds};
    built_.push_back(*std::move(built));
    progress_.Advance(1);
  }
  return absl::OkStatus();
}

// Measures builds in alternation, because the first builds of a process wait
// for memory from the system. Uses the first times if there is no time for
// this.
absl::Status Measurer::TimeBuilds() {
  double round = 0;
  for (size_t i = 0; i < shown_; ++i) round += costs_[i].timing.build[0];
  constexpr size_t kMostRounds = 5;
  const size_t rounds = RoundsIn(0.2 * seconds_, round, 0, kMostRounds);
  progress_.Begin("building again", rounds * shown_);
  for (size_t k = 0; k < rounds; ++k) {
    for (size_t i = 0; i < shown_; ++i) {
      const absl::StatusOr<Built> built =
          BuildAll(operands_, costs_[i].variant, IsAtHand(i), threads_);
      if (!built.ok()) return built.status();
      Timing& timing = costs_[i].timing;
      if (k == 0) timing.build.clear();
      timing.build.push_back(built->seconds);
      progress_.Advance(1);
    }
  }
  return absl::OkStatus();
}

void Measurer::MeasureAll() {
  runner_.WarmUp(built_[0], seconds_);
  // Wall clock time, because the user waits for other programs, too.
  const Stopwatch stopwatch(/*threads=*/0);
  size_t rounds = kFewestRounds;
  progress_.Begin("asking each");
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < costs_.size(); ++i) {
      // Each round starts with another tree, so that each tree runs after each
      // other one.
      const size_t which = (round + i) % costs_.size();
      costs_[which].timing.query.push_back(runner_.SecondsOf(built_[which]));
    }
    if (round == 0) {
      constexpr size_t kMostRounds = 21;
      rounds = RoundsIn(0.4 * seconds_, stopwatch.seconds(), kFewestRounds,
                        kMostRounds);
    }
    progress_.ShareDone(static_cast<double>(round + 1) /
                        static_cast<double>(rounds));
  }
}

void Measurer::Fit(Measurements* result) const {
  std::vector<MeasuredCost> measured;
  for (const VariantCost& cost : costs_) {
    // A compact node takes longer to read, so it counts as another kind of
    // step.
    if (cost.variant.storage != costs_[0].variant.storage) continue;
    measured.push_back({cost.statistics, Median(cost.timing.query)});
  }
  result->costs = FitStepCosts(measured);
  result->fitted_to = measured.size();
}

// Returns the current tree and the trees with the least times, for one query
// with its build and for queries without builds.
std::vector<size_t> Measurer::Candidates() const {
  std::vector<size_t> candidates = {0};
  for (const double builds : {0.0, 1.0}) {
    const auto time = [&](size_t i) {
      const Timing& timing = costs_[i].timing;
      return builds * Median(timing.build) + Median(timing.query);
    };
    size_t best = 0;
    for (size_t i = 1; i < costs_.size(); ++i) {
      if (costs_[i].same_answers && time(i) < time(best)) best = i;
    }
    const auto found = std::find(candidates.begin(), candidates.end(), best);
    if (found == candidates.end()) candidates.push_back(best);
  }
  return candidates;
}

absl::Status Measurer::Advise(Measurements* result) {
  const std::vector<size_t> candidates = Candidates();
  std::vector<Timing> timings(candidates.size());
  double query_round = 0, build_round = 0;
  for (const size_t i : candidates) {
    // The unmeasured warm-up query and the resolution of the clock also take
    // time.
    query_round += 2 * (Median(costs_[i].timing.query) + ResolvedIn(seconds_));
    build_round += Median(costs_[i].timing.build);
  }
  const size_t queries = RoundsIn(0.3 * seconds_, query_round, 5, 31);
  const size_t builds =
      RoundsIn(0.3 * seconds_, build_round, kFewestRounds, 15);
  progress_.Begin("comparing the best");
  for (size_t round = 0; round < queries; ++round) {
    for (size_t k = 0; k < candidates.size(); ++k) {
      const size_t c = (round + k) % candidates.size();
      const size_t i = candidates[c];
      timings[c].query.push_back(runner_.SecondsOf(built_[i]));
      if (round >= builds) continue;
      const absl::StatusOr<Built> built =
          BuildAll(operands_, costs_[i].variant, IsAtHand(i), threads_);
      if (!built.ok()) return built.status();
      timings[c].build.push_back(built->seconds);
    }
    progress_.ShareDone(static_cast<double>(round + 1) /
                        static_cast<double>(queries));
  }
  result->advice = Recommend(timings);
  result->advice.once = candidates[result->advice.once];
  result->advice.often = candidates[result->advice.often];
  result->rounds = queries;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Operand>> LoadOperands(
    std::span<const std::string> paths, const Settings& settings,
    ProgressDisplay& progress) {
  std::vector<Operand> operands;
  for (const std::string& path : paths) {
    const size_t first =
        std::find(paths.begin(), paths.end(), path) - paths.begin();
    if (first < operands.size()) {
      operands.push_back(operands[first]);
      continue;
    }
    absl::StatusOr<Loaded> loaded = Load(path, settings, progress);
    if (!loaded.ok()) return loaded.status();
    operands.push_back({path, *std::move(loaded), first});
  }
  return operands;
}

absl::StatusOr<Measurements> Measure(Query& query,
                                     std::span<const Operand> operands,
                                     const Settings& settings, double seconds,
                                     ProgressDisplay& progress) {
  return Measurer(query, operands, settings, seconds, progress).Run();
}

}  // namespace orbox::cli
