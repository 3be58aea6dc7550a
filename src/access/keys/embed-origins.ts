import { quote } from '../../lib/errors.ts';
import { hostOf, isLoopback, parseUrl } from '../../lib/http/addresses.ts';

const ORIGINS_MAX = 20;
/** The longest name of a host is 253 characters. */
const LENGTH_MAX = 270;

const ALLOWED =
  'scheme://host[:port] as browsers send it, with https, or with http on this machine, such as https://example.com';

export function originErrors(origins: readonly string[]): string[] {
  const errors = origins.flatMap((origin) => findOriginError(origin) ?? []);
  if (origins.length === 0) {
    errors.push('Origins: none given. Enter the origin of each page, such as https://example.com.');
  } else if (origins.length > ORIGINS_MAX) {
    errors.push(`Origins: got ${origins.length}, allowed: 1 to ${ORIGINS_MAX}.`);
  }
  return errors;
}

/** Whether a text is an origin exactly as a browser sends it, with pages that cannot be forged on the network. */
function isOrigin(text: string): boolean {
  const url = parse(text);
  return (
    url !== undefined &&
    url.origin === text &&
    // Compared literally: a wildcard would have no meaning.
    !text.includes('*') &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(hostOf(text))))
  );
}

/** What is wrong with an origin; undefined if it is valid. */
export function findOriginError(text: string): string | undefined {
  if (isOrigin(text)) {
    return undefined;
  }
  const meant = parse(text)?.origin;
  const hint = meant !== undefined && meant !== text && isOrigin(meant) ? ` (did you mean ${meant}?)` : '';
  return `Origin: got ${quote(text)}, allowed: ${ALLOWED}${hint}.`;
}

function parse(text: string): URL | undefined {
  return text.length <= LENGTH_MAX ? parseUrl(text) : undefined;
}
