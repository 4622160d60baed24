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
  --card: #f5f7f9; --good: #00714f; --bad: #c22f08;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e9ee; --faint: #9aa7b4; --line: #37424d; --paper: #14191f;
    --card: #1d242c; --good: #3fc596; --bad: #ff7a52;
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
  display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center;
  position: sticky; top: 0; z-index: 1; padding: 0.6rem 0;
  background: var(--paper); border-bottom: 1px solid var(--line);
}
form[hidden], .found[hidden] { display: none; }
button {
  font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.2rem 0.6rem;
}
#model {
  position: sticky; top: 0; z-index: 2; background: var(--paper);
  padding-bottom: 0.25rem; align-self: start; min-width: 0;
}
#model[hidden] { display: none; }
#model label { display: inline-flex; gap: 0.35rem; align-items: center; white-space: nowrap; }
#model output { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.stage {
  height: 42vh; overflow: hidden; border: 1px solid var(--line);
  border-radius: 0.5rem; background: var(--card);
}
.stage canvas { display: block; width: 100%; height: 100%; cursor: grab; }
.beside.two .found { cursor: pointer; }
.beside.two form { position: static; }
.beside.two .found { scroll-margin-top: 52vh; }
.found.selected { outline: 2px solid #0072b2; outline-offset: 1px; }
@media (min-width: 64rem) {
  body.work { max-width: 100rem; }
  .beside.two {
    display: grid; gap: 0 1.25rem;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr);
  }
  .beside.two form { position: sticky; }
  .beside.two .found { scroll-margin-top: 9rem; }
  #model { order: 2; padding-top: 0.6rem; }
  .stage { height: calc(100vh - 5.5rem); min-height: 20rem; }
}
form input[type=search] { flex: 1 1 14rem; min-width: 0; }
form input[type=search], form select, form button {
  font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.3rem 0.6rem;
}
form select { max-width: 100%; flex: 0 1 16rem; min-width: 0; }
form label { display: inline-flex; gap: 0.35rem; align-items: center; }
.clashes { display: grid; gap: 0.75rem; margin-top: 0.75rem; }
.found {
  display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr);
  gap: 0.25rem 1rem; padding: 0.75rem; border: 1px solid var(--line);
  border-radius: 0.5rem; break-inside: avoid;
}
.found img { border-radius: 0.35rem; background: var(--card); cursor: zoom-in; }
.found.large { grid-template-columns: minmax(0, 1fr); }
.found.large img { cursor: zoom-out; }
.found.plain { grid-template-columns: minmax(0, 1fr); }
.found p { margin: 0 0 0.25rem; }
.found .key { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
.found .key span { align-items: baseline; }
.found .key i { flex: none; position: relative; top: 0.15em; }
.found .properties { margin-left: 1.45rem; overflow-wrap: anywhere; }
.found dl { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; margin: 0.25rem 0 0; }
.found dl div { display: flex; gap: 0.4rem; }
.found dt { color: var(--faint); }
.found dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.found ol { margin: 0; padding-left: 1.6rem; font-size: 0.9rem; overflow-wrap: anywhere; }
.what { display: flex; gap: 0.5rem; align-items: baseline; }
.badge {
  border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.6rem;
  font-size: 0.85rem; font-weight: 600;
}
.badge.clash, .badge.inside, .badge.duplicate { color: var(--bad); }
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
@media (max-width: 36rem) {
  .found { grid-template-columns: minmax(0, 1fr); }
  form { position: static; }
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
  form, #model { display: none; }
}
)css";

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_STYLE_H_
