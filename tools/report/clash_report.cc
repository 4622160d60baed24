// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/clash_matrix.h"
#include "tools/report/internal/cost_section.h"
#include "tools/report/internal/html.h"
#include "tools/report/internal/issue_section.h"
#include "tools/report/internal/mesh_rows.h"
#include "tools/report/internal/page.h"
#include "tools/report/internal/time_chart.h"
#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Counted;
using tools::Grouped;

constexpr size_t kMostContacts = 50;

class Page {
 public:
  explicit Page(const ClashReport& report)
      : scene_(report.scene),
        summary_(report.summary),
        list_(report.list),
        report_(report) {}

  std::string Write();

 private:
  uint64_t FrameNumber(size_t frame) const { return scene_.frames[frame]; }
  bool moves() const { return summary_.frames() > 1; }
  std::string Measured(double length) const {
    return WithUnit(picture::ShortNumber(length), report_.unit);
  }

  std::string NamesOf(size_t a, size_t b) const {
    return TitleOf({.a = a, .b = b, .clash = {}}, report_.words);
  }

  void AddVerdict();
  void AddTime();
  void AddMatrix();
  void AddContacts();

  const SceneFacts& scene_;
  const SceneSummary& summary_;
  const ClashList& list_;
  const ClashReport& report_;
  Html html_;
};

void Page::AddVerdict() {
  html_.Leaf(
      "p", {{"class", "faint"}},
      Cat(scene_.Size(),
          moves()
              ? Cat("; ", Counted(summary_.frames(), "frame"), ", from ",
                    FrameNumber(0), " to ", FrameNumber(summary_.frames() - 1))
              : "",
          "; tolerance ", Measured(report_.tolerance),
          scene_.within.has_value()
              ? Cat(", clearance ", Measured(*scene_.within))
              : "",
          scene_.inside == InsideRule::kParity ? ", inside by parity" : ""));
  html_.Open("div", {{"class", "verdict"}});
  const size_t look = list_.ToLookAt();
  AddFact(look > 0 ? "bad" : "good", "To look at",
          look == 1 ? "1 pair" : Cat(Grouped(look), " pairs"),
          look > 0 ? list_.kinds.TextToLookAt() : "no bodies clash", html_);
  AddFact("", "Touch", Counted(list_.kinds.Of(ClashKind::kTouch), "pair"),
          "as they should, and not listed below", html_);
  const size_t not_judged = scene_.NotJudgedCount();
  if (not_judged > 0) {
    AddFact("", "Not judged",
            scene_.left_out > 0 ? Counted(not_judged, "element")
                                : CountedBodies(not_judged),
            scene_.NotJudged(), html_);
  }
  if (const size_t undecided = list_.Undecided(); undecided > 0) {
    AddFact("", "Undecided", Counted(undecided, "pair"),
            "the search gave up; listed as the worst that is possible", html_);
  }
  if (scene_.ClosedHoles() > 0) {
    AddFact("", "Closed", Counted(scene_.ClosedHoles(), "hole"),
            scene_.HolesClosed(), html_);
  }
  if (list_.resolved.has_value()) {
    AddFact("", "Since the last run",
            Cat(Grouped(list_.CountOf(ClashState::kNew)), " new"),
            Cat(Grouped(list_.CountOf(ClashState::kActive)), " active, ",
                Grouped(list_.resolved->size()), " resolved"),
            html_);
  }
  if (report_.issues.size() < look) {
    AddFact("", "Issues", Grouped(report_.issues.size()),
            "each with the clashes to solve together", html_);
  }
  if (!list_.groups.empty()) {
    AddFact("", "Groups",
            Grouped(std::count_if(list_.groups.begin(), list_.groups.end(),
                                  [](const ClashGroup& group) {
                                    return group.kinds.ToLookAt() > 0;
                                  })),
            "with pairs to look at", html_);
  }
  if (summary_.closest().has_value() && !summary_.closest()->pair.meet()) {
    const ClosestApproach& closest = *summary_.closest();
    AddFact("", "Closest approach", Measured(closest.pair.distance()),
            Cat(NamesOf(closest.pair.a, closest.pair.b),
                moves() ? Cat(", in frame ", FrameNumber(closest.frame)) : ""),
            html_);
  }
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
  if (list_.ToLookAt() > 0) {
    const ListedClash& worst = list_.clashes.front();
    chart.marked = worst.frame;
    chart.mark = Cat("frame ", FrameNumber(worst.frame), ": ",
                     NamesOf(worst.pair.a, worst.pair.b));
  }
  html_.Open("figure");
  html_.Open("div", {{"class", "wide"}});
  AddTimeChart(chart, html_);
  html_.Close();
  html_.Open("div", {{"class", "key"}});
  AddKeyEntry(picture::kColorOfMeeting, "bodies meet", html_);
  if (chart.marked.has_value()) {
    AddKeyEntry(picture::kColorOfGap, "the worst", html_);
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
  for (const ListedClash& listed :
       std::span(list_.clashes).first(list_.ToLookAt())) {
    const BodyClash& pair = listed.pair;
    cells.push_back(
        {pair.a, pair.b, pair.distance(),
         Cat(NamesOf(pair.a, pair.b), ": ", KindNameOf(pair.clash.kind),
             moves() ? Cat(", in frame ", FrameNumber(listed.frame)) : "")});
  }
  if (cells.empty()) return;
  html_.Leaf("h2", "Who clashes with whom");
  const std::vector<size_t> shown = BodiesToShow(scene_.names.size(), cells);
  ClashMatrix matrix{.names = {}, .cells = {}, .within = scene_.within};
  std::map<size_t, size_t> place;
  for (const size_t body : shown) {
    place[body] = matrix.names.size();
    matrix.names.push_back(report_.words.bodies[body].title);
  }
  for (const ClashCell& cell : cells) {
    if (!place.contains(cell.a) || !place.contains(cell.b)) continue;
    matrix.cells.push_back(
        {place[cell.a], place[cell.b], cell.distance, cell.what});
  }
  html_.Open("figure");
  AddClashMatrix(matrix, html_);
  html_.Open("div", {{"class", "key"}});
  AddKeyEntry(picture::kColorOfMeeting, "clash", html_);
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

void Page::AddContacts() {
  const std::vector<BodyContact>& contacts = summary_.contacts();
  if (!moves() || contacts.empty()) return;
  html_.Leaf("h2", "Contacts");
  const size_t shown = std::min(kMostContacts, contacts.size());
  html_.Leaf("p", {{"class", "faint"}},
             Cat(shown < contacts.size() ? Cat("The first ", shown, " of ",
                                               Grouped(contacts.size()), ", in")
                                         : "In",
                 " the order in which they begin; touching counts."));
  BeginTable({{"bodies"},
              {"first frame", true},
              {"last frame", true},
              {"frames", true}},
             html_);
  for (const BodyContact& contact : std::span(contacts).first(shown)) {
    html_.Open("tr");
    html_.Leaf("td", {{"class", "names"}},
               NamesOf(contact.bodies.a, contact.bodies.b));
    AddNumberCell(Cat(FrameNumber(contact.first)), html_);
    AddNumberCell(Cat(FrameNumber(contact.last)), html_);
    AddNumberCell(Grouped(contact.last - contact.first + 1), html_);
    html_.Close();
  }
  EndTable(html_);
}

std::string Page::Write() {
  BeginPage(Cat("Clashes of ", scene_.title), html_);
  AddVerdict();
  if (!report_.no_model.empty()) {
    html_.Leaf("p", {{"class", "faint"}}, report_.no_model);
  }
  AddTime();
  AddIssues(report_, html_);
  AddClashGroups(report_, html_);
  if (list_.groups.empty()) AddMatrix();
  AddContacts();
  AddCostSection(report_.statistics, html_);
  AddIssueScripts(report_, html_);
  EndPage(html_);
  return html_.bytes();
}

}  // namespace

bool HasViewer() { return !ViewerBundle().empty(); }

std::string ClashReportPage(const ClashReport& report) {
  return Page(report).Write();
}

}  // namespace orbox::report
