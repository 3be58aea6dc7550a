import { CodeBlock, CopyStatus } from '../../shared/code-blocks.tsx';
import { FIRST_REQUEST, languages, writeSample } from '../../shared/code-samples.ts';
import { buttonLink } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';

/** The URL at which a script checks whether a request was received. */
export const FIRST_REQUEST_PATH = '/dashboard/keys/first-request';

interface FirstSteps {
  readonly acceptedAt: Date | null;
  readonly hasKey: boolean;
  /** The public origin of the gateway. */
  readonly origin: string;
}

/** The steps to send a first request, and which of them are done. */
export function checklist({ acceptedAt, hasKey, origin }: FirstSteps): Html {
  return (
    <section class="card checklist" aria-labelledby="first-steps">
      <div class="heading sub">
        <h2 id="first-steps">Get started</h2>
        <CopyStatus />
      </div>
      <ol class="stack bare">
        {step({
          title: 'Accept the acceptable-use policy',
          isDone: acceptedAt !== null,
          isNext: acceptedAt === null,
          body:
            acceptedAt === null ? (
              <>
                <p class="soft">Required once, before you create a key. A two-minute read.</p>
                <p>{buttonLink('/dashboard/policy?needed', 'Read the policy')}</p>
              </>
            ) : (
              <p class="soft">Accepted on {time(acceptedAt)}.</p>
            ),
        })}
        {step({
          title: 'Create a key',
          isDone: hasKey,
          isNext: acceptedAt !== null && !hasKey,
          body: hasKey ? (
            <p class="soft">It is listed below.</p>
          ) : (
            <>
              <p class="soft">One key works for GraphQL and REST. It is shown once, when you create it.</p>
              {acceptedAt !== null && <p>{buttonLink('/dashboard/keys/new', 'Create a key')}</p>}
            </>
          ),
        })}
        {step({
          title: 'Send a request',
          isDone: false,
          isNext: hasKey && acceptedAt !== null,
          body: hasKey ? (
            <>
              <CodeBlock id="first-command" label="First request" title={languages.curl}>
                {highlight('curl', writeSample.curl({ origin, request: FIRST_REQUEST }))}
              </CodeBlock>
              {firstRequestStatus(true)}
            </>
          ) : (
            <p class="soft">
              With curl, a GraphQL client or the <a href="/dashboard/explorer">explorer’s</a> examples.
            </p>
          ),
        })}
      </ol>
    </section>
  );
}

function step(of: { title: string; isDone: boolean; isNext: boolean; body: Html }): Html {
  const state = of.isDone ? 'done' : of.isNext ? 'next' : 'later';
  return (
    <li class={state} aria-current={of.isNext ? 'step' : undefined}>
      <h3>
        {of.title}
        {of.isDone && <span class="hidden"> (done)</span>}
      </h3>
      {of.body}
    </li>
  );
}

/** Whether a request was received, which none was yet, in an element that a script updates. */
export function firstRequestStatus(hasReload = false): Html {
  return (
    <>
      <div data-live={FIRST_REQUEST_PATH} role="status">
        {firstRequest(null)}
      </div>
      {hasReload && (
        <p class="soft small unscripted">
          <a href="/dashboard/keys">Reload</a> to check again.
        </p>
      )}
    </>
  );
}

/** The part of the page that a script reloads. Once a request was received, it stops. */
export function firstRequest(at: Date | null): Html {
  return at === null ? (
    <p class="waiting soft">Waiting for a request with one of your keys …</p>
  ) : (
    <p class="received" data-final="">
      <strong>Received</strong> {time(at, 'minute')}. <a href="/dashboard/usage">See your usage</a>
    </p>
  );
}
