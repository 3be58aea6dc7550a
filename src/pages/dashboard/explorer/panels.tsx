import type { ErrorDetail } from '../../../errors.ts';
import type { RateLimitState } from '../../../rate-limit/limiter.ts';
import type { ListParameterName } from '../../../startups/requests/list-parameters.ts';
import { listParameters } from '../../../startups/requests/list-parameters.ts';
import { CopyStatus, Samples } from '../../shared/code-blocks.tsx';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
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

/** What the page cost, and the rest of the account's limit. */
export function budgetLine({ cost, remaining, limit, resetAt }: RateLimitState, now: number): Html {
  return (
    <p class="soft small">
      Cost of this page: {cost}. {remaining} of {limit} left, resets in {seconds(resetAt, now)} s. API keys
      have limits of their own.
    </p>
  );
}

/**
 * Says that the page costs more than is left, and until when. With a script the page then reloads itself.
 *
 * @param path the address of the page.
 */
export function refusal(
  { cost, remaining, limit, resetAt }: RateLimitState,
  now: number,
  path: string,
): Html {
  const left = seconds(resetAt, now);
  return (
    <Notice tone="warn">
      <strong>
        Rate limit exceeded: this page costs {cost}, and {remaining} of the {limit} of your account are left.
      </strong>{' '}
      Try again in <span data-retry-in="">{left}</span> {left === 1 ? 'second' : 'seconds'}. Your keys have
      their own limits. <a href={path}>Try again</a>
    </Notice>
  );
}

function seconds(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
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
  return Object.hasOwn(listParameters, name) && name !== 'page';
}
