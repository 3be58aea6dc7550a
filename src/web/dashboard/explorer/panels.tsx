import type { Reservation } from '../../../access/limits/counter.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { CopyStatus, Samples } from '../../shared/code-blocks.tsx';
import { Notice } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { secondsLeft } from '../access.ts';
import type { ShownRequest } from './documents.ts';
import { findFilter, parameterLabel } from './filters.ts';
import { DATE_FIELDS, dateParameters } from './query.ts';

/** The requests that return what a page shows, in several languages, and other ways to use it elsewhere. */
export const apiPanel = (
  origin: string,
  { path, graphql }: ShownRequest,
  others: Content,
  about: string,
): Html => (
  <details class="card api" id="api">
    <summary>
      <strong>API</strong> <span class="soft">{about}</span>
    </summary>
    <div class="heading sub">
      <p class="soft small">
        These requests return the same data. They read one of your <a href="/dashboard/keys">API keys</a> from
        the environment variable <code>REVGATE_KEY</code>.
      </p>
      <CopyStatus />
    </div>
    <Samples origin={origin} request={{ path }} graphql={graphql} />
    {others && <div class="others">{others}</div>}
  </details>
);

/**
 * Says that an account has requested all the pages of a minute, and until when. With a script the page then reloads itself.
 *
 * @param path the address of the page.
 * @param hasResults whether results that were read before stand below.
 */
export function refusal(
  { limit, resetAt }: Reservation,
  now: number,
  path: string,
  hasResults: boolean,
): Html {
  const left = secondsLeft(resetAt, now);
  return (
    <Notice tone="warn">
      <strong>You have opened {limit} pages in a minute, which is the limit.</strong>{' '}
      {hasResults && 'These are the last results you saw. '}
      <a href={path}>Try again</a> in <span data-retry-in="">{left}</span> {left === 1 ? 'second' : 'seconds'}
      . Your API keys have limits of their own.
    </Notice>
  );
}

/** Every error in the parameters: the field, its value and the allowed ones. Errors of the form link to their field. */
export const errorSummary = (errors: readonly ErrorDetail[]): Html => (
  <div class="notice wrong" role="alert">
    <p>
      {errors.length === 1
        ? 'One filter is invalid. The list below leaves it out.'
        : `${errors.length} filters are invalid. The list below leaves them out.`}
    </p>
    <ul>
      {errors.map(({ parameter, message }) => (
        <li>
          {findFilter(parameter) === undefined && parameter !== 'sort' ? (
            <code>{parameter}</code>
          ) : (
            <a href={`#${dateParameters.includes(parameter) ? DATE_FIELDS.day : parameter}`}>
              {parameterLabel(parameter)}
            </a>
          )}
          : {message}
        </li>
      ))}
    </ul>
  </div>
);
