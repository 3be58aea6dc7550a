import { quote } from '../../lib/errors.ts';
import { hostOf, isLoopback, parseUrl } from '../../lib/http/addresses.ts';

const ORIGINS_MAX = 20;
/** The longest name of a host is 253 characters. */
const LENGTH_MAX = 270;

/**
 * Names of hosts, and addresses. URLs may have other signs, which no site has: those that people write between or around
 * sites, and a wildcard, which would have no meaning, as origins are compared literally.
 */
const HOST = /^(?:\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)$/;

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
    HOST.test(url.hostname) &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(hostOf(text))))
  );
}

/** What is wrong with an origin; undefined if it is valid. */
function findOriginError(text: string): string | undefined {
  if (isOrigin(text)) {
    return undefined;
  }
  const meant = parse(text)?.origin;
  const hint = meant !== undefined && meant !== text && isOrigin(meant) ? ` (did you mean ${meant}?)` : '';
  return `Origin: got ${quote(text)}, allowed: ${ALLOWED}${hint}.`;
}

/** A site as people write it. A host may have letters of any alphabet, a port, and no other part that a key depends on. */
const ALLOWED_SITE =
  'a domain such as example.com, which is https with and without www, or an address with https, or with http on this ' +
  'machine, such as https://example.com/blog, of which only https://example.com counts';

/** What sites mean that people have typed, and what is wrong with the others. */
interface ReadSites {
  readonly origins: readonly string[];
  readonly errors: readonly string[];
  /** Whether each one is exactly an origin. If not, people should see what was made of it. */
  readonly isExact: boolean;
}

/**
 * Reads the sites of an embed key as people write them, separated by spaces, commas or lines: `example.com` means https with
 * and without www, and an address with a path the origin of it.
 */
export function readSites(text: string): ReadSites {
  const sites = text.split(/[\r\n]+/).flatMap(sitesIn);
  const read = sites.map((site) => ({ site, origins: originsOf(site) }));
  return {
    origins: [...new Set(read.flatMap(({ origins }) => origins))],
    errors: read
      .filter(({ origins }) => origins.length === 0)
      .map(({ site }) => `Site: got ${quote(site)}, allowed: ${ALLOWED_SITE}.`),
    isExact: sites.every(isOrigin),
  };
}

/** The sites in a line; one that has something else is wrong as a whole. */
function sitesIn(line: string): readonly string[] {
  const words = line.split(/[\s,]+/).filter((word) => word !== '');
  return words.every((word) => originsOf(word).length > 0) ? words : [line.trim()];
}

/** The origins that a site means; none for a text that is no site. */
function originsOf(site: string): readonly string[] {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(site);
  const url = parse(hasScheme ? site : `https://${site}`);
  // Neither what looks like an email address, nor several sites, of which a host could have the commas.
  if (url === undefined || url.username !== '' || url.password !== '' || /[\s,]/.test(site)) {
    return [];
  }
  const meant = hasScheme ? [url.origin] : originsOfHost(url);
  return meant.every(isOrigin) ? meant : [];
}

/** The origins of a host without a scheme, which the URL has as https. */
function originsOfHost({ origin, host, hostname, href }: URL): readonly string[] {
  if (isLoopback(hostOf(href))) {
    return [`http://${host}`];
  }
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) {
    return [origin];
  }
  // A word is no site, also where www. is before it.
  return hostname.includes('.')
    ? ['', 'www.'].map((www) => `https://${www}${host.replace(/^www\.(?=.*\.)/, '')}`)
    : [];
}

function parse(text: string): URL | undefined {
  return text.length <= LENGTH_MAX ? parseUrl(text) : undefined;
}
