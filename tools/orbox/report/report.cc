#include "tools/orbox/report/report.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/escaping.h"
#include "orbox/bvh/mesh/mesh.h"
#include "tools/orbox/picture/color_map.h"
#include "tools/orbox/picture/legend.h"
#include "tools/orbox/picture/palette.h"
#include "tools/orbox/report/bar_chart.h"
#include "tools/orbox/report/cost_section.h"
#include "tools/orbox/report/html.h"
#include "tools/orbox/report/pair_histogram.h"
#include "tools/orbox/report/style.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr size_t kMostRows = 25;

bool Meets(const Report& report) {
  return report.findings.nearest->distance == 0;
}

void AddFact(std::string_view kind, std::string_view what,
             std::string_view value, std::string_view note, Html& html) {
  html.Open("div", {{"class", Cat("fact ", kind)}});
  html.Text(what);
  html.Leaf("b", value);
  html.Leaf("span", {{"class", "faint"}}, note);
  html.Close();
}

void AddVerdict(const Report& report, Html& html) {
  const Findings& findings = report.findings;
  html.Open("div", {{"class", "verdict"}});
  if (Meets(report)) {
    AddFact("bad", "The surfaces", "meet",
            "decided exactly; touching is meeting", html);
  } else {
    AddFact(
        "good", "The surfaces", "do not meet",
        report.relation.empty() ? "decided exactly" : report.relation.substr(2),
        html);
  }
  AddFact("", "Smallest distance", ShortNumber(findings.nearest->distance),
          "in the unit of the meshes", html);
  if (findings.within.has_value()) {
    AddFact(findings.pairs.empty() ? "good" : "bad",
            Cat("Within ", ShortNumber(*findings.within)),
            Grouped(findings.pairs.size()), "pairs of triangles", html);
  } else if (Meets(report)) {
    AddFact("bad", "Meeting", Grouped(findings.pairs.size()),
            "pairs of triangles", html);
  }
  html.Close();
}

void AddPictureKey(const Findings& findings, Html& html) {
  html.Open("div", {{"class", "key"}});
  AddKeyEntry(kColorOfA, "A", html);
  AddKeyEntry(kColorOfB, "B", html);
  if (findings.nearest->distance == 0) {
    AddKeyEntry(kColorOfMeeting, "meeting", html);
  } else {
    AddKeyEntry(kColorOfGap, "smallest distance", html);
  }
  if (findings.within.has_value() && *findings.within > 0) {
    std::string stops;
    for (int i = 0; i <= 16; ++i) {
      stops += Cat(i > 0 ? "," : "", CssColor(HexOf(MapColor(i / 16.0))));
    }
    html.Open("span");
    html.Text("distance 0");
    html.Leaf("i",
              {{"class", "scale"},
               {"style", Cat("background:linear-gradient(90deg,", stops, ")")}},
              "");
    html.Text(ShortNumber(*findings.within));
    html.Close();
  }
  html.Close();
}

void AddPictures(const Report& report, Html& html) {
  html.Leaf("h2", "Where they are close");
  if (report.pictures.empty()) {
    html.Leaf("p", {{"class", "faint"}},
              "No pictures: this orbox was built without libpng.");
    return;
  }
  html.Open("div", {{"class", report.pictures.size() > 1 ? "pictures two"
                                                         : "pictures"}});
  for (const ReportPicture& picture : report.pictures) {
    html.Open("figure");
    html.Empty("img", {{"src", Cat("data:image/png;base64,",
                                   absl::Base64Escape(picture.png))},
                       {"alt", picture.caption},
                       {"width", Cat(picture.width)},
                       {"height", Cat(picture.height)}});
    html.Leaf("figcaption", picture.caption);
    html.Close();
  }
  html.Close();
  AddPictureKey(report.findings, html);
}

void AddRow(std::string_view name, std::string_view value, Html& html) {
  html.Open("tr");
  html.Leaf("th", {{"scope", "row"}}, name);
  html.Leaf("td", {{"class", "exact"}}, value);
  html.Close();
}

std::string MeshText(const Mesh& mesh) {
  return Cat(Grouped(mesh.triangle_count()), " triangles, ",
             Grouped(mesh.vertex_count()), " vertices, ",
             IsClosed(mesh) ? "closed" : "open", "; from ",
             FormatPoint(mesh.bounds().lo), " to ",
             FormatPoint(mesh.bounds().hi));
}

std::string PoseText(const Pose& pose) {
  std::string text;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Vec3& r = pose.rows[axis];
    text += Cat(axis > 0 ? "; " : "", r.x, ", ", r.y, ", ", r.z, ", ",
                pose.translation[axis]);
  }
  return text;
}

void AddNumbers(const Report& report, Html& html) {
  const Findings& findings = report.findings;
  const MeshDistanceResult& nearest = *findings.nearest;
  html.Leaf("h2", "The numbers");
  html.Open("div", {{"class", "wide"}});
  html.Open("table");
  html.Open("tbody");
  AddRow("smallest distance", FormatReal(nearest.distance), html);
  AddRow("on A",
         Cat(FormatPoint(nearest.on_a), ", in triangle ", nearest.triangles.a),
         html);
  AddRow("on B",
         Cat(FormatPoint(nearest.on_b), ", in triangle ", nearest.triangles.b),
         html);
  if (findings.within.has_value()) {
    AddRow("tolerance", FormatReal(*findings.within), html);
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

// The nearest first, of like ones the lowest ids.
std::vector<PairDistance> NearestPairs(const Findings& findings) {
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

void AddPairsTable(const Findings& findings, Html& html) {
  const std::vector<PairDistance> pairs = NearestPairs(findings);
  html.Leaf("p", {{"class", "faint"}},
            pairs.size() < findings.pairs.size()
                ? Cat("The nearest ", pairs.size(), " of ",
                      Grouped(findings.pairs.size()), " pairs.")
                : "All of them, the nearest first.");
  html.Open("div", {{"class", "wide"}});
  html.Open("table");
  html.Open("thead");
  html.Open("tr");
  for (const std::string_view column :
       {"triangle of A", "triangle of B", "distance"}) {
    html.Leaf("th", {{"class", "n"}}, column);
  }
  html.Close();
  html.Close();
  html.Open("tbody");
  for (const PairDistance& pair : pairs) {
    html.Open("tr");
    html.Leaf("td", {{"class", "n"}}, Cat(pair.triangles.a));
    html.Leaf("td", {{"class", "n"}}, Cat(pair.triangles.b));
    html.Leaf("td", {{"class", "n"}}, FormatReal(pair.distance));
    html.Close();
  }
  html.Close();
  html.Close();
  html.Close();
}

void AddPairs(const Findings& findings, Html& html) {
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

std::string ReportPage(const Report& report) {
  const std::string title = Cat("Clearance of ", report.title);
  Html html;
  html.Raw("<!DOCTYPE html>\n");
  html.Open("html", {{"lang", "en"}});
  html.Open("head");
  html.Empty("meta", {{"charset", "utf-8"}});
  html.Empty("meta", {{"name", "viewport"},
                      {"content", "width=device-width, initial-scale=1"}});
  // Browsers ask for an icon otherwise.
  html.Empty("link", {{"rel", "icon"}, {"href", "data:,"}});
  html.Leaf("title", title);
  html.Open("style");
  html.Raw(kReportStyle);
  html.Close();
  html.Close();
  html.Open("body");
  html.Leaf("h1", title);
  AddVerdict(report, html);
  AddPictures(report, html);
  AddNumbers(report, html);
  AddPairs(report.findings, html);
  AddCostSection(report.statistics, html);
  html.Leaf("footer",
            "Made by orbox " ORBOX_VERSION
            ". Answers are exact for the given coordinates; distances are "
            "correctly rounded.");
  html.Close();
  html.Close();
  return html.bytes();
}

}  // namespace orbox::cli
