// SPDX-License-Identifier: Apache-2.0

// The style sheet of reports: light or dark by the reader's system, narrow on a
// phone, black on white on paper.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_STYLE_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_STYLE_H_

#include <string_view>

namespace orbox::report {

// Contains no < and &, so that the text is valid in both HTML and XML.
inline constexpr std::string_view kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --ink: #1d2733; --faint: #5b6875; --line: #d8dee4; --paper: #ffffff;
  --card: #f5f7f9; --good: #00714f; --bad: #c22f08; --chosen: #dcebf7;
  --focus: #0072b2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e9ee; --faint: #9aa7b4; --line: #37424d; --paper: #14191f;
    --card: #1d242c; --good: #3fc596; --bad: #ff7a52; --chosen: #21384b;
    --focus: #56b4e9;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 62rem;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans",
    sans-serif;
  color: var(--ink); background: var(--paper);
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 0.75rem; }
p { margin: 0.5rem 0; }
.faint, figcaption, footer { color: var(--faint); font-size: 0.9rem; }
.verdict {
  display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0;
}
.fact {
  flex: 1 1 11rem; padding: 0.75rem 1rem; border-radius: 0.5rem;
  background: var(--card); border: 1px solid var(--line);
}
.fact b {
  display: block; font-size: 1.45rem; line-height: 1.3;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
.work .fact { padding: 0.5rem 0.9rem; font-size: 0.92rem; }
.work .fact b { font-size: 1.15rem; }
.work .verdict { margin: 0.75rem 0; }
.work h2 { margin-top: 1.25rem; }
.good b { color: var(--good); }
.bad b { color: var(--bad); }
.pictures { display: grid; gap: 1rem; }
@media (min-width: 52rem) { .pictures.two { grid-template-columns: 1fr 1fr; } }
figure + p, .pictures + .wide { margin-top: 1rem; }
figure {
  margin: 0; padding: 0.75rem; border: 1px solid var(--line);
  border-radius: 0.5rem; break-inside: avoid;
}
img { display: block; width: 100%; height: auto; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--faint); font-size: 12px; font-variant-numeric: tabular-nums; }
svg rect { stroke: var(--ink); stroke-opacity: 0.25; stroke-width: 0.75; }
svg .grid { stroke: var(--line); }
svg .axis { stroke: var(--faint); }
.key {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: center;
  margin: 0.75rem 0; font-size: 0.9rem;
}
.key span { display: inline-flex; align-items: center; gap: 0.45rem; }
.key i {
  display: inline-block; width: 1rem; height: 1rem; border-radius: 0.2rem;
  border: 1px solid var(--line); print-color-adjust: exact;
  -webkit-print-color-adjust: exact;
}
.key i.scale { width: 9rem; }
.wide { overflow-x: auto; }
.wide svg { min-width: 36rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td {
  padding: 0.3rem 0.6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line);
}
tbody th { width: 11.5rem; font-weight: 600; }
thead th { color: var(--faint); font-weight: 600; }
td.n, th.n {
  text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
}
td.names { min-width: 10rem; overflow-wrap: anywhere; }
td.points { min-width: 16rem; }
td.exact, td.points { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
form {
  display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; align-items: center;
  padding: 0 0 0.6rem;
}
input, select, textarea, button {
  font: inherit; font-size: 0.92rem; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.25rem 0.6rem;
  min-width: 0;
}
button { cursor: pointer; }
button.unsaved { border-color: var(--bad); color: var(--bad); font-weight: 600; }
form input[type=search] { flex: 1 1 100%; }
form select { flex: 0 1 9rem; }
form label { display: inline-flex; gap: 0.35rem; align-items: center; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
select[hidden], #work[hidden], #model[hidden], #details[hidden],
#without-script[hidden] { display: none; }
#issues {
  height: 60vh; overflow-y: auto; border: 1px solid var(--line);
  border-radius: 0.5rem; overscroll-behavior: contain;
}
.tall { position: relative; }
.row {
  position: absolute; left: 0; right: 0; display: flex; gap: 0.6rem;
  align-items: center; padding: 0.3rem 0.75rem; cursor: pointer;
  border-bottom: 1px solid var(--line); overflow: hidden;
}
.row[aria-selected=true] { background: var(--chosen); }
.row .number { flex: none; min-width: 1.6rem; font-variant-numeric: tabular-nums; }
.row .main { flex: 1; min-width: 0; }
.row .main > span {
  display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.row .title {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
  overflow: hidden; font-weight: 600; font-size: 0.95rem; line-height: 1.3;
  overflow-wrap: anywhere;
}
.row.done .title { font-weight: 400; color: var(--faint); text-decoration: line-through; }
.row .marks { flex: none; display: flex; flex-direction: column; gap: 0.2rem; align-items: end; }
.saving { flex-wrap: wrap; align-items: center; margin-top: 0.6rem; }
.saving input { width: 9rem; }
.stage {
  height: 38vh; overflow: hidden; border: 1px solid var(--line);
  border-radius: 0.5rem; background: var(--card);
}
.stage canvas { display: block; width: 100%; height: 100%; cursor: grab; }
#model { min-width: 0; padding-bottom: 0.4rem; }
#model p { align-items: center; }
#model label { display: inline-flex; gap: 0.35rem; align-items: center; white-space: nowrap; }
#model output { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#details {
  border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.75rem;
  background: var(--paper);
}
#details h3 { font-size: 1.05rem; margin: 0.4rem 0; overflow-wrap: anywhere; }
#details p { margin: 0 0 0.25rem; }
#details .close { margin-left: auto; line-height: 1; }
#details img {
  float: right; width: 40%; max-width: 15rem; margin: 0.5rem 0 0.5rem 0.75rem;
  border-radius: 0.35rem; background: var(--card);
}
#details .body, #details dl { clear: both; }
#details .key { margin: 0.5rem 0 0; font-size: 1rem; overflow-wrap: anywhere; }
#details .key span { align-items: baseline; }
#details .key i { flex: none; position: relative; top: 0.15em; }
#details .properties { margin-left: 1.45rem; overflow-wrap: anywhere; }
#details dl { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; margin: 0.6rem 0 0; }
#details dl div { display: flex; gap: 0.4rem; }
#details dt { color: var(--faint); }
#details dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
#details ol { margin: 0.5rem 0 0; padding-left: 1.8rem; font-size: 0.92rem; }
#details ol button {
  border: 0; background: none; padding: 0.1rem 0.3rem; text-align: left;
  vertical-align: top;
  overflow-wrap: anywhere;
}
#details ol button.chosen { background: var(--chosen); }
ol.clashes { max-height: 14rem; overflow-y: auto; }
.decision { display: flex; flex-wrap: wrap; gap: 0.4rem 0.8rem; margin: 0.5rem 0; }
.decision blockquote {
  flex: 1 1 100%; margin: 0; padding: 0.3rem 0.7rem; border-left: 3px solid var(--line);
  white-space: pre-line; overflow-wrap: anywhere;
}
.saying { flex: 1 1 100%; display: flex; gap: 0.5rem; align-items: end; }
.saying textarea { flex: 1; }
@media (min-width: 64rem) {
  body.work { max-width: 100rem; }
  .beside {
    display: grid; gap: 0 1.25rem;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr);
  }
  #issues { height: calc(100vh - 13.5rem); min-height: 22rem; }
  .side {
    display: flex; flex-direction: column; height: calc(100vh - 2rem);
    min-height: 30rem; position: sticky; top: 1rem;
  }
  .side #model { flex: 1 1 50%; display: flex; flex-direction: column; min-height: 12rem; }
  .side .stage { flex: 1; height: auto; min-height: 0; }
  .side #details { flex: 0 1 auto; max-height: 55%; overflow-y: auto; }
}
.what { display: flex; gap: 0.5rem; align-items: baseline; }
.badge {
  border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.6rem;
  font-size: 0.85rem; font-weight: 600;
}
.badge.clash, .badge.inside, .badge.duplicate, .badge.High { color: var(--bad); }
.badge.Low { color: var(--faint); font-weight: 400; }
.badge.done { color: var(--good); }
.matrix { width: auto; font-size: 0.85rem; }
.matrix th { width: auto; white-space: nowrap; padding: 0.2rem 0.4rem; }
.matrix td { border: 1px solid var(--line); min-width: 1.9rem; padding: 0.2rem 0.3rem; }
summary { cursor: pointer; color: var(--faint); margin: 0.5rem 0; }
@media (max-width: 40rem) {
  .matrix th:first-child {
    min-width: 8rem; white-space: normal; overflow-wrap: anywhere;
    position: sticky; left: 0; background: var(--paper);
  }
}
.matrix a { color: var(--bad); text-decoration: none; font-weight: 600; }
[data-show-group] { cursor: pointer; }
@media (max-width: 63.99rem) {
  .beside { display: flex; flex-direction: column; gap: 0.75rem; }
  .side { display: contents; }
  #model { order: -1; position: sticky; top: 0; z-index: 2; background: var(--paper); }
  .stage { height: 30vh; }
  #details {
    position: fixed; left: 0; right: 0; bottom: 0; max-height: 62vh; z-index: 3;
    overflow-y: auto; border-radius: 0.75rem 0.75rem 0 0;
    box-shadow: 0 -0.3rem 1.5rem rgba(0, 0, 0, 0.35);
  }
}
@media (max-width: 36rem) {
  body { padding: 1rem 0.75rem 2rem; }
  .fact { flex: 1 1 8rem; padding: 0.5rem 0.75rem; }
  form select { flex: 1 1 8rem; }
  .row { padding: 0.3rem 0.5rem; gap: 0.4rem; }
  .row .title { -webkit-line-clamp: 3; }
  .row .main > span {
    display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
    white-space: normal; line-height: 1.3;
  }
  .keys { display: none; }
}
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 0.75rem; }
@media print {
  :root {
    --ink: #000; --faint: #444; --line: #bbb; --paper: #fff; --card: #fff;
    --good: #00573d; --bad: #a02000;
  }
  body { padding: 0; font-size: 10pt; max-width: none; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  .pictures.two { grid-template-columns: 1fr 1fr; }
  #work { display: none; }
  #without-script[hidden] { display: block; }
}
)css";

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_STYLE_H_
