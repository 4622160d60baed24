// SPDX-License-Identifier: Apache-2.0

// The script of the page of clashes: search, filters, larger pictures.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_CLASH_SCRIPT_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_CLASH_SCRIPT_H_

#include <string_view>

namespace orbox::report {

// Contains no < and &, so that the text is valid in both HTML and XML.
inline constexpr std::string_view kClashScript = R"js(
(function () {
  'use strict';
  var cards = Array.from(document.querySelectorAll('article.found'));
  var texts = cards.map(function (card) {
    return card.textContent.toLowerCase();
  });
  var form = document.getElementById('filters');
  var count = document.getElementById('count');
  if (!form) { return; }
  form.hidden = false;

  function valueOf(name) {
    var field = form.elements[name];
    return field ? field.value : '';
  }
  function show() {
    var words = valueOf('search').toLowerCase().split(/\s+/).filter(Boolean);
    var group = valueOf('group');
    var state = valueOf('state');
    var kinds = Array.from(form.querySelectorAll('input[type=checkbox]'))
        .filter(function (box) { return box.checked; })
        .map(function (box) { return box.value; });
    var shown = 0;
    cards.forEach(function (card, i) {
      var fits = [
        kinds.includes(card.dataset.kind),
        !group || card.dataset.group === group,
        !state || card.dataset.state === state,
        words.every(function (word) { return texts[i].includes(word); })
      ].every(Boolean);
      card.hidden = !fits;
      if (fits) { shown += 1; }
    });
    count.textContent = shown === cards.length ? cards.length + ' shown'
        : shown + ' of ' + cards.length + ' shown';
  }
  form.addEventListener('input', show);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('reset', function () { setTimeout(show, 0); });

  document.addEventListener('click', function (event) {
    var picture = event.target.closest('article.found img');
    if (picture) { picture.closest('article').classList.toggle('large'); }
    var cell = event.target.closest('[data-show-group]');
    if (!cell) { return; }
    form.elements.group.value = cell.dataset.showGroup;
    show();
    form.scrollIntoView();
  });
  show();
})();
)js";

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_SCRIPT_H_
