// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_data.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/report/clash_id.h"
#include "tools/report/clash_words.h"
#include "tools/report/internal/html.h"
#include "tools/report/internal/json_text.h"

namespace orbox::report {
namespace {

using tools::Cat;

std::string Text(std::string_view key, std::string_view value) {
  return value.empty() ? "" : Cat(",\"", key, "\":", JsonText(value));
}

std::string Pair(std::string_view a, std::string_view b) {
  return Cat("[", JsonText(a), ",", JsonText(b), "]");
}

std::string BodyJson(const ClashReport& report, size_t body) {
  const BodyWords& words = report.words.bodies[body];
  std::string json =
      Cat("{\"t\":", JsonText(words.title), Text("y", words.type),
          Text("s", words.storey), Text("f", words.file));
  const std::string& name = report.scene.names[body];
  if (name != words.title) json += Text("n", name);
  if (!report.properties[body].empty()) {
    json +=
        Cat(",\"p\":", JsonArray(report.properties[body], [](const auto& p) {
              return Pair(p.first, p.second);
            }));
  }
  return json + "}";
}

std::string ClusterJson(const NearCluster& cluster, const std::string& unit) {
  // The view of a place in the model: the place, and as much around it.
  const Vec3 middle = (cluster.closest.on_a + cluster.closest.on_b) * 0.5;
  const double size = Norm(cluster.box.hi - cluster.box.lo);
  return Cat("[", JsonText(ClusterText(cluster, unit)), ",", JsonPoint(middle),
             ",", std::max(size, cluster.closest.distance * 4), "]");
}

std::string ViewJson(const ModelView& view) {
  std::string json =
      Cat(",\"at\":", JsonPoint(view.place), ",\"r\":", view.radius);
  if (view.gap.has_value()) {
    json += Cat(",\"gap\":[", JsonPoint(view.gap->a), ",",
                JsonPoint(view.gap->b), "]");
  }
  if (view.back.has_value()) json += Cat(",\"back\":", JsonPoint(*view.back));
  if (view.move_a.has_value()) json += Cat(",\"ma\":", JsonPose(*view.move_a));
  if (view.move_b.has_value()) json += Cat(",\"mb\":", JsonPose(*view.move_b));
  return json;
}

std::string ClashJson(const ClashReport& report, size_t i) {
  constexpr size_t kMostClusters = 20;
  const ListedClash& clash = report.list.clashes[i];
  const BodyClash& pair = clash.pair;
  const std::string kind(KindNameOf(pair.clash.kind));
  const std::string in_words = KindText(pair.clash.kind);
  std::string json =
      Cat("{\"id\":", JsonText(clash.id), ",\"a\":", pair.a, ",\"b\":", pair.b,
          Text("k", kind), in_words == kind ? "" : Text("kt", in_words),
          Text("m", SizeOf(pair.clash, report.unit)),
          Text("s", NameOf(clash.state)), ViewJson(report.views[i]));
  json +=
      Cat(",\"d\":",
          JsonArray(MeasuresOf(clash, report.scene,
                               report.words.bodies[pair.a].title, report.unit),
                    [](const Measure& m) { return Pair(m.name, m.value); }));
  if (!clash.clusters.empty()) {
    const size_t shown = std::min(kMostClusters, clash.clusters.size());
    json += Cat(",\"c\":", JsonArray(std::span(clash.clusters).first(shown),
                                     [&report](const NearCluster& cluster) {
                                       return ClusterJson(cluster, report.unit);
                                     }));
  }
  return json + "}";
}

std::string CommentsJson(const Decision& decision) {
  return JsonArray(decision.comments, [](const IssueComment& comment) {
    return Cat("[", JsonText(comment.text), ",", JsonText(comment.author), ",",
               JsonText(comment.date), "]");
  });
}

std::string IssueJson(const ClashReport& report, const Issue& issue) {
  std::string json =
      Cat("{\"id\":", JsonText(issue.id), Text("t", issue.title), ",\"c\":",
          JsonArray(issue.clashes, [](size_t clash) { return Cat(clash); }));
  if (issue.element.has_value()) json += Cat(",\"e\":", *issue.element);
  json +=
      Cat(Text("w", issue.storey), Text("x", issue.crossing),
          Text("p", NameOf(issue.priority)), Text("st", issue.decision.status),
          Text("as", issue.decision.assigned));
  if (!report.list.groups.empty()) {
    const ListedClash& worst = report.list.clashes[issue.clashes.front()];
    json += Cat(",\"g\":", worst.group);
  }
  if (!issue.decision.comments.empty()) {
    json += Cat(",\"co\":", CommentsJson(issue.decision));
  }
  return json + "}";
}

std::string LeftJson(const std::string& id, const Decision& decision) {
  return Cat("[", JsonText(id), ",", JsonText(decision.title), ",",
             JsonText(decision.status), ",", JsonText(decision.assigned), ",",
             CommentsJson(decision), ",",
             JsonText(ShortIdsText(decision.clashes)), ",",
             decision.place.has_value() ? JsonPoint(*decision.place) : "null",
             "]");
}

}  // namespace

size_t CountShownIssues(const ClashReport& report) {
  size_t shown = 0, clashes = 0;
  for (const Issue& issue : report.issues) {
    const bool has_views = issue.clashes.back() < report.views.size();
    clashes += issue.clashes.size();
    if (!has_views || clashes > kMostClashesOnPage) break;
    ++shown;
  }
  return shown;
}

std::string ClashData(const ClashReport& report) {
  const std::span<const Issue> issues =
      report.issues.first(CountShownIssues(report));
  std::string run;
  std::vector<size_t> bodies(report.scene.names.size());
  for (size_t i = 0; i < bodies.size(); ++i) bodies[i] = i;
  std::vector<size_t> clashes(report.views.size());
  for (size_t i = 0; i < clashes.size(); ++i) clashes[i] = i;
  for (const Issue& issue : issues) run += issue.id;
  const auto color = [](uint32_t rgb) { return JsonText(CssColor(rgb)); };
  return Cat(
      "{\"run\":", JsonText(ClashId(report.scene.title, run)),
      Text("title", report.scene.title), ",\"colors\":[",
      color(picture::kColorOfFirst), ",", color(picture::kColorOfSecond),
      "],\n\"bodies\":",
      JsonArray(bodies, [&](size_t i) { return BodyJson(report, i); }),
      ",\n\"clashes\":",
      JsonArray(clashes, [&](size_t i) { return ClashJson(report, i); }),
      ",\n\"issues\":",
      JsonArray(issues, [&](const Issue& i) { return IssueJson(report, i); }),
      ",\n\"groups\":",
      JsonArray(report.list.groups,
                [](const ClashGroup& g) { return JsonText(LabelOf(g)); }),
      ",\n\"left\":",
      JsonArray(report.left,
                [&](const std::string& id) {
                  return LeftJson(id, *report.review->Find(id));
                }),
      "}");
}

}  // namespace orbox::report
