// SPDX-License-Identifier: Apache-2.0

// The script of the issue that is selected on a page of clashes: its clashes,
// bodies and measures, and what people decide about it. Decisions are saved as
// a table that `orbox clash --review` reads (tools/report/review.h). Until then
// the browser keeps them, where it can.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_DETAILS_SCRIPT_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_DETAILS_SCRIPT_H_

#include <string_view>

namespace orbox::report {

// Contains no < and &, so that the text is valid in both HTML and XML.
inline constexpr std::string_view kIssueDetailsScript = R"js(
(function () {
  'use strict';
  var page = window.orboxPage;
  if (!page) { return; }
  var data = page.data;
  var make = page.make;
  var details = document.getElementById('details');
  var box = document.getElementById('issues');
  var save = document.getElementById('save');
  var me = document.getElementById('me');
  var STATUSES = ['Open', 'In progress', 'Approved', 'Closed'];
  var KEEP = 'orbox:' + data.run;
  var MOST = 200;  // clashes of an issue that are listed
  var unsaved = new Set();
  var clash = 0;   // the position of the clash shown, in its issue

  // Local storage may be forbidden.
  function kept(key) {
    try { return localStorage.getItem(key); } catch (error) { return null; }
  }
  function keep(key, value) {
    try {
      if (value === null) { localStorage.removeItem(key); }
      if (value !== null) { localStorage.setItem(key, value); }
    } catch (error) { return; }
  }
  function told() {
    save.textContent = unsaved.size
        ? 'save ' + unsaved.size + ' changed' : 'save decisions';
    save.classList.toggle('unsaved', unsaved.size > 0);
  }
  function changed(number) {
    unsaved.add(number);
    var all = {};
    unsaved.forEach(function (n) {
      var issue = data.issues[n];
      all[issue.id] = [issue.st || '', issue.as || '', issue.co || []];
    });
    keep(KEEP, JSON.stringify(all));
    told();
    page.refill('status');
    page.refill('assigned');
    page.draw();
  }
  function decide(number, values) {
    Object.assign(data.issues[number], values);
    changed(number);
    if (number === page.selected()) { show(number); }
  }
  function comment(number, text) {
    var issue = data.issues[number];
    var said = [text, me.value.trim(), new Date().toISOString().slice(0, 19) + 'Z'];
    decide(number, {co: (issue.co || []).concat([said])});
  }

  // A cell of the table. Spreadsheets would compute what begins with = + - @.
  function cell(text) {
    var value = String(text || '');
    if (/^[=+\-@]/.test(value)) { value = "'" + value; }
    return /[",;\t\r\n]/.test(value) ? '"' + value.replace(/"/g, '""') + '"' : value;
  }
  function rowsOf(id, title, status, assigned, comments, clashes, at) {
    var ends = [cell(title), cell(clashes)].concat(at || ['', '', '']).join(',');
    var begin = [cell(id), cell(status), cell(assigned)].join(',');
    return (comments.length ? comments : [['', '', '']]).map(function (said) {
      return [begin, cell(said[0]), cell(said[1]), cell(said[2]), ends].join(',');
    });
  }
  function table() {
    var rows = ['id,status,assigned,comment,author,date,title,clashes,x,y,z'];
    data.issues.forEach(function (issue, number) {
      var comments = issue.co || [];
      var isMarked = [page.statusOf(issue) !== 'Open', issue.as, comments.length,
                      unsaved.has(number)].some(Boolean);
      if (!isMarked) { return; }
      var ids = issue.c.map(function (c) { return data.clashes[c].id.slice(0, 13); });
      rows = rows.concat(rowsOf(issue.id, issue.t, issue.st, issue.as, comments,
                                ids.join(' '), page.worstOf(issue).at));
    });
    data.left.forEach(function (l) {
      rows = rows.concat(rowsOf(l[0], l[1], l[2], l[3], l[4], l[5], l[6]));
    });
    return rows.join('\r\n') + '\r\n';
  }
  save.addEventListener('click', function () {
    var link = make('a');
    link.href = URL.createObjectURL(new Blob(['\ufeff' + table()], {type: 'text/csv'}));
    link.download = 'review.csv';
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
    unsaved.clear();
    keep(KEEP, null);
    told();
  });
  window.addEventListener('beforeunload', function (event) {
    if (unsaved.size) { event.preventDefault(); }
  });

  function bodyOf(number, color) {
    var body = data.bodies[number];
    var part = make('div', 'body');
    var key = make('p', 'key');
    var entry = make('span');
    var mark = make('i');
    mark.style.background = color;
    entry.append(mark, body.t);
    key.append(entry);
    part.append(key);
    var text = (body.n ? [['name', body.n]] : []).concat(body.p || [])
        .filter(function (p) { return p[1]; })
        .map(function (p) { return p[0] + ' ' + p[1]; }).join(' · ');
    if (text) { part.append(make('p', 'faint properties', text)); }
    return part;
  }
  // The element of an issue is shown as its first body.
  function kindOf(issue, one) {
    var text = one.kt || one.k;
    if (one.b !== issue.e) { return text; }
    return text.includes('first') ? text.replace('first', 'second')
        : text.replace('second', 'first');
  }
  function otherOf(issue, one) { return one.a === issue.e ? one.b : one.a; }
  function lineOf(issue, one) {
    var name = typeof issue.e === 'number' ? data.bodies[otherOf(issue, one)].t
        : data.bodies[one.a].t + ' and ' + data.bodies[one.b].t;
    return [name, one.m || one.kt || one.k].join(' · ');
  }
  function clashList(number) {
    var issue = data.issues[number];
    var list = make('ol', 'clashes');
    issue.c.slice(0, MOST).forEach(function (c, i) {
      var line = make('li');
      var button = make('button', i === clash ? 'chosen' : '',
                        lineOf(issue, data.clashes[c]));
      button.type = 'button';
      button.addEventListener('click', function () {
        clash = i;
        page.select(number, {clash: c});
      });
      line.append(button);
      list.append(line);
    });
    if (issue.c.length > MOST) {
      list.append(make('li', 'faint', 'and ' + (issue.c.length - MOST) + ' more'));
    }
    return list;
  }
  function measures(number, one, c) {
    var list = make('dl');
    one.d.forEach(function (measure) {
      var entry = make('div');
      entry.append(make('dt', '', measure[0]), make('dd', '', measure[1]));
      list.append(entry);
    });
    if (!one.c) { return [list]; }
    var places = make('details');
    places.append(make('summary', '', one.c.length === 1 ? '1 place'
        : one.c.length + ' places'));
    var lines = make('ol');
    one.c.forEach(function (place) {
      var button = make('button', 'place', place[0]);
      button.type = 'button';
      button.addEventListener('click', function () {
        page.select(number, {clash: c, at: place[1], r: place[2], keep: true});
      });
      var line = make('li');
      line.append(button);
      lines.append(line);
    });
    places.append(lines);
    return [list, places];
  }
  function labelled(text, field) {
    var label = make('label', '', text);
    label.append(field);
    return label;
  }
  function decisionOf(number) {
    var issue = data.issues[number];
    var part = make('div', 'decision');
    var status = make('select');
    status.id = 'status';
    page.unique(STATUSES.concat(data.issues.map(page.statusOf))).forEach(function (s) {
      var option = make('option', '', s);
      status.append(option);
    });
    status.value = page.statusOf(issue);
    status.addEventListener('change', function () { decide(number, {st: status.value}); });
    var assigned = make('input');
    assigned.id = 'assigned';
    assigned.value = issue.as || '';
    assigned.setAttribute('list', 'people');
    assigned.addEventListener('change', function () {
      decide(number, {as: assigned.value.trim()});
    });
    var people = make('datalist');
    people.id = 'people';
    page.unique(data.issues.map(function (i) { return i.as; })).forEach(function (name) {
      people.append(make('option', '', name));
    });
    part.append(labelled('status ', status), labelled('for ', assigned), people);
    (issue.co || []).forEach(function (said) {
      var entry = make('blockquote');
      entry.append(make('p', '', said[0]));
      entry.append(make('p', 'faint', [said[1], said[2].slice(0, 16).replace('T', ' ')]
          .filter(Boolean).join(', ')));
      part.append(entry);
    });
    var text = make('textarea');
    text.id = 'comment';
    text.rows = 2;
    text.placeholder = 'comment (Ctrl Enter adds it)';
    text.setAttribute('aria-label', 'comment');
    var add = make('button', '', 'add');
    add.type = 'button';
    function addComment() {
      if (text.value.trim()) { comment(number, text.value.trim()); }
    }
    add.addEventListener('click', addComment);
    text.addEventListener('keydown', function (event) {
      if ([event.key === 'Enter', event.ctrlKey || event.metaKey].every(Boolean)) {
        addComment();
        box.focus();
      }
    });
    var line = make('div', 'saying');
    line.append(text, add);
    part.append(line);
    return part;
  }
  function show(number) {
    var issue = data.issues[number];
    details.hidden = !issue;
    if (!issue) { return; }
    var c = issue.c[clash];
    var one = data.clashes[c];
    var head = make('div', 'what');
    head.append(make('b', 'badge ' + issue.p, issue.p),
                make('b', 'badge ' + one.k, kindOf(issue, one)));
    if (one.s) { head.append(make('span', 'badge', one.s)); }
    var close = make('button', 'close', '×');
    close.type = 'button';
    close.setAttribute('aria-label', 'close');
    close.addEventListener('click', function () { page.select(-1); box.focus(); });
    head.append(close);
    var parts = [head];
    var picture = document.querySelector('#pictures [data-issue="' + number + '"] img');
    if (picture) { parts.push(picture.cloneNode()); }
    parts.push(make('h3', '', issue.t));
    var where = [page.whereOf(issue), page.filesOf(issue)].filter(Boolean).join(' · ');
    if (where) { parts.push(make('p', 'where', where)); }
    parts.push(decisionOf(number));
    if (issue.c.length > 1) { parts.push(clashList(number)); }
    var first = one.b === issue.e ? one.b : one.a;
    var second = first === one.a ? one.b : one.a;
    parts.push(bodyOf(first, data.colors[0]), bodyOf(second, data.colors[1]));
    parts = parts.concat(measures(number, one, c));
    details.replaceChildren.apply(details, parts);
  }
  page.onSelect(function (number, how) {
    if (how ? how.keep : false) { return; }
    if (!how) { clash = 0; }
    show(number);
    details.scrollTop = 0;
  });

  // Keys of the list.
  box.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    var number = page.selected();
    if (number === -1) { return; }
    var status = STATUSES[Number(event.key) - 1];
    if (status) { decide(number, {st: status}); }
    if (['c', 'Enter'].includes(event.key)) {
      event.preventDefault();
      document.getElementById('comment').focus();
    }
    if (event.key === 'Escape') { page.select(-1); }
  });
  details.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') { box.focus(); }
  });
  document.addEventListener('keydown', function (event) {
    if (event.target.closest('input, textarea, select')) { return; }
    if (event.key === '/') {
      event.preventDefault();
      document.getElementById('filters').elements.search.focus();
    }
  });

  me.value = kept('orbox:me') || '';
  me.addEventListener('change', function () { keep('orbox:me', me.value); });
  var before = JSON.parse(kept(KEEP) || '{}');
  data.issues.forEach(function (issue, number) {
    var own = before[issue.id];
    if (!own) { return; }
    Object.assign(issue, {st: own[0], as: own[1], co: own[2]});
    unsaved.add(number);
  });
  told();
  page.refill('status');
  page.refill('assigned');
  page.filter();
  page.table = table;
  page.decide = decide;
  page.comment = comment;
})();
)js";

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_DETAILS_SCRIPT_H_
