import { Hono } from 'hono';
import { listNodes } from '../../../db/nodes.ts';
import { isKeyId } from '../../../keys/key.ts';
import { listImports } from '../../../startups/import/import-log.ts';
import { type BusyOwner, readBusiest, readDailyUsage } from '../../../usage/overview.ts';
import { Badge, type Column, Facts, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { dividePeriod } from '../usage/buckets.ts';
import { usageChart } from '../usage/views.tsx';
import { operatorPage } from './frame.tsx';

const PATH = '/dashboard/operator';
/** How many of the busiest keys and accounts are shown. */
const BUSIEST = 10;
/** A node that sent nothing for so many seconds does not answer: each queries the database several times a second. */
const SILENCE_MAX = 10;

/** The whole service at a glance: its requests by day, who uses it most, its data and its nodes. */
export function overviewRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, node, unready, databaseKind, now } = services;

  const overview = async (context: SignedInContext): Promise<Response> => {
    const period = dividePeriod('30d', now());
    const rows = await readDailyUsage(prisma, period.since);
    const { keys, accounts } = await readBusiest(prisma, period.since, BUSIEST);
    return context.render(
      operatorPage(
        PATH,
        'Overview',
        <>
          {searchForm()}
          {usageChart(period, rows)}
          <div class="columns">
            {busiest('Busiest keys', 'keys', keys)}
            {busiest('Busiest accounts', 'accounts', accounts)}
          </div>
          <div class="columns">
            {await dataCard()}
            {await nodesCard()}
          </div>
        </>,
      ),
    );
  };

  const dataCard = async (): Promise<Html> => {
    const { size } = node.catalogue.current();
    const [last] = await listImports(prisma, 1);
    return card('Data', [
      ['Startups', count(size)],
      [
        'Freshness',
        node.catalogue.age === 0 ? (
          <Badge tone="good">up to date</Badge>
        ) : (
          <Badge tone="warn">{`a change is ${Math.ceil(node.catalogue.age / 1_000)} s old`}</Badge>
        ),
      ],
      [
        'Last import',
        last === undefined ? (
          'none yet'
        ) : (
          <>
            <a href={`${PATH}/imports`}>{time(last.finishedAt, 'minute')}</a> by{' '}
            {last.email ?? last.importedBy}: {count(last.created)} created, {count(last.updated)} updated,{' '}
            {count(last.removed)} removed
          </>
        ),
      ],
    ]);
  };

  const nodesCard = async (): Promise<Html> => {
    const own = unready().length === 0;
    const nodes = databaseKind === 'server' ? await listNodes(prisma) : [];
    const state = (answers: boolean, otherwise: string): Html =>
      answers ? <Badge tone="good">answers</Badge> : <Badge tone="bad">{otherwise}</Badge>;
    return card('Nodes', [
      ['This node', state(own, 'not ready')],
      ...nodes.map(({ name, silence }): [string, Content] => [
        name,
        state(silence <= SILENCE_MAX, `silent for ${Math.round(silence)} s`),
      ]),
      ...(databaseKind === 'server' && nodes.length === 0
        ? ([['Others', 'unknown: the connections to the database do not show them']] as const)
        : []),
    ]);
  };

  /** Leads to the account or key that a text names, or else to the accounts or keys that contain it. */
  const find = async (context: SignedInContext): Promise<Response> => {
    const text = (context.req.query('q') ?? '').trim();
    const search = new URLSearchParams({ q: text });
    if (isKeyId(text)) {
      return redirect(context, `${PATH}/keys/${text}`);
    }
    if (/^acc_[0-9A-Za-z]{12}$/.test(text)) {
      return redirect(context, `${PATH}/accounts/${text}`);
    }
    return redirect(context, `${PATH}/${text.includes('@') ? 'accounts' : 'keys'}?${search}`);
  };

  return new Hono<SignedInEnv>().get(PATH, overview).get(`${PATH}/find`, find);
}

function searchForm(): Html {
  return (
    <form class="actions search" action={`${PATH}/find`} method="get" role="search">
      <div class="field">
        <label for="q">Find a key or an account</label>
        <input id="q" name="q" type="search" maxlength="254" placeholder="Address, key id or account id" />
      </div>
      <button>Search</button>
    </form>
  );
}

function card(title: string, facts: Parameters<typeof Facts>[0]['facts']): Html {
  return (
    <section class="card">
      <h2>{title}</h2>
      <Facts facts={facts} />
    </section>
  );
}

function busiest(title: string, part: 'keys' | 'accounts', owners: readonly BusyOwner[]): Html {
  const columns: readonly Column<BusyOwner>[] = [
    [
      part === 'keys' ? 'Key' : 'Account',
      ({ id, label }) => <a href={`${PATH}/${part}/${id}`}>{label || id}</a>,
    ],
    ['Requests', ({ requests }) => count(requests), 'number'],
    ['Errors', ({ errors }) => count(errors), 'number'],
    ['Rate limited', ({ refused }) => count(refused), 'number'],
  ];
  return owners.length === 0 ? (
    <section class="card">
      <h2>{title}</h2>
      <p class="soft">No requests in the last 30 days.</p>
    </section>
  ) : (
    <ListTable caption={`${title} of the last 30 days`} columns={columns} rows={owners} />
  );
}
