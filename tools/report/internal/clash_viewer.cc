// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_viewer.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "tools/base/text.h"
#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {
namespace {

// The script that connects the model of a page of clashes (tools/viewer) to the
// list: a click on a row shows it in the model, a click on a body shows its
// worst row. Contains no < and &, so that the text is valid in both HTML and
// XML.
constexpr std::string_view kClashViewerScript = R"js(
(async function () {
  'use strict';
  var aside = document.getElementById('model');
  var cards = Array.from(document.querySelectorAll('article.found'));
  var picked = document.getElementById('model-picked');
  var only = document.getElementById('model-only');
  var model = null;

  function textOf(id) { return document.getElementById(id).textContent; }
  function bytesOf(id) {
    return Uint8Array.from(atob(textOf(id)), function (c) {
      return c.charCodeAt(0);
    });
  }
  var data = JSON.parse(textOf('model-clashes'));

  function mark(number) {
    cards.forEach(function (card, i) {
      card.classList.toggle('selected', i === number);
    });
  }
  function select(number, at, r) {
    mark(number);
    var clash = data.clashes[number];
    picked.textContent = data.names[clash.a] + ' and ' + data.names[clash.b];
    model.show(number, at, r);
  }
  // The worst of its clashes that the filters leave.
  function pick(body) {
    if (body === null) {
      mark(-1);
      picked.textContent = '';
      return;
    }
    var own = data.clashes.map(function (clash, i) {
      return [clash.a, clash.b].includes(body) ? i : -1;
    }).filter(function (i) { return i !== -1; });
    var shown = own.filter(function (i) { return !cards[i].hidden; });
    var count = own.length === 1 ? '1 clash' : own.length + ' clashes';
    picked.textContent = data.names[body] + ': ' + count;
    mark(shown.length ? shown[0] : -1);
    if (shown.length) { cards[shown[0]].scrollIntoView({block: 'nearest'}); }
  }

  try {
    var zipped = new Blob([bytesOf('model-viewer')]).stream();
    var viewer = document.createElement('script');
    viewer.textContent = await new Response(
        zipped.pipeThrough(new DecompressionStream('gzip'))).text();
    document.head.append(viewer);
    aside.hidden = false;
    aside.parentElement.classList.add('two');
    document.body.classList.add('work');
    model = await window.orboxModel({
      glb: bytesOf('model-bodies').buffer,
      canvas: aside.querySelector('canvas'),
      clashes: data.clashes,
      picked: pick
    });
  } catch (error) {
    // No WebGL, or an old browser: the page is the same without the model.
    aside.hidden = true;
    aside.parentElement.classList.remove('two');
    document.body.classList.remove('work');
    return;
  }
  window.orboxShown = model;
  cards.forEach(function (card, i) {
    card.tabIndex = 0;
    card.addEventListener('click', function (event) {
      var place = event.target.closest('[data-at]');
      if (place) {
        select(i, place.dataset.at.split(',').map(Number),
               Number(place.dataset.r));
        return;
      }
      if (event.target.closest('a, summary, details')) { return; }
      select(i);
    });
    card.addEventListener('keydown', function (event) {
      if (event.target === card) {
        if (event.key === 'Enter') { select(i); }
      }
    });
  });
  document.getElementById('model-all').addEventListener('click', function () {
    mark(-1);
    picked.textContent = '';
    model.all();
  });
  only.addEventListener('change', function () { model.only(only.checked); });
  aside.dataset.ready = 'yes';
})();
)js";

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
