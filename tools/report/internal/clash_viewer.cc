// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_viewer.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "tools/base/text.h"
#include "tools/report/internal/clash_viewer_script.h"
#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {
namespace {

using tools::Cat;

std::string ListOf(std::initializer_list<double> numbers) {
  std::string list;
  for (const double number : numbers) {
    list += Cat(list.empty() ? "[" : ",", number);
  }
  return list + "]";
}

std::string PointList(const Vec3& p) { return ListOf({p.x, p.y, p.z}); }

std::string PoseList(const Pose& pose) {
  const auto& [x, y, z] = pose.rows;
  const Vec3& t = pose.translation;
  return ListOf({x.x, x.y, x.z, t.x, y.x, y.y, y.z, t.y, z.x, z.y, z.z, t.z});
}

// Returns a string of JSON that is valid in both HTML and XML.
std::string Quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x20 && std::string_view("\"\\<>&").find(c) ==
                                              std::string::npos;
    if (is_plain) {
      out += c;
    } else {
      out += Cat("\\u00", kDigits.substr(byte >> 4, 1),
                 kDigits.substr(byte & 15, 1));
    }
  }
  return out + "\"";
}

std::string ViewJson(const ModelView& view) {
  std::string json =
      Cat("{\"a\":", view.a, ",\"b\":", view.b,
          ",\"at\":", PointList(view.place), ",\"r\":", view.radius);
  if (view.gap.has_value()) {
    json += Cat(",\"gap\":[", PointList(view.gap->a), ",",
                PointList(view.gap->b), "]");
  }
  if (view.back.has_value()) json += Cat(",\"back\":", PointList(*view.back));
  if (view.move_a.has_value()) json += Cat(",\"ma\":", PoseList(*view.move_a));
  if (view.move_b.has_value()) json += Cat(",\"mb\":", PoseList(*view.move_b));
  return json + "}";
}

std::string DataJson(const ClashReport& report) {
  std::string names, clashes;
  for (const std::string& name : report.scene.names) {
    names += Cat(names.empty() ? "" : ",", Quoted(name));
  }
  for (const ModelView& view : report.views) {
    clashes += Cat(clashes.empty() ? "" : ",\n", ViewJson(view));
  }
  return Cat("{\"names\":[", names, "],\n\"clashes\":[", clashes, "]}");
}

void AddData(std::string_view id, std::string_view type, std::string_view text,
             Html& html) {
  html.Open("script", {{"id", std::string(id)}, {"type", std::string(type)}});
  html.Raw(text);
  html.Close();
}

}  // namespace

void AddClashModel(const ClashReport& report, Html& html) {
  if (report.model.empty()) return;
  html.Open("aside", {{"id", "model"}, {"hidden", "hidden"}});
  html.Open("div", {{"class", "stage"}});
  html.Leaf("canvas",
            {{"tabindex", "0"},
             {"aria-label", "the bodies, to turn with a mouse or a finger"}},
            "");
  html.Close();
  html.Open("p", {{"class", "what"}});
  html.Leaf("button", {{"type", "button"}, {"id", "model-all"}}, "all bodies");
  html.Open("label");
  html.Empty("input", {{"type", "checkbox"}, {"id", "model-only"}});
  html.Text("hide the others");
  html.Close();
  html.Leaf("output", {{"id", "model-picked"}, {"class", "faint"}},
            "Click a clash, or a body.");
  html.Close();
  html.Close();
}

void AddClashModelScripts(const ClashReport& report, Html& html) {
  if (report.model.empty()) return;
  constexpr std::string_view kBytes = "application/octet-stream";
  AddData("model-bodies", kBytes, absl::Base64Escape(report.model), html);
  AddData("model-viewer", kBytes, ViewerBundle(), html);
  AddData("model-clashes", "application/json", DataJson(report), html);
  html.Open("script");
  html.Raw(kClashViewerScript);
  html.Close();
}

}  // namespace orbox::report
