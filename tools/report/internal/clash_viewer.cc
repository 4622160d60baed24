// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_viewer.h"

#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {
namespace {

// The script that connects the model of a page of clashes (tools/viewer) to the
// list: an issue that is selected is shown in the model, a click on a body
// selects its worst issue. Contains no < and &, so that the text is valid in
// both HTML and XML.
constexpr std::string_view kClashViewerScript = R"js(
(async function () {
  'use strict';
  var page = window.orboxPage;
  if (!page) { return; }
  var aside = document.getElementById('model');
  var work = document.getElementById('work');
  var picked = document.getElementById('model-picked');
  var only = document.getElementById('model-only');
  var data = page.data;
  var model = null;

  function bytesOf(id) {
    return Uint8Array.from(atob(document.getElementById(id).textContent),
                           function (c) { return c.charCodeAt(0); });
  }
  function show(number, how) {
    if (!model) { return; }
    var issue = data.issues[number];
    if (!issue) {
      picked.textContent = '';
      model.all();
      return;
    }
    picked.textContent = issue.t;
    var chosen = how || {};
    model.show(typeof chosen.clash === 'number' ? chosen.clash : issue.c[0], {
      at: chosen.at, r: chosen.r, element: issue.e,
      among: how ? [] : issue.c
    });
  }
  // Selects the first issue of a body in the list.
  function pick(body) {
    if (body === null) {
      page.select(-1, {body: true});
      picked.textContent = '';
      return;
    }
    var own = data.issues.filter(function (issue) {
      return page.bodiesOf(issue).includes(body);
    });
    var first = page.shown().find(function (i) { return own.includes(data.issues[i]); });
    if (first !== undefined) { page.select(first, {body: true}); }
    model.choose(body);
    picked.textContent = data.bodies[body].t + ': '
        + (own.length === 1 ? '1 issue' : own.length + ' issues');
  }

  try {
    var zipped = new Blob([bytesOf('model-viewer')]).stream();
    var viewer = document.createElement('script');
    viewer.textContent = await new Response(
        zipped.pipeThrough(new DecompressionStream('gzip'))).text();
    document.head.append(viewer);
    aside.hidden = false;
    work.classList.add('two');
    model = await window.orboxModel({
      glb: bytesOf('model-bodies').buffer,
      canvas: aside.querySelector('canvas'),
      clashes: data.clashes,
      picked: pick
    });
  } catch (error) {
    // No WebGL, or an old browser: the page is the same without the model.
    aside.hidden = true;
    work.classList.remove('two');
    return;
  }
  window.orboxShown = model;
  page.onSelect(function (number, how) {
    if (!(how ? how.body : false)) { show(number, how); }
  });
  document.getElementById('model-all').addEventListener('click', function () {
    page.select(-1);
  });
  only.addEventListener('change', function () { model.only(only.checked); });
  if (page.selected() !== -1) { show(page.selected()); }
  aside.dataset.ready = 'yes';
})();
)js";

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
            "Select an issue, or click a body.");
  html.Close();
  html.Close();
}

void AddClashModelScripts(const ClashReport& report, Html& html) {
  if (report.model.empty()) return;
  constexpr std::string_view kBytes = "application/octet-stream";
  AddData("model-bodies", kBytes, absl::Base64Escape(report.model), html);
  AddData("model-viewer", kBytes, ViewerBundle(), html);
  html.Open("script");
  html.Raw(kClashViewerScript);
  html.Close();
}

}  // namespace orbox::report
