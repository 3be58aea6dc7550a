import { domainToUnicode } from 'node:url';
import { parseUrl } from '../../lib/http/addresses.ts';

/** Where a website is, without what does not distinguish websites. */
export interface Website {
  /** In lower case, without `www.`; international names in their ASCII form. */
  readonly host: string;
  /** In lower case, without a final slash: empty, or such as `/us/app`. */
  readonly path: string;
}

/** A URL or host that needs no parser, as nearly all do. */
const PLAIN = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z\d-]+\.)+[a-z]{2,})((?:\/[\w~-][\w.~-]*)*)\/?$/i;
const SCHEME = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
/** Not of a host such as www.com. */
const WWW = /^www\.(?=.+\.)/;

/**
 * Reads the URL of a website, or its host with or without a path. Scheme, `www.`, port, query, fragment and case are
 * ignored, and so is a final slash.
 *
 * @returns undefined for a text without a host.
 */
export function readWebsite(text: string): Website | undefined {
  const [, plainHost, plainPath] = PLAIN.exec(text) ?? [];
  if (plainHost !== undefined && plainPath !== undefined) {
    return { host: plainHost.toLowerCase(), path: plainPath.toLowerCase() };
  }
  const address = `https://${text.trim().replace(SCHEME, '')}`;
  // A parser of URLs would take the first name of a path for a host.
  const url = /^https:\/\/[/\\]/.test(address) ? undefined : parseUrl(address);
  if (url === undefined) {
    return undefined;
  }
  const { hostname, pathname, username, password } = url;
  const host = hostname.replace(/\.$/, '').replace(WWW, '');
  return host === '' || username !== '' || password !== ''
    ? undefined
    : { host, path: pathname.replace(/(?<!\/)\/+$/, '').toLowerCase() };
}

/** What people call a website: its host without the last label, such as `acme` of acme.io. */
export function siteName({ host }: Website): string {
  const name = host.slice(0, Math.max(0, host.lastIndexOf('.')));
  return name.includes('xn--') ? domainToUnicode(name) : name;
}

/** A website as the text that {@link readWebsite} reads as the same. */
export function writeWebsite({ host, path }: Website): string {
  return host + path;
}
