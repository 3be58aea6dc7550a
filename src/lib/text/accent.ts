/** The color of links and buttons on light and on dark pages, `#rrggbb`. */
export interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** The backgrounds of pages, as in assets/shell.css. */
const pages = { light: '#ffffff', dark: '#191c1e' } as const;

/** The contrast that WCAG 2.2 requires of text. https://www.w3.org/TR/WCAG22/#contrast-minimum */
export const MIN_CONTRAST = 4.5;
/** The part of the accent in the background of what is chosen, as in `accentStyle`. */
export const WASH = 0.1;

/**
 * Reads an accent: one color, which is lightened for dark pages, or two, for light and dark pages.
 *
 * @returns undefined if it is no such text, or the contrast is too low.
 */
export function parseAccent(text: string): Accent | undefined {
  const colors = text.split(',').map((color) => color.trim().toLowerCase());
  const [light, dark = light && lighten(light)] = colors;
  if (colors.length > 2 || light === undefined || dark === undefined || ![light, dark].every(isColor)) {
    return undefined;
  }
  return isReadable(light, pages.light) && isReadable(dark, pages.dark) ? { light, dark } : undefined;
}

/** On the page, and on a background that has a part of the color. */
function isReadable(color: string, page: string): boolean {
  return [page, mix(page, color, WASH)].every((background) => contrast(color, background) >= MIN_CONTRAST);
}

/** The same hue, as light as dark pages need. */
function lighten(color: string): string | undefined {
  const steps = Array.from({ length: 21 }, (_, step) => step / 20);
  return isColor(color)
    ? steps.map((part) => mix(color, '#ffffff', part)).find((lighter) => isReadable(lighter, pages.dark))
    : undefined;
}

const isColor = (text: string): boolean => /^#[\da-f]{6}$/.test(text);

const channels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

/** Mixes colors as `color-mix(in srgb, …)` does. */
function mix(from: string, to: string, part: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
