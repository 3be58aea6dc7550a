import { readFileSync } from 'node:fs';
import { WASH } from '../../lib/text/accent.ts';
import { digestOf } from '../../lib/text/digest.ts';
import { PROGRAM, type Service } from '../../lib/text/service.ts';
import type { PublicFile } from './static-files.ts';

/** Read at start: later there may be no file descriptor left. */
const MARK = readFileSync(new URL('../../../assets/mark.svg', import.meta.url));

/** What the pages of a service load of it, under names that change with the content; undefined: that of the program. */
export interface Brand {
  readonly name: string;
  /** The URL of the logo. */
  readonly logo: string;
  readonly logoType: string;
  /** The URL of the style sheet that sets the accent. */
  readonly style: string | undefined;
  readonly contact: string | undefined;
  /** Whether the name is another one than that of the program. */
  readonly isNamed: boolean;
}

/** What pages need to know of a service. */
export function brandOf(service: Service): Brand {
  const { name, logo, contact } = service;
  const style = accentStyle(service);
  return {
    name,
    logo: logo === undefined ? '/favicon.svg' : `/logo?v=${digestOf(logo.content)}`,
    logoType: logo?.type ?? 'image/svg+xml',
    style: style && `/accent.css?v=${digestOf(style)}`,
    contact,
    isNamed: name !== PROGRAM,
  };
}

/** The logo and the style sheet. Whatever an image contains, a browser that opens it runs and loads nothing. */
export function brandFiles(service: Service): readonly PublicFile[] {
  const { logo } = service;
  const style = accentStyle(service);
  const headers = { 'Cache-Control': 'public, max-age=86400' };
  const sandbox = {
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  const mark = { type: 'image/svg+xml', content: MARK, headers };
  return [
    ...(logo === undefined
      ? []
      : [{ path: '/logo', type: logo.type, content: logo.content, headers: { ...headers, ...sandbox } }]),
    ...(style === undefined
      ? []
      : [{ path: '/accent.css', type: 'text/css; charset=utf-8', content: style, headers }]),
    { ...mark, path: '/favicon.svg' },
    // Browsers request it on their own.
    { ...mark, path: '/favicon.ico' },
  ];
}

/** Replaces the colors of shell.css that belong to the accent. */
function accentStyle({ accent }: Service): string | undefined {
  if (accent === undefined) {
    return undefined;
  }
  const { light, dark } = accent;
  const mixed = (part: number, withLight: string, withDark: string): string =>
    `light-dark(color-mix(in srgb, ${light} ${part}%, ${withLight}), color-mix(in srgb, ${dark} ${part}%, ${withDark}))`;
  return `:root {
  --accent: light-dark(${light}, ${dark});
  --accent-strong: ${mixed(80, 'black', 'white')};
  --on-accent: light-dark(#ffffff, #101214);
  --wash: ${mixed(WASH * 100, '#ffffff', '#191c1e')};
}
`;
}
