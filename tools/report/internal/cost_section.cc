// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/cost_section.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/page.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Grouped;

// Names by VolumeKind.
constexpr std::array<std::string_view, kVolumeKinds> kKinds = {"spheres",
                                                               "AABBs", "OBBs"};

// Colours of the outcomes of a test of a volume.
constexpr uint32_t kColorOfUse = 0x2a9d8f;
constexpr uint32_t kColorOfVain = 0xe07a3f;
constexpr uint32_t kColorOfRejected = 0xb9c2cb;

int DepthsUsed(const TraversalStatistics& statistics) {
  int depths = TraversalStatistics::kDepths;
  while (depths > 1 && statistics.TotalOfDepth(depths - 1).volume_tests == 0) {
    --depths;
  }
  return depths;
}

double Real(uint64_t count) { return static_cast<double>(count); }

BarChart TestsByDepth(const TraversalStatistics& statistics) {
  BarChart chart{.title = "Volume tests by depth and kind",
                 .x_axis = "depth (of both trees together)",
                 .y_axis = "volume tests",
                 .width = 440};
  for (int depth = 0; depth < DepthsUsed(statistics); ++depth) {
    Bar bar{.label = Cat(depth)};
    for (size_t kind = 0; kind < kVolumeKinds; ++kind) {
      const VolumeStatistics& v = statistics.volumes[depth][kind];
      bar.pieces.push_back({Real(v.volume_tests), picture::kColorOfKind[kind],
                            Cat(Grouped(v.volume_tests), " tests of ",
                                kKinds[kind], " at depth ", depth)});
    }
    chart.bars.push_back(std::move(bar));
  }
  return chart;
}

BarChart OutcomesByDepth(const TraversalStatistics& statistics) {
  BarChart chart{.title = "What became of the volume tests, by depth",
                 .x_axis = "depth (of both trees together)",
                 .y_axis = "volume tests",
                 .width = 440};
  for (int depth = 0; depth < DepthsUsed(statistics); ++depth) {
    const VolumeStatistics v = statistics.TotalOfDepth(depth);
    const uint64_t vain = v.subtree_false_positives;
    const uint64_t use = v.accepted - vain;
    const std::string at = Cat(" at depth ", depth);
    chart.bars.push_back(
        {.label = Cat(depth),
         .pieces = {{Real(use), kColorOfUse,
                     Cat(Grouped(use), " accepted, and needed", at)},
                    {Real(vain), kColorOfVain,
                     Cat(Grouped(vain), " accepted in vain", at)},
                    {Real(v.rejected()), kColorOfRejected,
                     Cat(Grouped(v.rejected()), " rejected", at)}}});
  }
  return chart;
}

void AddFigure(
    const BarChart& chart, Html& html,
    std::initializer_list<std::pair<uint32_t, std::string_view>> key) {
  html.Open("figure");
  html.Leaf("figcaption", chart.title);
  html.Open("div", {{"class", "key"}});
  for (const auto& [color, text] : key) AddKeyEntry(color, text, html);
  html.Close();
  AddBarChart(chart, html);
  html.Close();
}

std::string Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return "";
  const uint64_t permille = (1000 * part + whole / 2) / whole;
  return Cat(permille / 10, ".", permille % 10, " %");
}

void AddKindsTable(const TraversalStatistics& statistics, Html& html) {
  BeginTable({{"volumes"},
              {"tests", true},
              {"rejected", true},
              {"accepted", true},
              {"test said yes, exactly no", true},
              {"nothing below", true}},
             html);
  const auto row = [&html](std::string_view name, const VolumeStatistics& v) {
    html.Open("tr");
    html.Leaf("td", name);
    AddNumberCell(Grouped(v.volume_tests), html);
    AddNumberCell(Share(v.rejected(), v.volume_tests), html);
    AddNumberCell(Grouped(v.accepted), html);
    AddNumberCell(Grouped(v.test_false_positives), html);
    AddNumberCell(Grouped(v.subtree_false_positives), html);
    html.Close();
  };
  for (size_t kind = 0; kind < kVolumeKinds; ++kind) {
    const VolumeStatistics v =
        statistics.TotalOfKind(static_cast<VolumeKind>(kind));
    if (v.volume_tests > 0) row(kKinds[kind], v);
  }
  row("all", statistics.Total());
  EndTable(html);
}

}  // namespace

void AddCostSection(const TraversalStatistics& statistics, Html& html) {
  html.Leaf("h2", "What the answer cost");
  html.Open("div", {{"class", "pictures two"}});
  AddFigure(TestsByDepth(statistics), html,
            {{picture::kColorOfKind[0], kKinds[0]},
             {picture::kColorOfKind[1], kKinds[1]},
             {picture::kColorOfKind[2], kKinds[2]}});
  AddFigure(OutcomesByDepth(statistics), html,
            {{kColorOfUse, "accepted, and needed"},
             {kColorOfVain, "accepted, with nothing below"},
             {kColorOfRejected, "rejected"}});
  html.Close();
  AddKindsTable(statistics, html);
  html.Leaf("p", {{"class", "faint"}},
            Cat(Grouped(statistics.triangle_tests),
                " pairs of triangles were tested in ",
                Grouped(statistics.leaves_visited),
                " pairs of leaves: ", Grouped(statistics.settled_by_float),
                " settled in single precision, ",
                Grouped(statistics.settled_by_double), " in double, ",
                Grouped(statistics.settled_by_expansion), " by expansions, ",
                Grouped(statistics.settled_by_exact), " by exact arithmetic."));
}

}  // namespace orbox::report
