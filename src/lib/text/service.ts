import { readFileSync, statSync } from 'node:fs';
import { cannotRead, OperatorError } from '../errors.ts';
import type { Accent } from './accent.ts';

/** What an operator's service shows of itself: in pages, emails, OpenAPI, GraphiQL and the snippets of elements. */
export interface Service {
  readonly name: string;
  readonly logo?: Logo | undefined;
  readonly contact?: string | undefined;
  readonly accent?: Accent | undefined;
  /** Whether the first page shows none of its startups. */
  readonly hidesRows?: boolean;
}

interface Logo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly content: Buffer;
}

/** The name of the program, which is that of a service unless SERVICE_NAME is set. */
export const PROGRAM = 'revgate';

/** A service of which nothing is set. */
export const DEFAULT_SERVICE: Service = { name: PROGRAM };

/** The email address of a contact; undefined if it is a URL. */
export function emailOf(contact: string | undefined): string | undefined {
  return contact === undefined || /^https?:/i.test(contact) ? undefined : contact;
}

export function contactUrl(contact: string): string {
  const email = emailOf(contact);
  return email === undefined ? contact : `mailto:${email}`;
}

const LOGO_MAX = 256 * 1024;
/** What an SVG may have before its first element; a byte order mark is a space. */
const BEFORE_ELEMENTS = /<!--[\s\S]*?-->|<\?[\s\S]*?>|<!doctype[^>]*>/gi;
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Reads what the settings say of the service.
 *
 * @param resolve the path of a file that was named relative to the current directory.
 * @throws OperatorError if the logo cannot be read, or is no image.
 */
export function loadService(
  { logoFile, ...rest }: Omit<Service, 'logo'> & { readonly logoFile: string | undefined },
  resolve: (file: string) => string,
): Service {
  return logoFile === undefined ? rest : { ...rest, logo: readLogo(logoFile, resolve(logoFile)) };
}

function readLogo(name: string, path: string): Logo {
  let content: Buffer;
  try {
    // Of a huge file, nothing is read.
    content = statSync(path).size > LOGO_MAX ? Buffer.alloc(LOGO_MAX + 1) : readFileSync(path);
  } catch (error) {
    throw cannotRead(name, error);
  }
  if (content.length > LOGO_MAX) {
    throw new OperatorError(`SERVICE_LOGO: ${name} is larger than 256 kB. Use a smaller image.`);
  }
  if (content.subarray(0, PNG_START.length).equals(PNG_START)) {
    return { type: 'image/png', content };
  }
  if (/^\s*<svg[\s>]/i.test(content.toString('utf8').replace(BEFORE_ELEMENTS, ''))) {
    return { type: 'image/svg+xml', content };
  }
  throw new OperatorError(`SERVICE_LOGO: ${name} is neither an SVG nor a PNG image.`);
}
