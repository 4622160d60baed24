// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/issue_section.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/base/text.h"
#include "tools/report/clash_words.h"
#include "tools/report/internal/clash_data.h"
#include "tools/report/internal/clash_viewer.h"
#include "tools/report/internal/issue_details_script.h"
#include "tools/report/internal/issue_list_script.h"
#include "tools/report/internal/page.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Grouped;

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

void AddOption(std::string_view value, std::string_view text, Html& html) {
  html.Leaf("option", {{"value", std::string(value)}}, text);
}

// Adds the filters whose values do not depend on the issues. A script adds the
// others.
void AddFilters(Html& html) {
  html.Open("form", {{"id", "filters"}});
  html.Empty("input", {{"type", "search"},
                       {"name", "search"},
                       {"placeholder", "search names, properties, comments"},
                       {"aria-label", "search"}});
  html.Leaf("span", {{"id", "filters-end"}}, "");
  html.Open("select", {{"name", "order"}, {"aria-label", "order"}});
  AddOption("worst", "worst first", html);
  AddOption("clashes", "most clashes first", html);
  AddOption("storey", "by place", html);
  html.Close();
  html.Leaf("button", {{"type", "reset"}}, "all");
  html.Leaf("output", {{"id", "count"}, {"class", "faint"}}, "");
  html.Close();
}

void AddSaving(Html& html) {
  html.Open("p", {{"class", "what saving"}});
  html.Open("label");
  html.Text("I am ");
  html.Empty("input", {{"id", "me"}, {"placeholder", "your name"}});
  html.Close();
  html.Leaf("button", {{"type", "button"}, {"id", "save"}}, "save decisions");
  html.Leaf("span", {{"class", "faint keys"}},
            "↑ ↓ select · 1 open · 2 in progress · 3 approved · 4 closed · c "
            "comment · / search");
  html.Close();
}

// Adds the list, the model and the selected issue. Hidden without scripts.
void AddWork(const ClashReport& report, Html& html) {
  html.Open("div", {{"id", "work"}, {"class", "beside"}, {"hidden", "hidden"}});
  html.Open("div", {{"class", "list"}});
  AddFilters(html);
  html.Leaf("div",
            {{"id", "issues"},
             {"role", "listbox"},
             {"tabindex", "0"},
             {"aria-label", "issues"}},
            "");
  AddSaving(html);
  html.Close();
  html.Open("div", {{"class", "side"}});
  AddClashModel(report, html);
  html.Leaf("section",
            {{"id", "details"},
             {"aria-label", "the selected issue"},
             {"hidden", "hidden"}},
            "");
  html.Close();
  html.Close();
}

// Adds a table for browsers without scripts, and for paper.
void AddTable(const ClashReport& report, size_t shown, Html& html) {
  constexpr size_t kMostRows = 200;
  const size_t rows = std::min(shown, kMostRows);
  html.Open("div", {{"id", "without-script"}});
  if (rows < shown) {
    html.Leaf("p", {{"class", "faint"}},
              Cat("The worst ", rows, "; with scripts, the page has all."));
  }
  BeginTable({{"", true},
              {"issue"},
              {"kind"},
              {"worst"},
              {"clashes", true},
              {"where"},
              {"status"}},
             html);
  for (size_t i = 0; i < rows; ++i) {
    const Issue& issue = report.issues[i];
    const Clash& worst = report.list.clashes[issue.clashes.front()].pair.clash;
    html.Open("tr", {{"data-id", issue.id}});
    AddNumberCell(Cat(i + 1), html);
    html.Leaf("td", {{"class", "names"}}, issue.title);
    html.Leaf("td", KindText(worst.kind));
    html.Leaf("td", SizeOf(worst, report.unit));
    AddNumberCell(Grouped(issue.clashes.size()), html);
    html.Leaf("td", issue.Where());
    html.Leaf("td", issue.Status());
    html.Close();
  }
  EndTable(html);
  html.Close();
}

void AddPictures(const ClashReport& report, Html& html) {
  if (report.pictures.empty()) return;
  html.Open("details", {{"id", "pictures"}});
  html.Leaf("summary", Cat("Pictures of the worst ",
                           tools::Counted(report.pictures.size(), "issue")));
  html.Open("div", {{"class", "pictures two"}});
  for (const IssuePicture& drawn : report.pictures) {
    const std::string& title = report.issues[drawn.issue].title;
    html.Open("figure", {{"data-issue", Cat(drawn.issue)}});
    AddPicture(drawn.picture, title, html);
    html.Leaf("figcaption", Cat(drawn.issue + 1, " ", title));
    html.Close();
  }
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
                       {"title", LabelOf(list.groups[cell->second])}});
      html.Leaf("a", {{"href", "#work"}}, Grouped(count));
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

void AddIssues(const ClashReport& report, Html& html) {
  html.Leaf("h2", "What to look at");
  const size_t shown = CountShownIssues(report);
  if (shown == 0) {
    html.Leaf("p", "Nothing.");
    return;
  }
  const size_t all = report.issues.size();
  const size_t drawn = report.pictures.size();
  html.Leaf(
      "p", {{"class", "faint"}},
      Cat(shown < all ? Cat("The worst ", Grouped(shown), " of ", Grouped(all),
                            " issues, the worst first")
                      : Cat(tools::Counted(all, "issue"), ", the worst first"),
          drawn == 0      ? "; no pictures."
          : drawn < shown ? Cat("; pictures of the worst ", drawn, ".")
                          : ".",
          ThicknessNote(report.list)));
  AddWork(report, html);
  AddTable(report, shown, html);
  AddPictures(report, html);
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

void AddIssueScripts(const ClashReport& report, Html& html) {
  if (CountShownIssues(report) == 0) return;
  html.Open("script", {{"id", "page-data"}, {"type", "application/json"}});
  html.Raw(ClashData(report));
  html.Close();
  for (const std::string_view script :
       {kIssueListScript, kIssueDetailsScript}) {
    html.Open("script");
    html.Raw(script);
    html.Close();
  }
  AddClashModelScripts(report, html);
}

}  // namespace orbox::report
