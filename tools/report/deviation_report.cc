// SPDX-License-Identifier: Apache-2.0

#include "tools/report/deviation_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "tools/base/text.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/cost_section.h"
#include "tools/report/internal/html.h"
#include "tools/report/internal/mesh_rows.h"
#include "tools/report/internal/page.h"
#include "tools/report/internal/pair_histogram.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Counted;
using tools::FormatPoint;
using tools::FormatReal;

// Statistics of the deviations.
struct Summary {
  double mean = 0;
  double root_mean_square = 0;
  double median = 0;
  double most = 0;  // upper bound of 95 % of the deviations
  double largest = 0;
};

Summary SummaryOf(std::span<const double> deviations) {
  std::vector<double> sorted(deviations.begin(), deviations.end());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  // Sums fractions, so that no sum overflows.
  Summary summary{.largest = sorted.back()};
  for (const double d : sorted) summary.mean += d / count;
  for (const double d : sorted) {
    const double share = summary.largest > 0 ? d / summary.largest : 0;
    summary.root_mean_square += share * share / count;
  }
  summary.root_mean_square =
      summary.largest * std::sqrt(summary.root_mean_square);
  const auto rank = [&sorted](double share) {
    return sorted[static_cast<size_t>(share *
                                      static_cast<double>(sorted.size() - 1))];
  };
  summary.median = rank(0.5);
  summary.most = rank(0.95);
  return summary;
}

std::string_view NounOf(const DeviationReport& report) {
  return report.is_cloud ? "point" : "corner";
}

void AddVerdict(const DeviationReport& report, const Summary& summary,
                Html& html) {
  const auto fact = [&](std::string_view what, double value,
                        std::string_view note) {
    AddFact("", what, WithUnit(picture::ShortNumber(value), report.unit), note,
            html);
  };
  html.Open("div", {{"class", "verdict"}});
  fact("A strays from B by at most", report.distance.a_to_b.upper,
       "no point of A is farther");
  fact("and somewhere by", report.distance.a_to_b.lower, "at least");
  fact("95 % are within", summary.most,
       Cat("of ", Counted(report.deviations.size(), NounOf(report)), " of A"));
  html.Close();
}

void AddNumbers(const DeviationReport& report, const Summary& summary,
                Html& html) {
  const auto length = [&](double value) {
    return WithUnit(FormatReal(value), report.unit);
  };
  const auto way = [&](std::string_view name, const HausdorffResult& h,
                       std::string_view from, std::string_view to) {
    AddRow(name, Cat(length(h.lower), " to ", length(h.upper)), html);
    AddRow("  where",
           Cat(FormatPoint(h.on_a), " in triangle ", h.triangle_a, " of ", from,
               ", nearest ", FormatPoint(h.on_b), " in triangle ", h.triangle_b,
               " of ", to),
           html);
  };
  html.Leaf("h2", "The numbers");
  html.Open("div", {{"class", "wide"}});
  html.Open("table");
  html.Open("tbody");
  way("from A to B", report.distance.a_to_b, "A", "B");
  way("from B to A", report.distance.b_to_a, "B", "A");
  AddRow("mean", length(summary.mean), html);
  AddRow("root of mean square", length(summary.root_mean_square), html);
  AddRow("median", length(summary.median), html);
  AddRow("95 % are within", length(summary.most), html);
  AddRow("largest", length(summary.largest), html);
  const Mesh& a = report.a.tree().mesh();
  AddRow("A",
         report.is_cloud ? Cat(Counted(a.vertex_count(), "point"), ", from ",
                               FormatPoint(a.bounds().lo), " to ",
                               FormatPoint(a.bounds().hi))
                         : MeshText(a),
         html);
  if (report.a.is_moved()) {
    AddRow("A is moved by [R | t]", PoseText(report.a.pose()), html);
  }
  AddRow("B", MeshText(report.b.tree().mesh()), html);
  html.Close();
  html.Close();
  html.Close();
}

void AddHistogram(const DeviationReport& report, const Summary& summary,
                  Html& html) {
  html.Leaf("h2", "How many are how far");
  if (!(summary.largest > 0)) {
    html.Leaf("p", Cat("All ", NounOf(report), "s of A are on B."));
    return;
  }
  const PairHistogram histogram =
      HistogramOf(report.deviations, summary.largest);
  html.Open("figure");
  html.Leaf("figcaption",
            Cat("Distances of the ", NounOf(report), "s of A from B",
                histogram.meeting > 0
                    ? Cat("; beside these, ", tools::Grouped(histogram.meeting),
                          " on B")
                    : ""));
  AddBarChart(ChartOf(histogram, summary.largest, NounOf(report)), html);
  html.Close();
}

}  // namespace

std::string DeviationReportPage(const DeviationReport& report) {
  const Summary summary = SummaryOf(report.deviations);
  Html html;
  BeginPage(Cat("Deviation of ", report.title), html);
  AddVerdict(report, summary, html);
  if (!report.is_cloud) {
    html.Leaf("h2", "Where A strays from B");
    AddFigures(report.pictures, html);
    if (!report.pictures.empty() && report.distance.a_to_b.upper > 0) {
      html.Open("div", {{"class", "key"}});
      AddDistanceScale(report.distance.a_to_b.upper, html);
      html.Close();
    }
  }
  AddHistogram(report, summary, html);
  AddNumbers(report, summary, html);
  AddCostSection(report.statistics, html);
  EndPage(html);
  return html.bytes();
}

}  // namespace orbox::report
