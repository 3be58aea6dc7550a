import { Hono } from 'hono';
import { isKeyId, workingAt } from '../../../access/keys/key.ts';
import type { UsageRow } from '../../../access/usage/read.ts';
import { type BusyOwner, readBusiest, readDailyUsage } from '../../../access/usage/read.ts';
import { type ConnectedNode, isSilent, listNodes } from '../../../db/nodes.ts';
import { type ImportEntry, listImports } from '../../../startups/import/import-log.ts';
import { Badge, type Column, Facts, type Figure, Figures, ListTable } from '../../shared/components.tsx';
import { count, percent } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { ago } from '../../shared/time.tsx';
import { changesText } from '../imports/upload-views.tsx';
import { redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { dividePeriod, tally } from '../usage/buckets.ts';
import { usageChart } from '../usage/views.tsx';
import { attentionCard } from './attention.tsx';
import { operatorPage } from './frame.tsx';
import { healthCard } from './health.tsx';

const PATH = '/dashboard/operator';
/** How many of the busiest keys and accounts are shown. */
const BUSIEST = 5;

/** The whole service at a glance: what needs attention, its requests by day, who uses it most, its data and its nodes. */
export function overviewRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, node, unready, databaseKind, now } = services;

  const overview = async (context: SignedInContext): Promise<Response> => {
    const period = dividePeriod('30d', now());
    const rows = await readDailyUsage(prisma, period.since);
    const { keys, accounts } = await readBusiest(prisma, period.since, BUSIEST);
    const [lastImport] = await listImports(prisma, 1);
    const nodes = databaseKind === 'server' ? await listNodes(prisma) : [];
    return context.render(
      operatorPage(
        PATH,
        'Overview',
        <>
          {await attentionCard(services, { rows, lastImport, nodes })}
          {
            await todayFigures(
              rows.filter(({ start }) => start.getTime() === period.starts.at(-1)?.getTime()),
            )
          }
          <div class="columns overview">
            {usageChart(period, rows)}
            <section class="card">
              <h2>{linked(`${PATH}/imports`, 'Data')}</h2>
              <Facts facts={dataFacts(lastImport)} />
              <h2>{linked('#health', 'Nodes')}</h2>
              <Facts facts={nodeFacts(nodes)} />
            </section>
          </div>
          <div class="columns" id="busiest">
            {busiest('Busiest keys', 'keys', keys)}
            {busiest('Busiest accounts', 'accounts', accounts)}
          </div>
          {healthCard(services)}
        </>,
        { action: searchForm(), scripts: ['chart.js'] },
      ),
    );
  };

  const todayFigures = async (rows: readonly UsageRow[]): Promise<Html> => {
    const { requests, errors, refused } = tally(rows);
    const share = (label: string, number: number): Figure => [
      linked('#busiest', label),
      <>
        {count(number)} {requests > 0 && <span class="unit">{percent((number / requests) * 100)}</span>}
      </>,
    ];
    return (
      <Figures
        figures={[
          [linked('#busiest', 'Requests today'), count(requests)],
          share('Errors today', errors),
          share('Rate limited today', refused),
          [
            linked(`${PATH}/keys?state=active`, 'Working keys'),
            count(await prisma.apiKey.count({ where: workingAt(new Date(now())) })),
          ],
          [linked(`${PATH}/accounts`, 'Accounts'), count(await prisma.account.count())],
          [linked('/dashboard/explorer', 'Startups'), count(node.catalogue.current().size)],
        ]}
      />
    );
  };

  const dataFacts = (last: ImportEntry | undefined): FactList => [
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
          <a href={`${PATH}/imports/${last.id}`}>{ago(last.finishedAt, now())}</a> by{' '}
          {last.email ?? last.importedBy}
        </>
      ),
    ],
    ...(last === undefined ? [] : ([['Changes', changesText(last)]] as const)),
  ];

  const nodeFacts = (nodes: readonly ConnectedNode[]): FactList => {
    const state = (answers: boolean, otherwise: string): Html =>
      answers ? <Badge tone="good">answers</Badge> : <Badge tone="bad">{otherwise}</Badge>;
    return [
      ['This node', state(unready().length === 0, 'not ready')],
      ...nodes.map((one): [string, Content] => [
        one.name,
        state(!isSilent(one), `silent for ${Math.round(one.silence)} s`),
      ]),
      ...(databaseKind === 'server' && nodes.length === 0
        ? ([['Others', 'unknown: the connections to the database do not show them']] as const)
        : []),
    ];
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

  return new Hono<SignedInEnv>()
    .get(PATH, overview)
    .get(`${PATH}/health`, (context) => redirect(context, `${PATH}#health`))
    .get(`${PATH}/find`, find);
}

const linked = (href: string, label: string): Html => <a href={href}>{label}</a>;

function searchForm(): Html {
  return (
    <form class="actions find" action={`${PATH}/find`} method="get" role="search">
      <input
        name="q"
        type="search"
        maxlength="254"
        aria-label="Find a key or an account"
        placeholder="Email, key id or account id"
      />
      <button class="second">Find</button>
    </form>
  );
}

type FactList = Parameters<typeof Facts>[0]['facts'];

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
