// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clearance_report.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
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
using tools::FormatPoint;
using tools::FormatReal;
using tools::Grouped;

constexpr size_t kMostRows = 25;

bool Meets(const ClearanceReport& report) {
  return report.findings.nearest->distance == 0;
}

void AddVerdict(const ClearanceReport& report, Html& html) {
  const picture::Findings& findings = report.findings;
  html.Open("div", {{"class", "verdict"}});
  if (Meets(report)) {
    AddFact("bad", "The surfaces", "meet",
            "decided exactly; touching is meeting", html);
  } else {
    const bool is_apart = report.relation.empty();
    AddFact(is_apart ? "good" : "bad", "The surfaces", "do not meet",
            is_apart ? "decided exactly" : report.relation, html);
  }
  AddFact(
      "", "Smallest distance",
      WithUnit(picture::ShortNumber(findings.nearest->distance), report.unit),
      UnitNote(report.unit), html);
  if (findings.within.has_value()) {
    AddFact(findings.pairs.empty() ? "good" : "bad",
            Cat("Within ", picture::ShortNumber(*findings.within)),
            Grouped(findings.pairs.size()), "pairs of triangles", html);
  } else if (Meets(report)) {
    AddFact("bad", "Meeting", Grouped(findings.pairs.size()),
            "pairs of triangles", html);
  }
  html.Close();
}

void AddPictureKey(const picture::Findings& findings, Html& html) {
  html.Open("div", {{"class", "key"}});
  AddKeyEntry(picture::kColorOfA, "A", html);
  AddKeyEntry(picture::kColorOfB, "B", html);
  if (findings.nearest->distance == 0) {
    AddKeyEntry(picture::kColorOfMeeting, "meeting", html);
  } else {
    AddKeyEntry(picture::kColorOfGap, "smallest distance", html);
  }
  if (findings.within.has_value() && *findings.within > 0) {
    AddDistanceScale(*findings.within, html);
  }
  html.Close();
}

void AddPictures(const ClearanceReport& report, Html& html) {
  html.Leaf("h2", "Where they are close");
  AddFigures(report.pictures, html);
  if (report.pictures.empty()) return;
  AddPictureKey(report.findings, html);
}

void AddNumbers(const ClearanceReport& report, Html& html) {
  const picture::Findings& findings = report.findings;
  const Witness& nearest = *findings.nearest;
  html.Leaf("h2", "The numbers");
  html.Open("div", {{"class", "wide"}});
  html.Open("table");
  html.Open("tbody");
  AddRow("smallest distance",
         WithUnit(FormatReal(nearest.distance), report.unit), html);
  AddRow("on A",
         Cat(FormatPoint(nearest.on_a), ", in triangle ", nearest.triangles.a),
         html);
  AddRow("on B",
         Cat(FormatPoint(nearest.on_b), ", in triangle ", nearest.triangles.b),
         html);
  if (findings.within.has_value()) {
    AddRow("tolerance", WithUnit(FormatReal(*findings.within), report.unit),
           html);
  }
  AddRow("A", MeshText(findings.a.tree().mesh()), html);
  if (findings.a.is_moved()) {
    AddRow("A is moved by [R | t]", PoseText(findings.a.pose()), html);
  }
  AddRow("B", MeshText(findings.b->tree().mesh()), html);
  html.Close();
  html.Close();
  html.Close();
}

// Returns the nearest pairs, the nearest first; ties by the lowest ids.
std::vector<PairDistance> NearestPairs(const picture::Findings& findings) {
  std::vector<PairDistance> pairs(std::min(kMostRows, findings.pairs.size()));
  std::partial_sort_copy(findings.pairs.begin(), findings.pairs.end(),
                         pairs.begin(), pairs.end(),
                         [](const PairDistance& a, const PairDistance& b) {
                           if (a.distance != b.distance)
                             return a.distance < b.distance;
                           return a.triangles < b.triangles;
                         });
  return pairs;
}

void AddPairsTable(const picture::Findings& findings, Html& html) {
  const std::vector<PairDistance> pairs = NearestPairs(findings);
  html.Leaf("p", {{"class", "faint"}},
            pairs.size() < findings.pairs.size()
                ? Cat("The nearest ", pairs.size(), " of ",
                      Grouped(findings.pairs.size()), " pairs.")
                : "All of them, the nearest first.");
  BeginTable(
      {{"triangle of A", true}, {"triangle of B", true}, {"distance", true}},
      html);
  for (const PairDistance& pair : pairs) {
    html.Open("tr");
    AddNumberCell(Cat(pair.triangles.a), html);
    AddNumberCell(Cat(pair.triangles.b), html);
    AddNumberCell(FormatReal(pair.distance), html);
    html.Close();
  }
  EndTable(html);
}

void AddPairs(const picture::Findings& findings, Html& html) {
  if (!findings.within.has_value() && findings.pairs.empty()) return;
  html.Leaf("h2", findings.within.has_value()
                      ? Cat("Pairs of triangles within ",
                            FormatReal(*findings.within))
                      : "Pairs of triangles that meet");
  if (findings.pairs.empty()) {
    html.Leaf("p", "There are none.");
    return;
  }
  if (findings.within.has_value() && *findings.within > 0) {
    const PairHistogram histogram =
        HistogramOf(findings.pairs, *findings.within);
    html.Open("figure");
    html.Leaf("figcaption",
              histogram.meeting > 0
                  ? Cat("How many at which distance; beside these, ",
                        Grouped(histogram.meeting), " that meet")
                  : "How many at which distance");
    AddBarChart(ChartOf(histogram, *findings.within), html);
    html.Close();
  }
  AddPairsTable(findings, html);
}

}  // namespace

std::string ClearanceReportPage(const ClearanceReport& report) {
  const std::string title = Cat("Clearance of ", report.title);
  Html html;
  BeginPage(title, html);
  AddVerdict(report, html);
  AddPictures(report, html);
  AddNumbers(report, html);
  AddPairs(report.findings, html);
  AddCostSection(report.statistics, html);
  EndPage(html);
  return html.bytes();
}

}  // namespace orbox::report
