import { isEmail } from '../../access/accounts/create.ts';
import { parseRedisUrl, REDIS_URL_FORM } from '../../access/limits/redis-address.ts';
import { type Accent, MIN_CONTRAST, parseAccent } from '../../lib/text/accent.ts';

export interface Kind<Value> {
  /** The allowed values, as error messages and the documentation name them. */
  readonly allowed: string;
  /** The value of a text that is not empty; undefined where it is not allowed. */
  parse(text: string): Value | undefined;
  /** Whether errors do not repeat what was given. */
  readonly isSecret?: true;
}

export function integer(min: number, max: number): Kind<number> {
  return {
    allowed: `an integer from ${min} to ${max}`,
    parse(text) {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Kind<Value> {
  return {
    allowed: `one of ${values.join(', ')}`,
    parse: (text) => values.find((value) => value === text),
  };
}

/** @param allowed describes it; any text is accepted. */
export function anyText(allowed: string): Kind<string> {
  return { allowed, parse: (text) => text };
}

/** Any text that nobody may see. */
export const secretText: Kind<string> = { ...anyText('text'), isSecret: true };

/** A random text of one line, long enough that it cannot be guessed. */
export function token(min: number, max: number): Kind<string> {
  const allowed = `${min} to ${max} letters, digits and signs without spaces`;
  return { ...matching(new RegExp(`^[!-~]{${min},${max}}$`), allowed), isSecret: true };
}

export const postgresUrl: Kind<string> = {
  isSecret: true,
  allowed: 'an address such as postgres://user:pw@host:5432/db, its password percent-encoded (@ as %40)',
  parse: (text) => (/^postgres(ql)?:$/.test(protocolOf(text)) ? text : undefined),
};

export const redisUrl: Kind<string> = {
  isSecret: true,
  allowed: REDIS_URL_FORM,
  parse: (text) => (parseRedisUrl(text) === undefined ? undefined : text),
};

export const smtpUrl: Kind<string> = {
  isSecret: true,
  allowed: 'an address such as smtp://user:pw@host:587',
  parse: (text) => (/^smtps?:$/.test(protocolOf(text)) && new URL(text).hostname !== '' ? text : undefined),
};

export const httpOrigin: Kind<string> = {
  allowed: 'an http or https address without user, path, query and fragment',
  parse: (text) =>
    // An address alone: a user, query or fragment would be dropped silently.
    /^https?:\/\/[^/?#@\\]+\/?$/i.test(text) && protocolOf(text) !== '' ? new URL(text).origin : undefined,
};

export const emails: Kind<readonly string[]> = {
  allowed: 'email addresses, separated by commas',
  parse(text) {
    const addresses = text.split(',').map((address) => address.trim().toLowerCase());
    return addresses.every(isEmail) ? addresses : undefined;
  },
};

export const slugs: Kind<readonly string[]> = {
  allowed: 'slugs such as acme, separated by commas',
  parse(text) {
    const values = text.split(',').map((slug) => slug.trim());
    return values.every((slug) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) ? values : undefined;
  },
};

export const mailSender: Kind<string> = matching(
  /^([^<>@\p{Cc}"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
  'an address such as revgate <keys@example.com>',
);

export function matching(pattern: RegExp, allowed: string): Kind<string> {
  return { allowed, parse: (text) => (pattern.test(text) ? text : undefined) };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

/** A color, or two, that can be read on light and dark pages. */
export const accent: Kind<Accent> = {
  allowed:
    'a color such as #0b7a55, or one for light and one for dark pages, separated by a comma; the contrast ' +
    `of each to the page must be at least ${MIN_CONTRAST}:1`,
  parse: parseAccent,
};

export const contact: Kind<string> = {
  allowed: 'an email address, or an http or https URL',
  parse: (text) => (isEmail(text) || /^https?:$/.test(protocolOf(text)) ? text : undefined),
};
