// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/query_runner.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "orbox/bvh/build/build.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

Stopwatch::Stopwatch(size_t threads)
    : of_thread_(threads == 1), begin_(Now()) {}

double Stopwatch::Now() const {
  timespec time;
  clock_gettime(of_thread_ ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

size_t Built::size_bytes(std::span<const Operand> operands) const {
  size_t bytes = 0;
  for (size_t i = 0; i < trees.size(); ++i) {
    if (operands[i].first == i) bytes += trees[i].size_bytes();
  }
  return bytes;
}

absl::StatusOr<Built> BuildAll(std::span<const Operand> operands,
                               const Variant& variant, bool at_hand,
                               size_t threads) {
  Built built;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    if (operand.first < i) {
      built.trees.push_back(built.trees[operand.first]);
      continue;
    }
    if (at_hand && operand.loaded.tree.has_value()) {
      built.trees.push_back(*operand.loaded.tree);
      continue;
    }
    const Stopwatch stopwatch(threads);
    absl::StatusOr<Tree> tree = Build(
        operand.loaded.mesh, {.volumes = variant.volumes,
                              .max_leaf_triangles = variant.max_leaf_triangles,
                              .quality = variant.quality,
                              .storage = variant.storage,
                              .progress = {},
                              .threads = static_cast<int>(threads)});
    built.seconds += stopwatch.seconds();
    if (!tree.ok()) return tree.status();
    built.trees.push_back(*std::move(tree));
  }
  return built;
}

// FNV-1a hash (Fowler, Noll, Vo).
void Digest::Add(std::string_view text) {
  size += text.size();
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
}

double ResolvedIn(double seconds) {
  return std::clamp(seconds / 2500, 1e-4, 4e-3);
}

QueryRunner::QueryRunner(Query& query, const Settings& settings)
    : query_(query), settings_(settings) {
  settings_.format = Format::kJson;  // the format with all results
  settings_.statistics = false;
  settings_.reported = false;
  settings_.reports_witnesses = false;
  settings_.writes_files = false;
}

absl::StatusOr<Digest> QueryRunner::AnswersOf(const Built& built) {
  Settings reported = settings_;
  reported.reported = true;
  Digest digest;
  const absl::StatusOr<Answered> answered = RunOnce(
      built, reported, [&digest](std::string_view text) { digest.Add(text); });
  if (!answered.ok()) return answered.status();
  return digest;
}

absl::StatusOr<TraversalStatistics> QueryRunner::StatisticsOf(
    const Built& built) {
  Settings counting = settings_;
  counting.statistics = true;
  const absl::StatusOr<Answered> answered =
      RunOnce(built, counting, [](std::string_view) {});
  if (!answered.ok()) return answered.status();
  return answered->statistics;
}

double QueryRunner::SecondsOf(const Built& built) {
  const auto call = [&] {
    RunOnce(built, settings_, [](std::string_view) {}).IgnoreError();
  };
  // Runs once without measuring, so that the caches no longer contain the last
  // tree. A long query does not need this.
  if (repeats_ > 1) call();
  const Stopwatch stopwatch(settings_.threads);
  for (size_t i = 0; i < repeats_; ++i) call();
  return stopwatch.seconds() / static_cast<double>(repeats_);
}

void QueryRunner::WarmUp(const Built& built, double seconds) {
  const double resolved = ResolvedIn(seconds);
  constexpr double kMost = 10'000;
  repeats_ = 1;
  SecondsOf(built);
  const double query = SecondsOf(built);
  repeats_ =
      static_cast<size_t>(std::clamp(std::ceil(resolved / query), 1.0, kMost));
}

absl::StatusOr<Answered> QueryRunner::RunOnce(
    const Built& built, const Settings& settings,
    std::function<void(std::string_view)> sink) {
  ProgressDisplay silent({.enabled = false});
  Output output = Output::ToSink(std::move(sink));
  return query_.Run(built.trees, {settings, silent, output});
}

}  // namespace orbox::cli
