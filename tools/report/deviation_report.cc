// SPDX-License-Identifier: Apache-2.0

#include "tools/report/deviation_report.h"

#include <string>
#include <string_view>
#include <vector>

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

std::string_view NounOf(const DeviationReport& report) {
  return report.is_cloud ? "point" : "corner";
}

std::string Percent(double share) {
  return Cat(picture::ShortNumber(100 * share), " %");
}

void AddVerdict(const DeviationReport& report, Html& html) {
  const DeviationSummary& summary = report.deviation.summary;
  const auto fact = [&](std::string_view what, const std::string& value,
                        std::string_view note) {
    AddFact("", what, value, note, html);
  };
  const auto length = [&](double value) {
    return WithUnit(picture::ShortNumber(value), report.unit);
  };
  html.Open("div", {{"class", "verdict"}});
  fact("A strays from B by at most", length(report.deviation.a_to_b.upper),
       "no point of A is farther");
  fact("and somewhere by", length(report.deviation.a_to_b.lower), "at least");
  const std::string points = Counted(summary.points, NounOf(report));
  const std::string note = report.is_cloud
                               ? Cat("of ", points, " of A")
                               : Cat("by area, at ", points, " of A");
  if (summary.points > 0) {
    fact("95 % are within", length(summary.percentile_95), note);
  }
  if (summary.share_within.has_value()) {
    fact(Cat("within ", length(*report.limits.within), " are"),
         Percent(*summary.share_within), note);
  }
  html.Close();
}

// Adds the statistics of the points within the cut-off.
void AddSummary(const DeviationReport& report, Html& html) {
  const DeviationSummary& summary = report.deviation.summary;
  const auto length = [&](double value) {
    return WithUnit(FormatReal(value), report.unit);
  };
  if (summary.beyond > 0) {
    AddRow("left out",
           Cat(Counted(summary.beyond, NounOf(report)), " farther than ",
               length(report.limits.max_distance)),
           html);
  }
  if (summary.points == 0) return;
  AddRow("counted",
         report.is_cloud ? "point by point"
                         : "by area: a corner has a third of that of its "
                           "triangles",
         html);
  AddRow("mean", length(summary.mean), html);
  AddRow("root of mean square", length(summary.root_mean_square), html);
  AddRow("standard deviation", length(summary.standard_deviation), html);
  AddRow("median", length(summary.median), html);
  AddRow("90 % are within", length(summary.percentile_90), html);
  AddRow("95 % are within", length(summary.percentile_95), html);
  AddRow("99 % are within", length(summary.percentile_99), html);
  AddRow("largest", length(summary.largest), html);
  if (summary.share_within.has_value()) {
    AddRow(Cat("within ", length(*report.limits.within)),
           Percent(*summary.share_within), html);
  }
}

void AddNumbers(const DeviationReport& report, Html& html) {
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
  way("from A to B", report.deviation.a_to_b, "A", "B");
  if (report.deviation.b_to_a.has_value()) {
    way("from B to A", *report.deviation.b_to_a, "B", "A");
  }
  AddSummary(report, html);
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

void AddHistogram(const DeviationReport& report, Html& html) {
  const DeviationSummary& summary = report.deviation.summary;
  html.Leaf("h2", "How many are how far");
  if (!(summary.largest > 0)) {
    html.Leaf("p", summary.points > 0
                       ? Cat("All ", NounOf(report), "s of A",
                             summary.beyond > 0 ? " within the cut-off" : "",
                             " are on B.")
                       : Cat("All ", NounOf(report),
                             "s of A are farther than the cut-off."));
    return;
  }
  std::vector<double> shown;
  for (const double d : report.deviation.vertices) {
    if (d <= summary.largest) shown.push_back(d);
  }
  const PairHistogram histogram = HistogramOf(shown, summary.largest);
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
  Html html;
  BeginPage(Cat("Deviation of ", report.title), html);
  AddVerdict(report, html);
  if (!report.is_cloud) {
    html.Leaf("h2", "Where A strays from B");
    AddFigures(report.pictures, html);
    if (!report.pictures.empty() && report.deviation.end > 0) {
      html.Open("div", {{"class", "key"}});
      AddDistanceScale(report.deviation.end, html);
      html.Close();
    }
  }
  AddHistogram(report, html);
  AddNumbers(report, html);
  AddCostSection(report.deviation.statistics, html);
  EndPage(html);
  return html.bytes();
}

}  // namespace orbox::report
