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

/** The steps to send a first request: those that are done in one line, and the others below each other. */
export function checklist({ acceptedAt, hasKey, origin }: FirstSteps): Html {
  const steps = [
    {
      title: 'Accept the acceptable-use policy',
      done: acceptedAt !== null && <>policy accepted on {time(acceptedAt)}</>,
      body: (
        <>
          <p class="soft">Required once, before you create a key. A two-minute read.</p>
          <p>{buttonLink('/dashboard/policy', 'Read the policy')}</p>
        </>
      ),
    },
    {
      title: 'Create a key',
      done: hasKey && 'key created',
      body: (
        <>
          <p class="soft">One key works for GraphQL and REST. It is shown once, when you create it.</p>
          {acceptedAt !== null && <p>{buttonLink('/dashboard/keys/new', 'Create a key')}</p>}
        </>
      ),
    },
    { title: 'Send a request', done: false, body: hasKey ? sendFirst(origin) : toolsText },
  ];
  const done = steps.filter((step) => step.done !== false);
  const left = steps.filter((step) => step.done === false);
  return (
    <section class="card checklist" aria-labelledby="first-steps">
      <div class="heading sub">
        <h2 id="first-steps">Get started</h2>
        <CopyStatus />
      </div>
      {done.length > 0 && (
        <p class="soft">
          {done.length} of {steps.length} done: {done.map((step, index) => [index > 0 && ', ', step.done])}
        </p>
      )}
      <ol class="stack bare" start={done.length + 1}>
        {left.map(({ title, body }, index) => (
          <li class={index === 0 ? 'next' : 'later'} aria-current={index === 0 ? 'step' : undefined}>
            <h3>{title}</h3>
            {body}
          </li>
        ))}
      </ol>
    </section>
  );
}

const toolsText = (
  <p class="soft">
    With curl, a GraphQL client or the <a href="/dashboard/explorer">explorer’s</a> examples.
  </p>
);

const sendFirst = (origin: string): Html => (
  <>
    <CodeBlock id="first-command" label="First request" title={languages.curl}>
      {highlight('curl', writeSample.curl({ origin, request: FIRST_REQUEST }))}
    </CodeBlock>
    {firstRequestStatus(true)}
  </>
);

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
