/** What a badge says. None of it is a text of a record. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  /** The color behind the message, on which white can be read, such as #2e7d32. */
  readonly color: string;
  /** The whole in words. */
  readonly title: string;
}

/** Colors behind the label. */
export const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const LIGHT = '#555';
const DARK = '#3d444d';

/** Widths of the characters of badges in Verdana of 11 pixels; `textLength` fits other fonts into them. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ['il', 3],
  ["fjt ,.'", 4],
  ['r()-', 4.8],
  ['cszI', 5.8],
  ['m', 10.7],
  ['w+MW', 9.2],
  ['R', 7.6],
  ['%', 11.8],
];
const USUAL_WIDTH = 6.9;

function widthOf(text: string): number {
  const widths = [...text].map((one) => WIDTHS.find(([all]) => all.includes(one))?.[1] ?? USUAL_WIDTH);
  return Math.round(widths.reduce((sum, width) => sum + width, 0));
}

/** A badge of 20 pixels, with the proportions of those of shields.io. */
export function drawBadge({ label, message, color, title }: Badge, theme: Theme): string {
  const [left, right] = [label, message].map((text) => widthOf(text) + 10) as [number, number];
  const width = left + right;
  const fill = theme === 'dark' ? DARK : LIGHT;
  const style =
    theme === 'auto' ? `<style>@media(prefers-color-scheme:dark){.label{fill:${DARK}}}</style>` : '';
  const text = (words: string, from: number, size: number): string => {
    const place = `x="${from + size / 2}" textLength="${size - 10}"`;
    return `<text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${words}</text><text ${place} y="14">${words}</text>`;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}">`,
    `<title>${title}</title>${style}`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect class="label" width="${left}" height="20" fill="${fill}"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${color}"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    `${text(label, 0, left)}${text(message, left, right)}</g></svg>`,
  ].join('');
}
