// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/page.h"

#include "absl/strings/escaping.h"
#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/html.h"
#include "tools/report/internal/style.h"

namespace orbox::report {
namespace {

using tools::Cat;

}  // namespace

void BeginPage(std::string_view title, Html& html) {
  html.Raw("<!DOCTYPE html>\n");
  html.Open("html", {{"lang", "en"}});
  html.Open("head");
  html.Empty("meta", {{"charset", "utf-8"}});
  html.Empty("meta", {{"name", "viewport"},
                      {"content", "width=device-width, initial-scale=1"}});
  // Without this link, browsers request an icon.
  html.Empty("link", {{"rel", "icon"}, {"href", "data:,"}});
  html.Leaf("title", title);
  html.Open("style");
  html.Raw(kReportStyle);
  html.Close();
  html.Close();
  html.Open("body");
  html.Leaf("h1", title);
}

void EndPage(Html& html) {
  html.Leaf("footer",
            "Made by orbox " ORBOX_VERSION
            ". Answers are exact for the given coordinates; distances are "
            "correctly rounded.");
  html.Close();
  html.Close();
}

void AddFact(std::string_view kind, std::string_view what,
             std::string_view value, std::string_view note, Html& html) {
  html.Open("div", {{"class", Cat("fact ", kind)}});
  html.Text(what);
  html.Leaf("b", value);
  html.Leaf("span", {{"class", "faint"}}, note);
  html.Close();
}

void AddPicture(const ReportPicture& picture, const std::string& alt,
                Html& html) {
  html.Empty(
      "img",
      {{"src", Cat("data:image/png;base64,", absl::Base64Escape(picture.png))},
       {"alt", alt},
       {"width", Cat(picture.width)},
       {"height", Cat(picture.height)}});
}

void AddFigures(const std::vector<ReportPicture>& pictures, Html& html) {
  if (pictures.empty()) {
    html.Leaf("p", {{"class", "faint"}},
              "No pictures: this orbox was built without libpng.");
    return;
  }
  html.Open("div",
            {{"class", pictures.size() > 1 ? "pictures two" : "pictures"}});
  for (const ReportPicture& picture : pictures) {
    html.Open("figure");
    AddPicture(picture, picture.caption, html);
    html.Leaf("figcaption", picture.caption);
    html.Close();
  }
  html.Close();
}

void AddDistanceScale(double within, Html& html) {
  std::string stops;
  for (int i = 0; i <= 16; ++i) {
    stops += Cat(i > 0 ? "," : "",
                 CssColor(picture::HexOf(picture::MapColor(i / 16.0))));
  }
  html.Open("span");
  html.Text("distance 0");
  html.Leaf("i",
            {{"class", "scale"},
             {"style", Cat("background:linear-gradient(90deg,", stops, ")")}},
            "");
  html.Text(picture::ShortNumber(within));
  html.Close();
}

void BeginTable(std::initializer_list<TableColumn> columns, Html& html) {
  html.Open("div", {{"class", "wide"}});
  html.Open("table");
  html.Open("thead");
  html.Open("tr");
  for (const TableColumn& column : columns) {
    if (column.is_number) {
      html.Leaf("th", {{"class", "n"}}, column.name);
    } else {
      html.Leaf("th", column.name);
    }
  }
  html.Close();
  html.Close();
  html.Open("tbody");
}

void EndTable(Html& html) {
  html.Close();
  html.Close();
  html.Close();
}

void AddNumberCell(std::string_view text, Html& html) {
  html.Leaf("td", {{"class", "n"}}, text);
}

}  // namespace orbox::report
