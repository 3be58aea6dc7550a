import { findPolicyAcceptance } from '../../accounts/accept-policy.ts';
import { ApiError } from '../../errors.ts';
import { rateLimitHeaders } from '../../rate-limit/headers.ts';
import { accountSubject } from '../../rate-limit/subject.ts';
import { defaultSort } from '../../startups/filter.ts';
import { type ParsedList, parseListParameters } from '../../startups/list-query.ts';
import { type ListArguments, type ListRequest, readListArguments } from '../../startups/list-request.ts';
import type { Startups } from '../../startups/startups.ts';
import { notice } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { type Page, type Reply, type Route, type SignedInContext, signedIn } from '../page.ts';
import type { Services } from '../services.ts';
import { countedParameters, type FilterForm, filterForm } from './form.ts';
import { budgetLine, faultSummary, refusal, snippetPanel } from './panels.ts';
import { results } from './results.ts';
import { listSnippets, startupSnippets } from './snippets.ts';
import { startupDetails } from './startup-view.ts';

const PATH = '/dashboard/explorer';
const look = { styles: ['data.css'], scripts: ['explorer.js'], isBroad: true } as const;

/**
 * The explorer: what the API gives, on the terms of the API. It wants an accepted policy and an account that
 * is not disabled, and each page of startups costs 1 of a budget of the account's own.
 */
export function explorerRoutes(services: Services): Route[] {
  const { prisma, policy, limiter, startups, origin, now } = services;

  /** What stands between a visitor and the data. */
  const findObstacle = async ({ visitor }: SignedInContext): Promise<Reply | undefined> => {
    if (visitor.disabledAt !== null) {
      return {
        status: 403,
        title: 'Explorer',
        main: notice(
          html`Your account is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>${visitor.disabledReason !== null && html`: ${visitor.disabledReason}`}.`,
          'wrong',
        ),
      };
    }
    return (await findPolicyAcceptance(prisma, visitor.id, policy.version)) === null
      ? { location: '/dashboard/policy?needed' }
      : undefined;
  };

  const list = async (context: SignedInContext): Promise<Reply> => {
    const { query, visitor } = context;
    const plain = withoutEmpty(query);
    if (plain !== undefined) {
      // A form sends its empty fields too; what is shown has one address.
      return { location: plain.size === 0 ? PATH : `${PATH}?${plain}` };
    }
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    const asked = readQuery(query);
    const form: FilterForm = { values: query, faults: [], counts: undefined, defaultSort: 'revenue-desc' };
    if ('faults' in asked) {
      const { faults } = asked;
      return explorerPage(400, html`${faultSummary(faults)}${filterForm({ ...form, faults })}`);
    }
    const { parsed, request } = asked;
    const sorted = { ...form, defaultSort: defaultSort(request.filter) };
    const panel = snippetPanel(listSnippets(origin, query.toString(), parsed));
    const budget = await limiter.reserve(accountSubject(visitor.id), 1);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = html`${refusal(budget, now())}${filterForm(sorted)}<div class="beside"><div></div>${panel}</div>`;
      return { ...explorerPage(429, main), headers };
    }
    // Written at once: a list works out its figures in the turn in which it is given.
    const section = results(await startups.list(request, { records: true, total: true }), query);
    const counts = await countChoices(startups, request);
    const main = html`<a class="skip" href="#results">Skip to the results</a>${filterForm({ ...sorted, counts })}
<div class="beside"><div>${section}${budgetLine(budget, now())}</div>${panel}</div>`;
    return { ...explorerPage(200, main), headers };
  };

  const show = async (context: SignedInContext): Promise<Reply> => {
    const { params, visitor } = context;
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    const budget = await limiter.reserve(accountSubject(visitor.id), 1);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      return { ...explorerPage(429, refusal(budget, now())), headers };
    }
    const record = await startups.get(params.slug ?? '');
    if (record === null) {
      throw new ApiError('NOT_FOUND', 'There is no such startup.');
    }
    return {
      ...look,
      headers,
      title: record.name,
      back: { path: PATH, label: 'All startups' },
      main: html`<div class="beside"><div>${startupDetails(record)}${budgetLine(budget, now())}</div>${snippetPanel(startupSnippets(origin, record.slug))}</div>`,
    };
  };

  return [signedIn('GET', PATH, list), signedIn('GET', `${PATH}/:slug`, show)];
}

function explorerPage(status: number, main: Html): Page {
  return { ...look, status, title: 'Explorer', main };
}

/** The query without empty parameters and outer spaces; undefined where it has none. */
function withoutEmpty(query: URLSearchParams): URLSearchParams | undefined {
  const given = [...query].map(([name, value]): [string, string] => [name, value.trim()]);
  const kept = new URLSearchParams(given.filter(([, value]) => value !== ''));
  return kept.toString() === query.toString() ? undefined : kept;
}

type Asked =
  | { readonly parsed: ParsedList; readonly request: ListRequest }
  | { readonly faults: ApiError['details'] };

/** Reads the parameters as REST does, with the same faults. */
function readQuery(query: URLSearchParams): Asked {
  try {
    const parsed = parseListParameters(query.toString());
    const read = readListArguments(parsed as ListArguments);
    return 'faults' in read ? read : { parsed, request: read.request };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_USER_INPUT') {
      return { faults: error.details };
    }
    throw error;
  }
}

/** How many startups each choice leaves: those that pass all the other filters. */
async function countChoices(
  startups: Startups,
  request: ListRequest,
): Promise<NonNullable<FilterForm['counts']>> {
  const facets = async (filter: ListRequest['filter']) =>
    (
      await startups.list({ ...request, filter, page: 1, limit: 1 }, { records: false, total: false })
    ).facets();
  const all = await facets(request.filter);
  const counts = await Promise.all(
    countedParameters.map(async (name) => {
      const counted =
        request.filter[name] === undefined ? all : await facets({ ...request.filter, [name]: undefined });
      return [name, counted[name]] as const;
    }),
  );
  return Object.fromEntries(counts) as unknown as NonNullable<FilterForm['counts']>;
}
