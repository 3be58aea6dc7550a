import { readFieldNames, SUMMARIES } from '../../../graphql/documents/operation-plan.ts';
import { ACCOUNT_LIMIT, tiers, WINDOW_MS } from '../../../rate-limit/tiers.ts';
import { RECORDS_PER_READ } from '../../../startups/requests/list-parameters.ts';
import { ScrollTable } from '../../shared/components.tsx';
import { block, pretty } from '../sample-block.tsx';
import { codeLink, codeList, count, type DocsData, heading, type Section } from '../section.tsx';

const costs = { id: 'costs', title: 'What a request costs' };

export function rateLimits({ limits, embedLimit, responses }: DocsData): Section {
  const seconds = WINDOW_MS / 1000;
  const { rest, graphql } = responses.summaries.graphql === undefined ? responses.list : responses.summaries;
  const recorded = graphql ?? rest;
  return {
    id: 'rate-limits',
    title: 'Rate limits and costs',
    description: 'How many requests a minute a key may send, what each costs, and what to do after a 429.',
    parts: [costs],
    text: (
      <>
        <p>
          Each key has a limit for a window of {seconds} seconds, which starts with its first request. REST
          and GraphQL share the limit.
        </p>
        <ScrollTable
          label="Limits by tier"
          head={['Key', `Limit in ${seconds} seconds`]}
          rows={[
            ...tiers.map((tier) => [tier, count(limits[tier])]),
            ['none: an account that uses GraphiQL or the explorer', count(ACCOUNT_LIMIT)],
            ['no valid key', `${count(limits.standard)} for each client address (IPv6: each /64)`],
            [
              <a href="#embed-keys">embed key</a>,
              `that of its tier for each client address, and ${count(embedLimit)} for all clients together`,
            ],
          ]}
        />
        <p>
          Every response shows the limit and what is left of it in{' '}
          <a href="#response-headers">response headers</a> and, over GraphQL with POST, in{' '}
          <code>extensions.rateLimit</code>. A request that costs more than is left gets the status 429,{' '}
          {codeLink('RATE_LIMITED')} and costs nothing: wait for the seconds in <code>Retry-After</code>, then
          send it again. If nothing is left, the operation is not read and the response states no cost.
        </p>
        {heading(costs)}
        <ScrollTable
          label="Costs"
          head={['Request', 'Cost']}
          rows={[
            ['REST: a list, a startup or the market', '1'],
            ['REST: the history of a startup', '2'],
            ['REST: changes', `1 for each ${RECORDS_PER_READ} of limit`],
            [<>GraphQL: each read. These fields read: {codeList(readFieldNames)}.</>, '1'],
            [<>GraphQL: each {codeList([...SUMMARIES], 'or')} of a list</>, '1 more'],
            [
              <>
                GraphQL: <code>changes</code> with <code>startup</code>, and each <code>history</code> in it
              </>,
              <>
                1 for each {RECORDS_PER_READ} of <code>first</code>
              </>,
            ],
            ['GraphQL without a read', '1'],
            ['An invalid request', '1'],
            ['A request that is not modified (304)', 'the same as the full response'],
            ['A rate-limited request (429), and a preflight of CORS', '0'],
          ]}
        />
        <p>
          Fields that are merged in execution count once, and fields that <code>@skip</code> or{' '}
          <code>@include</code> leave out do not count. The whole cost is reserved before anything is read. An
          operation that costs more than the limit of its key gets {codeLink('OPERATION_TOO_COMPLEX')}.
        </p>
      </>
    ),
    code: (
      <figure class="sample">
        <figcaption class="hint">What is left after an operation with three reads</figcaption>
        <div class="response">
          <p class="hint">Response headers</p>
          {block(
            'http',
            Object.entries(recorded?.headers ?? {})
              .filter(([name]) => /ratelimit/i.test(name))
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n'),
          )}
        </div>
        <div class="response">
          <p class="hint">In the body, over GraphQL</p>
          {block(
            'json',
            pretty({ extensions: (recorded?.body as { extensions?: unknown } | undefined)?.extensions }),
          )}
        </div>
      </figure>
    ),
  };
}
