import type { Reservation } from '../../../access/limits/counter.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { secondsLeft } from '../../page/access.ts';
import { type Filters, filtersOfAddresses } from '../../parts/startups/filters.ts';
import { DATE_FIELDS, dateParameters } from '../../parts/startups/query.ts';
import { CopyStatus, Samples } from '../../shared/code-blocks.tsx';
import { Notice } from '../../shared/components.tsx';
import { nameInWords } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import type { ShownRequest } from './list-documents.ts';

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

/**
 * Every error in the parameters: the filter, its value and the allowed ones. Errors of the form link to their field.
 *
 * @param path the list without what is invalid. @param hasOthers whether other filters are in force.
 */
export const errorSummary = (
  errors: readonly ErrorDetail[],
  { find }: Filters,
  path: string,
  hasOthers: boolean,
): Html => (
  <div class="notice wrong" role="alert">
    <strong>These filters were not applied:</strong>
    <ul>
      {errors.map(({ parameter, message }) => (
        <li>
          {find(parameter) === undefined && parameter !== 'sort' ? (
            <code>{parameter}</code>
          ) : filtersOfAddresses.includes(parameter) ? (
            find(parameter)?.label
          ) : (
            <a href={`#${dateParameters.includes(parameter) ? DATE_FIELDS.day : parameter}`}>
              {find(parameter)?.label ?? nameInWords(parameter)}
            </a>
          )}
          : {message}
        </li>
      ))}
    </ul>
    {hasOthers ? 'All other filters apply.' : 'No filter applies: the list shows all startups.'} Correct what
    is invalid, or <a href={path}>remove it</a>.
  </div>
);
