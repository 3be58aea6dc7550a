/**
 * The styles of all elements. Colors follow the page's text, so that they fit light and dark pages, unless `theme` sets
 * them. Whatever else texts would inherit from a page is reset, but not what hides an element. A constructed sheet needs no
 * permission of a content policy. Charts run from left to right on every page, since their line does.
 */
const css = `
:host {
  --text: var(--revgate-text, currentColor);
  --line: var(--revgate-line, color-mix(in srgb, currentColor 18%, transparent));
  --row: var(--revgate-row-height, 40px);
  display: block;
  position: relative;
  max-width: 100%;
  color: inherit;
}
:host([hidden]) { display: none }
:host([theme='light']) { color-scheme: light; color: #17211c; --own: #fff }
:host([theme='dark']) { color-scheme: dark; color: #e6ece9; --own: #18201c }
.root {
  all: initial;
  --accent: var(--revgate-accent, var(--chosen-accent, color-mix(in srgb, currentColor 20%, #0f8f63)));
  display: block;
  box-sizing: border-box;
  background: var(--revgate-background, var(--own, transparent));
  color: inherit;
  color-scheme: inherit;
  cursor: inherit;
  direction: inherit;
  pointer-events: inherit;
  visibility: inherit;
  font: 15px/1.4 var(--revgate-font, system-ui, sans-serif);
}
:host([theme]) .root { padding: 11px 15px 3px; border: 1px solid var(--line); border-radius: var(--revgate-radius, 8px) }
.frame { position: relative; color: var(--text) }
.frame:has(> .message:not(:empty)) > :first-child { visibility: hidden }
.message { position: absolute; inset: 0; display: grid; place-content: center; margin: 0; padding: 0 16px; border: 1px solid var(--line); border-radius: var(--revgate-radius, 8px); text-align: center; unicode-bidi: plaintext }
.message:empty { display: none }
.footer { display: flex; justify-content: space-between; gap: 16px; height: 32px; margin: 0; font-size: 13px; line-height: 32px; white-space: nowrap; overflow: hidden }
.footer > * { overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; direction: ltr }
a { color: inherit; text-underline-offset: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
.list { container-type: inline-size; min-height: calc(var(--row) * (var(--rows) + 1) + 14px) }
.list.empty { background: repeating-linear-gradient(transparent 0 calc(var(--row) - 1px), var(--line) 0 var(--row)) }
.scroll { overflow-x: auto }
.scroll.more { mask-image: linear-gradient(to left, transparent, #000 var(--cut, 48px)) }
.scroll.more:dir(rtl) { mask-image: linear-gradient(to right, transparent, #000 var(--cut, 48px)) }
table { width: 100%; border-spacing: 0; font-variant-numeric: tabular-nums }
th, td { box-sizing: border-box; height: var(--row); max-width: 18em; padding: 0 10px; border-bottom: 1px solid var(--line); text-align: start; white-space: nowrap }
th { font-weight: 600 }
.number { text-align: end }
.wide tr > :first-child { position: sticky; inset-inline-start: 0; z-index: 1; background: var(--behind) }
@container (max-width: 30em) {
  table { font-size: 14px }
  th, td { padding: 0 8px }
  thead bdi { max-height: var(--row); line-height: 1.2; white-space: normal }
  .wide tr > :first-child { max-width: 9.5em }
  .scroll { --cut: 24px }
}
.old { opacity: .7 }
.figures { container-type: inline-size; min-height: 76px }
.figures dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(10em, 100%), 1fr)); gap: 12px; margin: 0 }
.figures dl > div { box-sizing: border-box; height: 76px; padding: 12px 14px; border: 1px solid var(--line); border-radius: var(--revgate-radius, 8px); overflow: hidden; white-space: nowrap }
dt { font-size: 13px }
dd { margin: 0; font-size: 22px; font-weight: 650; font-variant-numeric: tabular-nums }
dt > bdi, dd > bdi, th > bdi, td > bdi { display: block; overflow: hidden; text-overflow: ellipsis; text-align: match-parent }
@container (max-width: 41em) {
  .few dl { grid-template-columns: 1fr; grid-auto-rows: 1fr; gap: 0 20px; height: 76px }
  .few dl:has(> :nth-child(3)) { grid-template-columns: 1fr 1fr }
  .few dl > div { display: flex; align-items: center; justify-content: space-between; gap: 8px; height: auto; padding: 0; border-width: 0 0 1px; border-radius: 0 }
  .few dt { min-width: 0; line-height: 1.2; white-space: normal }
  .few dt > bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
  .few dd { flex: none; font-size: inherit }
}
.chart { height: var(--revgate-chart-height, 220px) }
.chart > div { direction: ltr; display: grid; grid-template: 18px 44px 1fr 22px / auto 1fr; column-gap: 10px; height: 100%; font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap }
.chart p { grid-column: 1 / -1; margin: 0; overflow: hidden; text-overflow: ellipsis }
.chart b { font-size: 20px; font-weight: 650; line-height: 26px }
.chart .scale { grid-area: 3 / 1; display: flex; flex-direction: column; justify-content: space-between; margin: -6px 0; line-height: 12px; text-align: right }
.chart .days { grid-area: 4 / 2; display: flex; justify-content: space-between; line-height: 26px }
.chart .days > :only-child { margin: auto }
.chart svg { grid-area: 3 / 2; width: 100%; height: 100%; min-height: 0; overflow: visible }
.grid { fill: none; stroke: var(--line); vector-effect: non-scaling-stroke }
.line { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke }
.point { stroke-width: 9; stroke-linecap: round }
.area { fill: var(--accent); opacity: 0.12 }
`;

let style: CSSStyleSheet | undefined;

/** The one sheet of all elements, made with the first of them: a server that imports this file has no sheets. */
export function createStyle(): CSSStyleSheet {
  if (style === undefined) {
    style = new CSSStyleSheet();
    style.replaceSync(css);
  }
  return style;
}
