// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_cards.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/clash_script.h"
#include "tools/report/internal/clash_viewer.h"
#include "tools/report/internal/mesh_rows.h"
#include "tools/report/internal/page.h"

namespace orbox::report {
namespace {

using picture::ShortNumber;
using tools::Cat;
using tools::FormatReal;
using tools::Grouped;

size_t CountShown(const ClashReport& report) {
  return std::min(kMostClashesOnPage, report.list.ToLookAt());
}

std::string LabelOf(const std::vector<std::string>& values) {
  std::string label;
  for (const std::string& value : values) {
    label += Cat(label.empty() ? "" : " · ", value.empty() ? "–" : value);
  }
  return label;
}

std::string GroupLabel(const ClashGroup& group) {
  return Cat(LabelOf(group.a), " | ", LabelOf(group.b));
}

void AddOption(std::string_view value, std::string_view text, Html& html) {
  html.Leaf("option", {{"value", std::string(value)}}, text);
}

// Returns the error of the thickness, and the budget; empty if nobody measured.
std::string ThicknessNote(const ClashList& list) {
  if (!list.thicknesses.has_value() || list.thicknesses->of == 0) return "";
  const ClashList::Measured& known = *list.thicknesses;
  return Cat(
      " Thickness to 1 % of ",
      known.measured == known.of
          ? "all pairs"
          : Cat("the worst ", Grouped(known.measured), " of ",
                tools::Counted(known.of, "pair"), ", to 5 % of the others"),
      ", within a budget of ", tools::Counted(known.budget, "triangle"), ".");
}

// Adds a form with only the values that the cards have.
void AddForm(const ClashReport& report, Html& html) {
  const ClashList& list = report.list;
  html.Open("form", {{"id", "filters"}, {"hidden", "hidden"}});
  html.Empty("input", {{"type", "search"},
                       {"name", "search"},
                       {"placeholder", "search names and properties"},
                       {"aria-label", "search names and properties"}});
  if (!list.groups.empty()) {
    html.Open("select", {{"name", "group"}, {"aria-label", "group"}});
    AddOption("", "all groups", html);
    for (size_t i = 0; i < list.groups.size(); ++i) {
      if (list.groups[i].kinds.ToLookAt() == 0) continue;
      AddOption(Cat(i), GroupLabel(list.groups[i]), html);
    }
    html.Close();
  }
  if (list.resolved.has_value()) {
    html.Open("select", {{"name", "state"}, {"aria-label", "state"}});
    AddOption("", "new and active", html);
    AddOption("new", "new", html);
    AddOption("active", "active", html);
    html.Close();
  }
  for (const ClashKind kind : KindCounts::kKinds) {
    if (!IsToLookAt(kind) || list.kinds.Of(kind) == 0) continue;
    const std::string name(KindNameOf(kind));
    html.Open("label");
    html.Empty("input",
               {{"type", "checkbox"}, {"checked", "checked"}, {"value", name}});
    html.Text(Cat(name, " ", Grouped(list.kinds.Of(kind))));
    html.Close();
  }
  html.Leaf("button", {{"type", "reset"}}, "all");
  html.Leaf("output", {{"id", "count"}, {"class", "faint"}}, "");
  html.Close();
}

void AddBody(const ClashReport& report, size_t body, uint32_t color,
             Html& html) {
  html.Open("div", {{"class", "body key"}});
  AddKeyEntry(color, report.scene.names[body], html);
  html.Close();
  std::string text;
  for (const auto& [key, value] : report.properties[body]) {
    text += Cat(text.empty() ? "" : " · ", key, " ", value);
  }
  if (!text.empty()) html.Leaf("p", {{"class", "faint properties"}}, text);
}

// For reading, not for computing: the other formats have all digits.
std::string PositionText(const Vec3& p) {
  return Cat("(", FormatReal(p.x, 6), ", ", FormatReal(p.y, 6), ", ",
             FormatReal(p.z, 6), ")");
}

void AddMeasure(std::string_view name, const std::string& value, Html& html) {
  html.Open("div");
  html.Leaf("dt", name);
  html.Leaf("dd", value);
  html.Close();
}

// Returns "0.1 mm", or a range if the bounds differ in the digits shown.
std::string BoundsText(const MeasureBounds& bounds, const std::string& unit) {
  const std::string lower = ShortNumber(bounds.lower);
  const std::string upper = ShortNumber(bounds.upper);
  return WithUnit(lower == upper ? lower : Cat(lower, " to ", upper), unit);
}

void AddMeasures(const ClashReport& report, const ListedClash& listed,
                 Html& html) {
  const Clash& clash = listed.pair.clash;
  html.Open("dl");
  if (IsClash(clash.kind) && clash.thickness.upper > 0) {
    AddMeasure(
        clash.kind == ClashKind::kCrossing ? "depth, twice" : "thickness",
        BoundsText(clash.thickness, report.unit), html);
  }
  if (clash.is_undecided) {
    AddMeasure("undecided", "the search gave up", html);
  }
  if (clash.volume.has_value() && clash.volume->upper > 0) {
    AddMeasure("volume",
               BoundsText(*clash.volume,
                          report.unit.empty() ? "" : Cat(report.unit, "³")),
               html);
  }
  if (clash.depth.has_value()) {
    AddMeasure("depth", BoundsText(clash.depth->depth, report.unit), html);
    AddMeasure(Cat("free if ", report.scene.names[listed.pair.a], " moves by"),
               PositionText(clash.depth->translation), html);
  }
  if (clash.kind == ClashKind::kClearance) {
    AddMeasure("distance",
               WithUnit(ShortNumber(clash.gap->distance), report.unit), html);
  }
  if (clash.thickness.lower > 0) {
    AddMeasure("around", PositionText(clash.center), html);
  } else if (clash.gap.has_value()) {
    AddMeasure("at", PositionText(clash.gap->on_a), html);
    AddMeasure("triangles",
               Cat(clash.gap->triangles.a, ", ", clash.gap->triangles.b), html);
  }
  if (report.scene.frames.size() > 1) {
    AddMeasure("in frame", Cat(report.scene.frames[listed.frame]), html);
  }
  html.Close();
}

// Adds the places where the surfaces come close, the nearest first.
void AddClusters(const ClashReport& report, const ListedClash& listed,
                 Html& html) {
  constexpr size_t kMostClusters = 20;
  if (listed.clusters.empty()) return;
  const size_t shown = std::min(kMostClusters, listed.clusters.size());
  html.Open("details");
  html.Leaf(
      "summary",
      Cat(tools::Counted(listed.clusters.size(), "place"),
          shown < listed.clusters.size() ? Cat(", the nearest ", shown) : ""));
  html.Open("ol");
  for (const NearCluster& cluster : std::span(listed.clusters).first(shown)) {
    const Vec3 size = cluster.box.hi - cluster.box.lo;
    // The view of a place in the model: the place, and as much around it.
    const Vec3 middle = (cluster.closest.on_a + cluster.closest.on_b) * 0.5;
    html.Leaf(
        "li",
        {{"data-at", Cat(middle.x, ",", middle.y, ",", middle.z)},
         {"data-r", Cat(std::max(Norm(size), cluster.closest.distance * 4))}},
        Cat(cluster.closest.distance == 0
                ? "meet"
                : Cat(WithUnit(ShortNumber(cluster.closest.distance),
                               report.unit),
                      " apart"),
            " at ", PositionText(cluster.closest.on_a), ", over ",
            WithUnit(Cat(ShortNumber(size.x), " × ", ShortNumber(size.y), " × ",
                         ShortNumber(size.z)),
                     report.unit)));
  }
  html.Close();
  html.Close();
}

// Returns "clash", or "inside: the first".
std::string KindText(ClashKind kind) {
  if (kind == ClashKind::kFirstInside) return "inside: the first";
  if (kind == ClashKind::kSecondInside) return "inside: the second";
  return std::string(KindNameOf(kind));
}

void AddCard(const ClashReport& report, size_t i, Html& html) {
  const ListedClash& listed = report.list.clashes[i];
  const BodyClash& pair = listed.pair;
  const std::string kind(KindNameOf(pair.clash.kind));
  const bool has_picture = i < report.pictures.size();
  html.Open("article", {{"class", has_picture ? "found" : "found plain"},
                        {"data-kind", kind},
                        {"data-group", Cat(listed.group)},
                        {"data-state", std::string(NameOf(listed.state))},
                        {"id", listed.id}});
  if (has_picture) {
    AddPicture(report.pictures[i], report.scene.NamesOf(pair.a, pair.b), html);
  }
  html.Open("div");
  html.Open("p", {{"class", "what"}});
  html.Leaf("span", {{"class", "faint"}}, Cat(i + 1));
  html.Leaf("b", {{"class", Cat("badge ", kind)}}, KindText(pair.clash.kind));
  if (listed.state != ClashState::kNotCompared) {
    html.Leaf("span", {{"class", "badge"}}, NameOf(listed.state));
  }
  html.Close();
  AddBody(report, pair.a, picture::kColorOfFirst, html);
  AddBody(report, pair.b, picture::kColorOfSecond, html);
  AddMeasures(report, listed, html);
  AddClusters(report, listed, html);
  html.Close();
  html.Close();
}

// Adds the labels of groups in alphabetical order, and the group of each two
// labels.
void AddGroupMatrix(const ClashList& list, Html& html) {
  constexpr size_t kMostLabels = 24;
  std::set<std::vector<std::string>> labels;
  std::map<std::pair<std::vector<std::string>, std::vector<std::string>>,
           size_t>
      cells;
  for (size_t i = 0; i < list.groups.size(); ++i) {
    const ClashGroup& group = list.groups[i];
    if (group.kinds.ToLookAt() == 0) continue;
    labels.insert({group.a, group.b});
    cells[{group.a, group.b}] = cells[{group.b, group.a}] = i;
  }
  if (labels.empty() || labels.size() > kMostLabels) return;
  html.Open("div", {{"class", "wide"}});
  html.Open("table", {{"class", "matrix"}});
  html.Open("tbody");
  size_t row = 0;
  for (const std::vector<std::string>& a : labels) {
    html.Open("tr");
    html.Leaf("th", Cat(++row, " ", LabelOf(a)));
    for (const std::vector<std::string>& b : labels) {
      const auto cell = cells.find({a, b});
      if (cell == cells.end()) {
        html.Leaf("td", "");
        continue;
      }
      const size_t count = list.groups[cell->second].kinds.ToLookAt();
      html.Open("td", {{"class", "n"},
                       {"data-show-group", Cat(cell->second)},
                       {"title", GroupLabel(list.groups[cell->second])}});
      html.Leaf("a", {{"href", "#filters"}}, Grouped(count));
      html.Close();
    }
    html.Close();
  }
  html.Open("tr");
  html.Leaf("th", "");
  for (size_t i = 1; i <= labels.size(); ++i) {
    html.Leaf("th", {{"class", "n"}}, Cat(i));
  }
  html.Close();
  html.Close();
  html.Close();
  html.Close();
}

}  // namespace

void AddClashCards(const ClashReport& report, Html& html) {
  html.Leaf("h2", "What to look at");
  const size_t shown = CountShown(report);
  if (shown == 0) {
    html.Leaf("p", "Nothing.");
    return;
  }
  const size_t drawn = report.pictures.size();
  html.Leaf("p", {{"class", "faint"}},
            Cat(shown < report.list.ToLookAt()
                    ? Cat("The worst ", Grouped(shown), " of ",
                          Grouped(report.list.ToLookAt()), ", the worst first")
                    : "The worst first",
                drawn == 0      ? "; no pictures."
                : drawn < shown ? Cat("; pictures of the worst ", drawn, ".")
                                : ".",
                ThicknessNote(report.list)));
  html.Open("div", {{"class", "beside"}});
  AddClashModel(report, html);
  html.Open("div");
  AddForm(report, html);
  html.Open("div", {{"class", "clashes"}});
  for (size_t i = 0; i < shown; ++i) AddCard(report, i, html);
  html.Close();
  html.Close();
  html.Close();
}

void AddClashGroups(const ClashReport& report, Html& html) {
  const ClashList& list = report.list;
  if (list.groups.empty()) return;
  constexpr size_t kMostGroups = 50;
  std::string keys;
  for (const std::string& key : list.grouped_by) {
    keys += Cat(keys.empty() ? "" : ", ", key);
  }
  html.Leaf("h2", Cat("Groups by ", keys));
  AddGroupMatrix(list, html);
  html.Open("details");
  html.Leaf("summary", "as a list");
  BeginTable({{"one"}, {"the other"}, {"to look at", true}, {"kinds"}}, html);
  size_t rows = 0;
  for (size_t i = 0; i < list.groups.size() && rows < kMostGroups; ++i) {
    const ClashGroup& group = list.groups[i];
    if (group.kinds.ToLookAt() == 0) continue;
    ++rows;
    html.Open("tr", {{"data-show-group", Cat(i)}});
    html.Leaf("td", {{"class", "names"}}, LabelOf(group.a));
    html.Leaf("td", {{"class", "names"}}, LabelOf(group.b));
    AddNumberCell(Grouped(group.kinds.ToLookAt()), html);
    html.Leaf("td", group.kinds.Text());
    html.Close();
  }
  EndTable(html);
  html.Close();
}

void AddClashScript(const ClashReport& report, Html& html) {
  html.Open("script");
  html.Raw(kClashScript);
  html.Close();
  AddClashModelScripts(report, html);
}

}  // namespace orbox::report
