// SPDX-License-Identifier: Apache-2.0

// The script of the list of issues on a page of clashes: search, filters, the
// rows in view, the keyboard. It defines window.orboxPage for the scripts that
// follow: issue_details_script.h and clash_viewer.cc.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_LIST_SCRIPT_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_LIST_SCRIPT_H_

#include <string_view>

namespace orbox::report {

// Contains no < and &, so that the text is valid in both HTML and XML.
inline constexpr std::string_view kIssueListScript = R"js(
(function () {
  'use strict';
  var source = document.getElementById('page-data');
  if (!source) { return; }
  var data = JSON.parse(source.textContent);
  var work = document.getElementById('work');
  var form = document.getElementById('filters');
  var box = document.getElementById('issues');
  var tall = document.createElement('div');
  var count = document.getElementById('count');
  var shown = [];      // numbers of issues, in the order of the list
  var selected = -1;   // number of an issue
  var listeners = [];
  var DONE = ['closed', 'resolved', 'approved', 'ignored', 'done'];
  var TO_DO = 'to do';

  function make(tag, kind, text) {
    var made = document.createElement(tag);
    if (kind) { made.className = kind; }
    if (text) { made.textContent = text; }
    return made;
  }
  function statusOf(issue) { return issue.st || 'Open'; }
  function isDone(issue) {
    return DONE.includes(statusOf(issue).toLowerCase());
  }
  function unique(values) {
    return Array.from(new Set(values.filter(Boolean)));
  }
  function worstOf(issue) { return data.clashes[issue.c[0]]; }
  function clashesOf(issue) {
    return issue.c.map(function (i) { return data.clashes[i]; });
  }
  function bodiesOf(issue) {
    if (!issue.bodies) {
      var all = typeof issue.e === 'number' ? [issue.e] : [];
      clashesOf(issue).forEach(function (c) { all.push(c.a, c.b); });
      issue.bodies = Array.from(new Set(all));
    }
    return issue.bodies;
  }
  function ofBodies(issue, key) {
    return unique(bodiesOf(issue).map(function (b) { return data.bodies[b][key]; }));
  }
  // Names of files: their last words, or if these are not distinct, without the
  // words that all of them have.
  var words = new Map();
  unique(data.bodies.map(function (b) { return b.f; })).forEach(function (name) {
    words.set(name, name.split(/[_\-. ]+/).filter(Boolean));
  });
  var common = Array.from(words.values()).reduce(function (x, y) {
    return x === null ? y : x.filter(function (word) { return y.includes(word); });
  }, null) || [];
  function ownWords(file) {
    return words.get(file).filter(function (word) { return !common.includes(word); });
  }
  var last = unique(Array.from(words.keys()).map(function (file) {
    return ownWords(file).pop();
  }));
  function shortName(file) {
    var own = ownWords(file);
    return (last.length === words.size ? own.pop() : own.join(' ')) || file;
  }
  function filesOf(issue) {
    return words.size > 1 ? ofBodies(issue, 'f').slice(0, 3).map(shortName).join(' / ') : '';
  }
  function whereOf(issue) {
    return [issue.w, issue.x ? 'near ' + issue.x : ''].filter(Boolean).join(', ');
  }
  function textOf(issue) {
    if (!issue.text) {
      var words = [issue.t, whereOf(issue), issue.id];
      bodiesOf(issue).forEach(function (b) {
        var body = data.bodies[b];
        words.push(body.t, body.n);
        (body.p || []).forEach(function (p) { words.push(p[0], p[1]); });
      });
      clashesOf(issue).forEach(function (c) { words.push(c.k, c.kt); });
      issue.text = words.join(' ').toLowerCase();
    }
    var said = (issue.co || []).map(function (c) { return c[0] + ' ' + c[1]; });
    return [issue.text, issue.as, said.join(' ')].join(' ').toLowerCase();
  }

  // The filters, each with the values of an issue.
  var facets = [
    {name: 'status', of: function (i) { return [statusOf(i)]; }},
    {name: 'priority', of: function (i) { return [i.p]; }},
    {name: 'state', of: function (i) {
      return unique(clashesOf(i).map(function (c) { return c.s; }));
    }},
    {name: 'storey', of: function (i) { return unique([i.w]); }},
    {name: 'type', of: function (i) { return ofBodies(i, 'y'); }},
    {name: 'file', of: function (i) { return ofBodies(i, 'f'); }},
    {name: 'group', of: function (i) {
      return typeof i.g === 'number' ? [data.groups[i.g]] : [];
    }},
    {name: 'assigned', of: function (i) { return unique([i.as]); }}
  ];
  function option(select, value, text) {
    var made = make('option', '', text);
    made.value = value;
    select.append(made);
  }
  // Fills a filter with the values that occur, the most frequent first. Hides
  // one that cannot choose.
  function fill(facet) {
    var counts = new Map();
    data.issues.forEach(function (issue) {
      facet.of(issue).forEach(function (value) {
        counts.set(value, (counts.get(value) || 0) + 1);
      });
    });
    var before = facet.select.value;
    facet.select.replaceChildren();
    option(facet.select, '', facet.name === 'status' ? 'any status' : 'any ' + facet.name);
    if (facet.name === 'status') {
      option(facet.select, TO_DO, 'to do (' + data.issues.filter(function (i) {
        return !isDone(i);
      }).length + ')');
    }
    Array.from(counts).sort(function (x, y) { return y[1] - x[1]; })
        .slice(0, 500).forEach(function (entry) {
          option(facet.select, entry[0], entry[0] + ' (' + entry[1] + ')');
        });
    facet.select.value = [before === TO_DO, counts.has(before)].some(Boolean)
        ? before : '';
    facet.select.hidden = [facet.name !== 'status', 2 > counts.size].every(Boolean);
  }
  facets.forEach(function (facet) {
    facet.select = make('select');
    facet.select.name = facet.name;
    facet.select.setAttribute('aria-label', facet.name);
    form.elements.search.parentElement.insertBefore(
        facet.select, document.getElementById('filters-end'));
    fill(facet);
  });

  // Orders of the list. Issues come with the worst first.
  var orders = {
    worst: function (x, y) { return x - y; },
    clashes: function (x, y) {
      return data.issues[y].c.length - data.issues[x].c.length || x - y;
    },
    storey: function (x, y) {
      return whereOf(data.issues[x]).localeCompare(whereOf(data.issues[y]),
          undefined, {numeric: true}) || x - y;
    }
  };
  function filter() {
    var words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var kinds = Array.from(form.querySelectorAll('input[type=checkbox]'))
        .filter(function (b) { return b.checked; }).map(function (b) { return b.value; });
    var hasKinds = form.querySelector('input[type=checkbox]') !== null;
    var wanted = facets.filter(function (f) { return f.select.value; });
    shown = [];
    data.issues.forEach(function (issue, i) {
      var fits = wanted.every(function (f) {
        var value = f.select.value;
        return value === TO_DO ? !isDone(issue) : f.of(issue).includes(value);
      });
      fits = fits ? !hasKinds || clashesOf(issue).some(function (c) {
        return kinds.includes(c.k);
      }) : false;
      if (fits ? words.length : 0) {
        var text = textOf(issue);
        fits = words.every(function (word) { return text.includes(word); });
      }
      if (fits) { shown.push(i); }
    });
    shown.sort(orders[form.elements.order.value]);
    count.textContent = shown.length === data.issues.length
        ? shown.length + ' shown' : shown.length + ' of ' + data.issues.length + ' shown';
    layOut();
  }

  // Rows of one height, so that only those in view have to be there.
  var rowHeight = 0;
  function height() {
    if (!rowHeight) {
      var lines = window.matchMedia('(max-width: 36rem)').matches ? 7.4 : 5.2;
      rowHeight = lines * parseFloat(getComputedStyle(document.documentElement).fontSize);
    }
    return rowHeight;
  }
  function layOut() {
    tall.style.height = shown.length * height() + 'px';
    draw();
  }
  function sizeOf(issue) {
    var worst = worstOf(issue);
    return worst.m || worst.k;
  }
  function rowOf(position) {
    var number = shown[position];
    var issue = data.issues[number];
    var row = make('div', 'row');
    row.id = 'issue-' + number;
    row.dataset.issue = number;
    row.style.top = position * height() + 'px';
    row.style.height = height() + 'px';
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', number === selected ? 'true' : 'false');
    row.setAttribute('aria-posinset', position + 1);
    row.setAttribute('aria-setsize', shown.length);
    row.append(make('span', 'faint number', String(number + 1)));
    var main = make('div', 'main');
    main.append(make('b', 'title', issue.t));
    main.append(make('span', 'faint', [
      issue.as ? 'for ' + issue.as : '',
      sizeOf(issue),
      issue.c.length > 1 ? issue.c.length + ' clashes' : '',
      whereOf(issue),
      filesOf(issue)
    ].filter(Boolean).join(' · ')));
    row.append(main);
    var marks = make('span', 'marks');
    marks.append(make('span', 'badge ' + issue.p, issue.p));
    if (statusOf(issue) !== 'Open') {
      marks.append(make('span', isDone(issue) ? 'badge done' : 'badge', issue.st));
    }
    row.append(marks);
    if (isDone(issue)) { row.classList.add('done'); }
    return row;
  }
  function draw() {
    var begin = Math.max(0, Math.floor(box.scrollTop / height()) - 6);
    var end = Math.min(shown.length,
                       begin + Math.ceil(box.clientHeight / height()) + 12);
    var rows = [];
    for (var i = begin; end > i; i += 1) { rows.push(rowOf(i)); }
    tall.replaceChildren.apply(tall, rows);
    if (shown.includes(selected)) {
      box.setAttribute('aria-activedescendant', 'issue-' + selected);
    } else {
      box.removeAttribute('aria-activedescendant');
    }
  }
  function reveal(position) {
    var top = position * height();
    if (box.scrollTop > top) { box.scrollTop = top; }
    var least = top + height() - box.clientHeight;
    if (least > box.scrollTop) { box.scrollTop = least; }
  }
  // Selects an issue, or none with -1. `how` goes to the listeners.
  function select(number, how) {
    selected = number;
    var position = shown.indexOf(number);
    if (position !== -1) { reveal(position); }
    draw();
    listeners.forEach(function (listener) { listener(number, how); });
  }
  function move(position) {
    if (!shown.length) { return; }
    select(shown[Math.max(0, Math.min(position, shown.length - 1))]);
  }

  var kinds = new Map();
  data.clashes.forEach(function (c) { kinds.set(c.k, (kinds.get(c.k) || 0) + 1); });
  if (kinds.size > 1) {
    kinds.forEach(function (number, kind) {
      var label = make('label');
      var check = make('input');
      check.type = 'checkbox';
      check.value = kind;
      check.defaultChecked = true;
      label.append(check, kind + ' ' + number);
      form.insertBefore(label, document.getElementById('filters-end'));
    });
  }
  tall.className = 'tall';
  box.append(tall);
  work.hidden = false;
  document.body.classList.add('work');
  document.getElementById('without-script').hidden = true;
  form.addEventListener('input', filter);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('reset', function () { setTimeout(filter, 0); });
  var waiting = false;
  box.addEventListener('scroll', function () {
    if (waiting) { return; }
    waiting = true;
    requestAnimationFrame(function () { waiting = false; draw(); });
  });
  box.addEventListener('click', function (event) {
    var row = event.target.closest('.row');
    if (row) { select(Number(row.dataset.issue)); }
  });
  new ResizeObserver(function () {
    rowHeight = 0;
    layOut();
  }).observe(box);
  box.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    var at = shown.indexOf(selected);
    var page = Math.max(1, Math.floor(box.clientHeight / height()) - 1);
    var places = {ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1,
                  PageDown: at + page, PageUp: at - page,
                  Home: 0, End: shown.length - 1};
    if (event.key in places) {
      event.preventDefault();
      move(places[event.key]);
    }
  });
  document.addEventListener('click', function (event) {
    var cell = event.target.closest('[data-show-group]');
    if (!cell) { return; }
    form.elements.group.value = data.groups[Number(cell.dataset.showGroup)];
    filter();
    work.scrollIntoView();
  });

  window.orboxPage = {
    data: data, make: make, select: select, draw: draw, filter: filter,
    filesOf: filesOf, statusOf: statusOf, isDone: isDone, bodiesOf: bodiesOf, whereOf: whereOf,
    worstOf: worstOf, unique: unique,
    selected: function () { return selected; },
    shown: function () { return shown; },
    refill: function (name) {
      facets.forEach(function (f) { if (f.name === name) { fill(f); } });
    },
    onSelect: function (listener) { listeners.push(listener); }
  };
  filter();
})();
)js";

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_LIST_SCRIPT_H_
