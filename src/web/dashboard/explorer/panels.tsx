import type { Reservation } from '../../../access/limits/counter.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { ListParameterName } from '../../../startups/model/requests/list-parameters.ts';
import { listParameters } from '../../../startups/model/requests/list-parameters.ts';
import { CopyStatus, Samples } from '../../shared/code-blocks.tsx';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { secondsLeft } from '../access.ts';
import { parameterLabel } from './labels.tsx';
import type { ShownRequest } from './requests.ts';

/** The requests that return what a page shows, in several languages. */
export function samplePanel(origin: string, { path, graphql }: ShownRequest): Html {
  return (
    <section class="card" aria-labelledby="same">
      <div class="heading sub">
        <h2 id="same">Use it in a program</h2>
        <CopyStatus />
      </div>
      <p class="soft small">
        These requests return the same data. They read one of your <a href="/dashboard/keys">API keys</a> from
        the environment variable <code>REVGATE_KEY</code>.
      </p>
      <Samples origin={origin} request={{ path }} graphql={graphql} />
    </section>
  );
}

/**
 * Says that an account has requested all the pages of a minute, and until when. With a script the page then reloads itself.
 *
 * @param path the address of the page.
 */
export function refusal({ limit, resetAt }: Reservation, now: number, path: string): Html {
  const left = secondsLeft(resetAt, now);
  return (
    <Notice tone="warn">
      <strong>You have opened {limit} pages in a minute, which is the limit.</strong> Try again in{' '}
      <span data-retry-in="">{left}</span> {left === 1 ? 'second' : 'seconds'}. Your keys have their own
      limits. <a href={path}>Try again</a>
    </Notice>
  );
}

/** Every error in the parameters: the field, its value and the allowed ones. Errors of the form link to their field. */
export function errorSummary(errors: readonly ErrorDetail[]): Html {
  return (
    <div class="notice wrong" role="alert">
      <p>
        {errors.length === 1
          ? 'One filter is invalid. The list below leaves it out.'
          : `${errors.length} filters are invalid. The list below leaves them out.`}
      </p>
      <ul>
        {errors.map(({ parameter, message }) => (
          <li>
            {isField(parameter) ? (
              <a href={`#${parameter}`}>{parameterLabel(parameter)}</a>
            ) : (
              <code>{parameter}</code>
            )}
            : {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function isField(name: string): name is ListParameterName {
  return Object.hasOwn(listParameters, name) && !['page', 'limit'].includes(name);
}
