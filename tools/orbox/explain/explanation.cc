// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/explain/explanation.h"

#include <cmath>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

std::string Percent(double share) {
  return Cat(static_cast<int64_t>(std::lround(100 * share)), " %");
}

std::string Queries(double count) {
  constexpr double kMany = 1e9;
  if (count > kMany) return "a billion queries";
  const auto whole = static_cast<uint64_t>(count);
  return Cat(Grouped(whole), whole == 1 ? " query" : " queries");
}

// Returns the recommendation for a repeated query.
std::string Often(const Explanation& explanation, const std::string& options) {
  const Advice& advice = explanation.measured.advice;
  return Cat(options, " takes ", Percent(advice.often_gain),
             " less time a query, which pays for building from ",
             Queries(advice.pays_from), " on (keep it with 'orbox build')");
}

}  // namespace

CostTable CostTableOf(const TraversalStatistics& statistics,
                      const StepCosts& costs) {
  const bool of_pairs = IsOfPairs(statistics);
  const Steps steps = StepsOf(statistics);
  double total = 0;
  for (int k = 0; k < kStepKinds; ++k) total += steps[k] * costs.seconds[k];
  CostTable table;
  const auto share = [&](int step, double count) -> std::optional<double> {
    const double part = total > 0 ? count * costs.seconds[step] / total : 0;
    if (costs.distinguished[step]) return part;
    table.together += part;
    return std::nullopt;
  };
  for (int depth = 0; depth < TraversalStatistics::kDepths; ++depth) {
    for (int k = 0; k < kVolumeKinds; ++k) {
      const VolumeStatistics& counts = statistics.volumes[depth][k];
      if (counts == VolumeStatistics{}) continue;
      const auto count = static_cast<double>(NodeStepsOf(counts, of_pairs));
      table.rows.push_back(
          {depth, static_cast<VolumeKind>(k), counts, share(k, count)});
    }
  }
  table.leaves_share = share(kLeafStep, steps[kLeafStep]);
  table.beyond_float_share = share(kBeyondFloatStep, steps[kBeyondFloatStep]);
  table.rest_share = share(kRestStep, 1);
  return table;
}

std::string OptionsOf(const Variant& from, const Variant& to) {
  std::string options;
  const auto add = [&options](std::string_view name, std::string_view value) {
    options += Cat(options.empty() ? "" : " ", name, " ", value);
  };
  if (to.volumes != from.volumes) add("--volumes", NameOf(to.volumes));
  if (to.quality != from.quality) add("--quality", NameOf(to.quality));
  if (to.storage != from.storage) add("--storage", NameOf(to.storage));
  return options;
}

std::string RecommendationOf(const Explanation& explanation) {
  const std::vector<VariantCost>& variants = explanation.measured.variants;
  const Advice& advice = explanation.measured.advice;
  const auto options = [&](size_t i) {
    return OptionsOf(variants[0].variant, variants[i].variant);
  };
  if (advice.once == 0 && advice.often == 0) {
    return Cat(
        "keep these options; no others were clearly faster, by more "
        "than ",
        Percent(kClearGain));
  }
  if (advice.once == 0) return Often(explanation, options(advice.often));
  const std::string once =
      Cat(Percent(advice.once_gain), " less time to build and ask once");
  if (advice.once == advice.often) {
    if (advice.often_gain <= kClearGain) {
      return Cat(options(advice.once), " takes ", once,
                 ", and no others are clearly faster to ask again");
    }
    return Cat(options(advice.once), " takes ", once, ", and ",
               Percent(advice.often_gain), " less a query");
  }
  const std::string early = Cat(options(advice.once), " takes ", once);
  if (advice.often == 0) {
    return Cat(early, "; from ", Queries(advice.pays_from),
               " on, keep these options");
  }
  return Cat(early, "; ", Often(explanation, options(advice.often)));
}

}  // namespace orbox::cli
