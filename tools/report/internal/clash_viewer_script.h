// SPDX-License-Identifier: Apache-2.0

// The script that connects the model of a page of clashes (tools/viewer) to the
// list: a click on a row shows it in the model, a click on a body shows its
// worst row.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_CLASH_VIEWER_SCRIPT_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_CLASH_VIEWER_SCRIPT_H_

#include <string_view>

namespace orbox::report {

// Contains no < and &, so that the text is valid in both HTML and XML.
inline constexpr std::string_view kClashViewerScript = R"js(
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

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_VIEWER_SCRIPT_H_
