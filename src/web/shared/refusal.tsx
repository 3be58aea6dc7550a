import { RETRY_SECONDS } from '../../api/gateway/to-api-error.ts';
import type { ApiError, ErrorCode } from '../../lib/errors.ts';
import { buttonLink, LinkCards } from './components.tsx';
import type { Content } from './jsx.ts';
import { type PageLink, pageLinks } from './page-links.ts';
import { SIGN_IN_PATH } from './paths.ts';

/** The headings of pages in place of one that was refused. */
const headings: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHENTICATED: 'Sign in to continue',
  ACCESS_DISABLED: 'Not allowed',
  NOT_FOUND: 'Page not found',
  RATE_LIMITED: 'Too many requests',
  IMPORT_RUNNING: 'Another import runs',
  UNDO_CONFLICT: 'The import was not undone',
  INTERNAL_SERVER_ERROR: 'Something went wrong',
  SERVICE_UNAVAILABLE: 'Temporarily unavailable',
};

/** Why a page is refused. */
interface Refused {
  readonly code: ErrorCode;
  /** What happened, in a sentence. */
  readonly message: Content;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number | undefined;
  /** The address to request again; undefined where that would send a form again. */
  readonly again?: string | undefined;
  /** Where to go otherwise, the most helpful first. */
  readonly links: readonly PageLink[];
  /** In place of buttons: what a visitor can do who is at the wrong place. */
  readonly instead?: Content;
}

/** What a page says of an error, which clients of the API get, too. */
export function refusedBy(
  { code, message, retryAfter }: ApiError,
  requestId: string,
): Pick<Refused, 'code' | 'message' | 'retryAfter'> {
  if (code === 'INTERNAL_SERVER_ERROR') {
    const masked = `Something went wrong on our side. If it happens again, send us the request id ${requestId}.`;
    return { code, message: masked };
  }
  return code === 'SERVICE_UNAVAILABLE'
    ? // The page says when to retry, whatever the reason.
      {
        code,
        message: message.replace(/ Retry in \d+ seconds\.$/, ''),
        retryAfter: retryAfter ?? RETRY_SECONDS,
      }
    : { code, message, retryAfter };
}

/** What a visitor sees in place of a page that is refused: its title, what happened, and what to do now. */
export function refusal({ code, message, retryAfter, again, links, instead }: Refused): {
  readonly title: string;
  readonly main: Content;
  /** Counts the seconds down, and shows the page then. Others are not asked for again by themselves: a server may be down. */
  readonly scripts: readonly string[];
} {
  const counts = code === 'RATE_LIMITED' && again !== undefined && retryAfter !== undefined;
  const canRetry = retryAfter !== undefined || code === 'INTERNAL_SERVER_ERROR';
  const offered: readonly PageLink[] = [
    ...(code === 'UNAUTHENTICATED' ? [{ path: SIGN_IN_PATH, label: 'Sign in' }] : []),
    ...(canRetry && again !== undefined ? [{ path: again, label: 'Try again' }] : []),
    ...links,
  ];
  return {
    title: headings[code] ?? 'That did not work',
    main: [
      <p class="lead">{message}</p>,
      retryAfter !== undefined && (
        <p>
          Wait <strong data-retry-in={counts ? '' : undefined}>{retryAfter}</strong>{' '}
          {retryAfter === 1 ? 'second' : 'seconds'}
          {again === undefined ? ', then go back and send the form again.' : ', then try again.'}
        </p>
      ),
      instead ?? (
        <p class="actions">
          {offered.map(({ path, label }, index) =>
            buttonLink(path, label, index === 0 ? undefined : 'second'),
          )}
        </p>
      ),
    ],
    scripts: counts ? ['parts.js'] : [],
  };
}

/** The cards of a page that is not found. */
type Cards = Parameters<typeof LinkCards>[0]['links'];

/** Where it leads visitors and accounts. */
const elsewhere: Cards = [
  { ...pageLinks.explorer, text: 'Filter and compare startups.' },
  { ...pageLinks.docs, text: 'Start with GraphQL or REST.' },
  { ...pageLinks.graphiql, text: 'Write and run a query in the browser.' },
];

/** What to do on a page that is not found: a search by a parameter, and where to go on. */
export const searchInstead = (
  [path, name, label]: readonly [path: string, name: string, label: string],
  cards: Cards = elsewhere,
): Content => [
  <form class="actions find" action={path} role="search">
    <input name={name} type="search" maxlength="100" aria-label={label} placeholder={label} autofocus />
    <button>Search</button>
  </form>,
  <LinkCards links={cards} />,
];
