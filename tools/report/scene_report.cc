// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/clash_matrix.h"
#include "tools/report/internal/cost_section.h"
#include "tools/report/internal/html.h"
#include "tools/report/internal/page.h"
#include "tools/report/internal/time_chart.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Counted;
using tools::FormatPoint;
using tools::FormatReal;
using tools::Grouped;

constexpr size_t kMostRows = 50;

class Page {
 public:
  explicit Page(const SceneReport& report)
      : scene_(report.scene), summary_(report.summary), report_(report) {}

  std::string Write();

 private:
  uint64_t FrameNumber(size_t frame) const { return scene_.frames[frame]; }
  bool moves() const { return summary_.frames() > 1; }
  std::string InFrame(size_t frame) const {
    return moves() ? Cat(", in frame ", FrameNumber(frame)) : "";
  }
  // The pairs of bodies that ever overlap.
  size_t CountMeeting() const;

  void AddVerdict();
  void AddMoment();
  void AddTime();
  void AddMatrix();
  void AddContacts();
  void AddApproaches();
  void AddNote(size_t shown, size_t all, std::string_view order);

  const SceneFacts& scene_;
  const SceneSummary& summary_;
  const SceneReport& report_;
  Html html_;
};

size_t Page::CountMeeting() const {
  return std::count_if(
      summary_.approaches().begin(), summary_.approaches().end(),
      [](const auto& entry) { return entry.second.pair.meet(); });
}

void Page::AddVerdict() {
  html_.Leaf("p", {{"class", "faint"}},
             Cat(scene_.Size(),
                 moves() ? Cat("; ", Counted(summary_.frames(), "frame"),
                               ", from ", FrameNumber(0), " to ",
                               FrameNumber(summary_.frames() - 1))
                         : ""));
  html_.Open("div", {{"class", "verdict"}});
  const size_t meeting = CountMeeting();
  if (meeting > 0) {
    const size_t frames = std::count_if(summary_.meeting_in_frame().begin(),
                                        summary_.meeting_in_frame().end(),
                                        [](size_t pairs) { return pairs > 0; });
    AddFact("bad", "Bodies that meet", Counted(meeting, "pair"),
            moves() ? Cat("in ", Grouped(frames), " of ",
                          Counted(summary_.frames(), "frame"))
                    : "decided exactly; touching is meeting",
            html_);
  } else {
    AddFact("good", "The bodies", "do not meet", "decided exactly", html_);
  }
  if (scene_.within.has_value()) {
    const size_t close = summary_.approaches().size();
    AddFact(close > 0 ? "bad" : "good",
            Cat("Within ", picture::ShortNumber(*scene_.within)),
            Counted(close, "pair"),
            moves() ? "of bodies, at some time" : "of bodies", html_);
  }
  if (summary_.closest().has_value()) {
    const ClosestApproach& closest = *summary_.closest();
    AddFact("", "Closest approach",
            picture::ShortNumber(closest.pair.nearest.distance),
            Cat(scene_.NamesOf(closest.pair.a, closest.pair.b),
                InFrame(closest.frame)),
            html_);
  }
  html_.Close();
}

void Page::AddMoment() {
  if (!report_.moment.has_value()) return;
  const SceneMoment& moment = *report_.moment;
  html_.Leaf("h2", "The worst moment");
  AddFigures(report_.pictures, html_);
  if (report_.pictures.empty()) return;
  html_.Open("div", {{"class", "key"}});
  AddKeyEntry(picture::kColorOfA, scene_.names[moment.pair.a], html_);
  AddKeyEntry(picture::kColorOfB, scene_.names[moment.pair.b], html_);
  if (scene_.names.size() > 2) {
    AddKeyEntry(picture::kColorOfOthers,
                moment.left_out == 0
                    ? "other bodies"
                    : Cat("other bodies, but for ", Grouped(moment.left_out),
                          " far away"),
                html_);
  }
  if (moment.pair.meet()) {
    AddKeyEntry(picture::kColorOfMeeting, "meeting", html_);
  } else {
    AddKeyEntry(picture::kColorOfGap, "smallest distance", html_);
  }
  if (scene_.within.value_or(0) > 0) AddDistanceScale(*scene_.within, html_);
  html_.Close();
}

void Page::AddTime() {
  if (!moves()) return;
  html_.Leaf("h2", "The closest approach over time");
  TimeChart chart{.title = "The smallest distance in each frame",
                  .frames = {},
                  .distances = summary_.closest_of_frame(),
                  .marked = std::nullopt,
                  .mark = ""};
  for (size_t i = 0; i < summary_.frames(); ++i) {
    chart.frames.push_back(FrameNumber(i));
  }
  if (report_.moment.has_value()) {
    chart.marked = report_.moment->frame;
    chart.mark =
        Cat("frame ", FrameNumber(report_.moment->frame), ": ",
            scene_.NamesOf(report_.moment->pair.a, report_.moment->pair.b));
  }
  html_.Open("figure");
  html_.Open("div", {{"class", "wide"}});
  AddTimeChart(chart, html_);
  html_.Close();
  html_.Open("div", {{"class", "key"}});
  AddKeyEntry(picture::kColorOfMeeting, "bodies meet", html_);
  if (chart.marked.has_value()) {
    AddKeyEntry(picture::kColorOfGap, "the moment of the pictures", html_);
  }
  html_.Close();
  html_.Leaf("figcaption",
             scene_.within.has_value()
                 ? Cat("The smallest distance of two bodies in each frame; no "
                       "line where none are within ",
                       picture::ShortNumber(*scene_.within))
                 : "The smallest distance of two bodies in each frame");
  html_.Close();
}

void Page::AddMatrix() {
  std::vector<ClashCell> cells;
  for (const auto& [pair, approach] : summary_.approaches()) {
    const double distance = approach.pair.nearest.distance;
    cells.push_back(
        {pair.a, pair.b, distance,
         Cat(scene_.NamesOf(pair.a, pair.b),
             distance == 0 ? " meet" : Cat(": ", FormatReal(distance)),
             InFrame(approach.frame))});
  }
  if (cells.empty()) return;
  html_.Leaf("h2", "Who meets whom");
  const std::vector<size_t> shown = BodiesToShow(scene_.names.size(), cells);
  ClashMatrix matrix{.names = {}, .cells = {}, .within = scene_.within};
  std::map<size_t, size_t> place;
  for (const size_t body : shown) {
    place[body] = matrix.names.size();
    matrix.names.push_back(scene_.names[body]);
  }
  for (const ClashCell& cell : cells) {
    if (!place.contains(cell.a) || !place.contains(cell.b)) continue;
    matrix.cells.push_back(
        {place[cell.a], place[cell.b], cell.distance, cell.what});
  }
  html_.Open("figure");
  AddClashMatrix(matrix, html_);
  html_.Open("div", {{"class", "key"}});
  AddKeyEntry(picture::kColorOfMeeting, "meet", html_);
  if (scene_.within.value_or(0) > 0) AddDistanceScale(*scene_.within, html_);
  html_.Close();
  html_.Leaf("figcaption",
             Cat("The smallest distance of each two bodies",
                 moves() ? " in all frames" : "",
                 shown.size() < scene_.names.size()
                     ? Cat("; of ", CountedBodies(scene_.names.size()), " the ",
                           shown.size(), " that come closest to others")
                     : ""));
  html_.Close();
}

void Page::AddNote(size_t shown, size_t all, std::string_view order) {
  html_.Leaf("p", {{"class", "faint"}},
             shown < all ? Cat("The first ", shown, " of ", Grouped(all), ", ",
                               order, ".")
                         : Cat("All of them, ", order, "."));
}

void Page::AddContacts() {
  const std::vector<Contact>& contacts = summary_.contacts();
  if (!moves() || contacts.empty()) return;
  html_.Leaf("h2", "Contacts");
  const size_t shown = std::min(kMostRows, contacts.size());
  AddNote(shown, contacts.size(), "in the order in which they begin");
  BeginTable({{"bodies"},
              {"first frame", true},
              {"last frame", true},
              {"frames", true}},
             html_);
  for (const Contact& contact : std::span(contacts).first(shown)) {
    html_.Open("tr");
    html_.Leaf("td", {{"class", "names"}},
               scene_.NamesOf(contact.bodies.a, contact.bodies.b));
    AddNumberCell(Cat(FrameNumber(contact.first)), html_);
    AddNumberCell(Cat(FrameNumber(contact.last)), html_);
    AddNumberCell(Grouped(contact.last - contact.first + 1), html_);
    html_.Close();
  }
  EndTable(html_);
}

void Page::AddApproaches() {
  std::vector<ClosestApproach> nearest;
  for (const auto& [pair, approach] : summary_.approaches()) {
    nearest.push_back(approach);
  }
  html_.Leaf("h2", scene_.within.has_value() ? Cat("Pairs of bodies within ",
                                                   FormatReal(*scene_.within))
                                             : "Pairs of bodies that meet");
  if (nearest.empty()) {
    html_.Leaf("p", "There are none.");
    return;
  }
  // They ascend by body.
  std::stable_sort(nearest.begin(), nearest.end(),
                   [](const ClosestApproach& x, const ClosestApproach& y) {
                     return x.pair.nearest.distance < y.pair.nearest.distance;
                   });
  const size_t shown = std::min(kMostRows, nearest.size());
  AddNote(shown, nearest.size(), "the nearest first");
  BeginTable({{"bodies"},
              {"smallest distance", true},
              {"in frame", true},
              {"triangles", true},
              {"between"}},
             html_);
  for (const ClosestApproach& approach : std::span(nearest).first(shown)) {
    const Witness& where = approach.pair.nearest;
    html_.Open("tr");
    html_.Leaf("td", {{"class", "names"}},
               scene_.NamesOf(approach.pair.a, approach.pair.b));
    AddNumberCell(FormatReal(where.distance), html_);
    AddNumberCell(Cat(FrameNumber(approach.frame)), html_);
    AddNumberCell(Cat(where.triangles.a, ", ", where.triangles.b), html_);
    html_.Leaf("td", {{"class", "points"}},
               where.distance == 0 ? FormatPoint(where.on_a)
                                   : Cat(FormatPoint(where.on_a), " and ",
                                         FormatPoint(where.on_b)));
    html_.Close();
  }
  EndTable(html_);
}

std::string Page::Write() {
  BeginPage(Cat("Clashes of ", scene_.title), html_);
  AddVerdict();
  AddMoment();
  AddTime();
  AddMatrix();
  AddContacts();
  AddApproaches();
  AddCostSection(report_.statistics, html_);
  EndPage(html_);
  return html_.bytes();
}

}  // namespace

std::string SceneReportPage(const SceneReport& report) {
  return Page(report).Write();
}

}  // namespace orbox::report
