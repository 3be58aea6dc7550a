/**
 * The styles of all elements. Colours follow the page's text, so that they fit light and dark pages, unless `theme` sets
 * them. What text inherits otherwise, such as the height of lines, is reset. A constructed sheet needs no permission of a
 * content policy. Charts run from left to right on every page, since
 * their line does.
 */
export const style = new CSSStyleSheet();
style.replaceSync(`
:host {
  --text: var(--revgate-text, currentColor);
  --line: var(--revgate-line, color-mix(in srgb, currentColor 18%, transparent));
  --accent: var(--revgate-accent, #0f8f63);
  --row: var(--revgate-row-height, 40px);
  display: block;
  position: relative;
  max-width: 100%;
  color: inherit;
  background: var(--revgate-background, transparent);
  font: var(--revgate-font, 15px/1.4 system-ui, sans-serif);
}
:host([hidden]) { display: none }
:host([theme='light']) { color-scheme: light; color: #17211c; background: var(--revgate-background, #fff) }
:host([theme='dark']) { color-scheme: dark; color: #e6ece9; background: var(--revgate-background, #18201c) }
.frame { position: relative }
.frame { font-style: normal; letter-spacing: normal; line-height: 1.4; text-align: start; text-indent: 0; text-shadow: none; text-transform: none; white-space: normal; word-spacing: normal }
.body { color: var(--text) }
.message { position: absolute; inset: 0; display: grid; place-content: center; margin: 0; padding: 0 16px; text-align: center }
.message:empty { display: none }
.footer { display: flex; justify-content: space-between; gap: 16px; height: 32px; margin: 0; font-size: 13px; line-height: 32px; white-space: nowrap; overflow: hidden }
.footer > * { overflow: hidden; text-overflow: ellipsis }
a { color: inherit; text-underline-offset: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
.list { min-height: calc(var(--row) * (var(--rows) + 1) + 14px) }
.list.empty { background: repeating-linear-gradient(transparent 0 calc(var(--row) - 1px), var(--line) 0 var(--row)) }
.scroll { overflow-x: auto }
table { width: 100%; border-spacing: 0; font-variant-numeric: tabular-nums }
th, td { box-sizing: border-box; height: var(--row); max-width: 18em; padding: 0 10px; border-bottom: 1px solid var(--line); text-align: start; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
th { font-weight: 600 }
.number { text-align: end }
td.number, dd { unicode-bidi: isolate; direction: ltr }
td.number:dir(ltr) { text-align: right }
.old { opacity: .7 }
.figures dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9em, 100%), 1fr)); gap: 12px; margin: 0 }
.figures dl > div { box-sizing: border-box; height: 76px; padding: 12px 14px; border: 1px solid var(--line); border-radius: var(--revgate-radius, 8px); overflow: hidden; white-space: nowrap }
dt { font-size: 13px }
dd { margin: 0; font-size: 22px; font-weight: 650; font-variant-numeric: tabular-nums }
dt, dd { overflow: hidden; text-overflow: ellipsis }
.chart { height: var(--revgate-chart-height, 220px) }
.chart > div { direction: ltr; display: grid; grid-template: 20px 1fr 20px / 1fr auto; height: 100%; font-size: 13px }
.chart span:nth-of-type(even) { justify-self: end }
.chart svg { grid-area: 2 / 1 / 3 / 3; width: 100%; height: 100%; overflow: visible }
.line { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke }
.area { fill: var(--accent); opacity: 0.12 }
`);
