import { unconfirmed } from '../../../access/accounts/account.ts';
import { isKeyId, workingAt } from '../../../access/keys/key.ts';
import { isBundled } from '../../../access/keys/policy.ts';
import { GIVEN_UP_MS } from '../../../access/mails/queue.ts';
import { findHold, type Hold, releaseMails } from '../../../access/mails/source.ts';
import { type BusyOwner, readBusiest, readUsage } from '../../../access/usage/read.ts';
import { type ConnectedNode, isSilent, listNodes } from '../../../db/nodes.ts';
import { amount } from '../../../lib/errors.ts';
import { type ImportEntry, listImports } from '../../../startups/import/import-log.ts';
import { PostForm } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { changesText } from '../../parts/imports/changes-text.ts';
import {
  dividePeriod,
  outcomeColumns,
  shareFigure,
  tally,
  usageChart,
} from '../../parts/keys/usage-views.tsx';
import { linkTo } from '../../parts/lists/lists.tsx';
import { Badge, capitalized, Facts, type Figure, Figures, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { OPERATOR_PATH as PATH, UPLOAD_PATH } from '../../shared/paths.ts';
import { ago, durationText, isStale, secondsText, sinceText, time } from '../../shared/time.tsx';

const DAY_MS = 86_400_000;
/** No email is tried for as long. */
const UNSENT_MS = GIVEN_UP_MS + 2 * DAY_MS;

/** The form that releases emails which are held. */
const RELEASE = '/mails/release';

/** How many of the busiest keys and accounts are shown. */
const BUSIEST = 5;

/** The whole service at a glance: what needs attention, its requests by day, who uses it most, its data and its nodes. */
export function overviewPages(services: Services) {
  const { prisma, node, now, databaseKind } = services;
  return [
    page({
      path: PATH,
      view: async () => {
        const period = dividePeriod('30d', now());
        const rows = await readUsage(prisma, undefined, period);
        const { keys, accounts } = await readBusiest(prisma, period.since, BUSIEST);
        const [lastImport] = await listImports(prisma, 1);
        const nodes = databaseKind === 'server' ? await listNodes(prisma) : [];
        const today = tally(rows.filter(({ start }) => start.getTime() === period.starts.at(-1)?.getTime()));
        const linked = (path: string, label: string, number: number): Figure => [
          <a href={path}>{label}</a>,
          count(number),
        ];
        return {
          title: pageLinks.overview.label,
          scripts: ['chart.js'],
          action: (
            <form class="actions find" action={`${PATH}/find`} method="get" role="search">
              <input
                name="q"
                type="search"
                maxlength="254"
                aria-label="Find a key or an account"
                placeholder="Email, key ID or account ID"
              />
              <button class="second">Find</button>
            </form>
          ),
          main: [
            await attentionCard(services, { lastImport, nodes }),
            <Figures
              figures={[
                ['Requests today', count(today.requests)],
                shareFigure('Errors today', today.errors, today.requests),
                shareFigure('Rate limited today', today.refused, today.requests),
                linked(
                  `${PATH}/keys?state=active`,
                  'Working keys',
                  await prisma.apiKey.count({ where: workingAt(new Date(now())) }),
                ),
                linked(pageLinks.accounts.path, pageLinks.accounts.label, await prisma.account.count()),
                linked('/dashboard/explorer', 'Startups', node.catalogue.current().size),
              ]}
            />,
            usageChart(period, rows),
            <div class="columns" id="busiest">
              {busiest('Busiest keys', 'Key', keys)}
              {busiest('Busiest accounts', 'Account', accounts)}
            </div>,
            <section class="card" id="health">
              <h2>Data and nodes</h2>
              <Facts
                facts={[
                  [
                    'Last import',
                    lastImport === undefined ? (
                      'None yet'
                    ) : (
                      <>
                        <a href={`${PATH}/imports/${lastImport.id}`}>{ago(lastImport.finishedAt, now())}</a>{' '}
                        by {lastImport.email ?? lastImport.importedBy}: {changesText(lastImport)}
                      </>
                    ),
                  ],
                  ...nodes.map(
                    (one) =>
                      [
                        `Node ${one.name}`,
                        isSilent(one)
                          ? badge(`Silent for ${Math.round(one.silence)} s`, 'bad')
                          : badge('Responds', 'good'),
                      ] as const,
                  ),
                  ...healthFacts(services),
                ]}
              />
              <p class="soft small">
                As of {time(new Date(now()), 'minute')}. For programs: <a href="/ready">/ready</a> and{' '}
                <a href="/metrics">/metrics</a>.
              </p>
            </section>,
          ],
        };
      },
      forms: {
        [RELEASE]: async ({ acting }) => {
          await releaseMails(acting, services.publicUrl);
          return withNotice(PATH, 'mails-released');
        },
      },
    }),
    page({
      path: `${PATH}/find`,
      /** Leads to the account or key that a text names, or else to the accounts or keys that contain it. */
      view: ({ query }) => {
        const text = (query('q') ?? '').trim();
        const isAccount = /^acc_[0-9A-Za-z]{12}$/.test(text);
        const part = `${PATH}/${isAccount || text.includes('@') ? 'accounts' : 'keys'}`;
        return isAccount || isKeyId(text) ? `${part}/${text}` : `${part}?${new URLSearchParams({ q: text })}`;
      },
    }),
  ];
}

const badge = (text: string, tone: 'good' | 'warn' | 'bad'): Html => <Badge tone={tone}>{text}</Badge>;

/** The state of the node that answers: what /ready and /metrics report, in words. */
function healthFacts({ node, unready, databaseKind, now }: Services): (readonly [string, Content])[] {
  const reasons = unready();
  const { pool, usage, silence } = node;
  const { age } = node.catalogue;
  return [
    [
      'This node',
      reasons.length === 0 ? badge('Ready', 'good') : badge(capitalized(reasons.join('; ')), 'bad'),
    ],
    ['Data', age === 0 ? badge('Up to date', 'good') : badge(`${Math.ceil(age / 1_000)} s behind`, 'warn')],
    ['Last reload', ago(new Date(node.catalogue.current().readAt), now())],
    [
      'Rate limits',
      {
        memory: badge('In memory', 'good'),
        redis: badge('In Redis', 'good'),
        fallback: badge('In memory: no Redis', 'bad'),
      }[node.limits()],
    ],
    ['Dropped counts', usage.dropped === 0 ? 'None' : badge(`${count(usage.dropped)} requests`, 'bad')],
    [
      'Database',
      `${databaseKind === 'server' ? 'PostgreSQL' : 'Embedded'}, responded ${secondsText(silence())} ago, ` +
        `${count(pool.waitingCount)} queued`,
    ],
  ];
}

const busiest = (title: string, kind: 'Key' | 'Account', owners: readonly BusyOwner[]): Content =>
  owners.length > 0 && (
    <ListTable
      layout="entries"
      caption={`${title}, last 30 days`}
      columns={[[kind, ({ id, label }) => linkTo(id, label || id)], ...outcomeColumns]}
      rows={owners}
    />
  );

/** Something that an operator can do something about: what it is about, what to do, if it is so, and a link. */
type Finding = readonly [subject: Subject, text: string | false, link: Html];
type Subject = 'Nodes' | 'Data' | 'Security' | 'Email' | 'Policy';
type FindingServices = Pick<
  Services,
  'prisma' | 'node' | 'unready' | 'now' | 'mail' | 'isInvitedOnly' | 'policy' | 'publicUrl'
>;

/** What the overview has already read. */
interface Known {
  readonly lastImport: ImportEntry | undefined;
  readonly nodes: readonly ConnectedNode[];
}

/** What needs attention, problems first: those of nodes. */
export async function attentionCard(services: FindingServices, known: Known): Promise<Html> {
  const found = (await findAll(services, known)).filter(([, text]) => text !== false);
  return (
    <section class="card attention" aria-labelledby="attention">
      <h2 id="attention">{found.length === 0 ? 'Nothing needs attention' : 'Needs attention'}</h2>
      {found.length > 0 && (
        <ul class="bare">
          {found.map(([subject, text, link]) => (
            <li>
              <Badge tone={subject === 'Nodes' ? 'bad' : 'warn'}>{subject}</Badge>
              <span>{text}</span>
              {link}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Of what this database is a copy. */
const originalOf = ({ isCopy, recordedUrl }: Hold): string =>
  isCopy
    ? `This database is a copy${recordedUrl === null ? '' : ` of that of ${recordedUrl}`}`
    : `This database was served at ${recordedUrl} before`;

/** Emails that could not be sent in the last day, and why the last one could not; undefined: there are none. */
async function countUnsent(
  prisma: Services['prisma'],
  now: number,
): Promise<{ readonly emails: number; readonly waiting: number; readonly failure: string } | undefined> {
  const [found] = await prisma.$queryRaw<{ emails: number; waiting: number; failure: string }[]>`
    SELECT count(*)::int AS emails, count(*) FILTER (WHERE outcome IS NULL)::int AS waiting,
      (array_agg(failure ORDER BY coalesce(ended_at, retry_at) DESC))[1] AS failure
    FROM sent_mails
    WHERE recorded_at > ${new Date(now - UNSENT_MS)} AND failure IS NOT NULL
      AND (outcome IS NULL OR (outcome <> 'refused' AND ended_at > ${new Date(now - DAY_MS)}))`;
  return found === undefined || found.emails === 0 ? undefined : found;
}

async function findAll(
  { prisma, node, unready, now, mail, isInvitedOnly, policy, publicUrl }: FindingServices,
  { nodes, lastImport }: Known,
): Promise<readonly Finding[]> {
  const reasons = unready();
  const demo = await prisma.apiKey.findFirst({
    where: { demo: true, disabledAt: null, ...workingAt(new Date(now())) },
    select: { id: true },
  });
  const waiting = mail === 'smtp' ? 0 : await prisma.account.count({ where: unconfirmed });
  const hold = mail === 'smtp' ? await findHold(prisma, publicUrl) : undefined;
  const unsent = await countUnsent(prisma, now());
  const isOpen = !isInvitedOnly;
  const sample = node.catalogue.current().size > 0 ? ', so customers get the sample' : '';
  const link = (path: string, label: string): Html => <a href={path}>{label}</a>;
  return [
    [
      'Nodes',
      reasons.length > 0 && `This node is not ready: ${reasons.join('; ')}.`,
      link(`${PATH}#health`, 'This node'),
    ],
    ...nodes
      .filter(isSilent)
      .map(
        ({ name, silence }): Finding => [
          'Nodes',
          `Node ${name} has not answered for ${durationText(silence * 1_000)}. Check that it runs.`,
          link('/docs/troubleshooting', 'Troubleshooting'),
        ],
      ),
    [
      'Nodes',
      node.limits() === 'fallback' &&
        'Redis does not answer, so each node counts requests by itself. Check that Redis runs.',
      link('/docs/redis', 'About Redis'),
    ],
    [
      'Data',
      lastImport === undefined
        ? `Nothing was imported yet${sample}. Import your startups.`
        : isStale(lastImport.finishedAt, now()) &&
          `The last import was ${sinceText(lastImport.finishedAt, now())}. Import current data.`,
      link(UPLOAD_PATH, 'Upload a file'),
    ],
    [
      'Data',
      lastImport !== undefined &&
        lastImport.rejected > 0 &&
        `The last import rejected ${amount(lastImport.rejected, 'record')}. Correct the file, and import it again.`,
      link(`${PATH}/imports/${lastImport?.id}`, 'Open the import'),
    ],
    [
      'Security',
      demo !== null &&
        'The demo key of the first start still works. Disable it before others use this server.',
      link(`${PATH}/keys/${demo?.id}`, 'Open the key'),
    ],
    [
      'Email',
      hold !== undefined &&
        `${originalOf(hold)}, so emails about keys and about what accounts saved are held${hold.waiting === 0 ? '' : ` (${count(hold.waiting)} now)`}. Release them if this is the server that accounts use.`,
      <PostForm action={`${PATH}${RELEASE}`} button="Release emails" kind="second" />,
    ],
    [
      'Email',
      unsent !== undefined &&
        `${amount(unsent.emails, 'email')} could not be sent in the last day${
          unsent.waiting === 0 ? '' : ` (${count(unsent.waiting)} of them will be tried again)`
        }. The last error: ${unsent.failure}`,
      link('/docs/troubleshooting#emails-do-not-arrive', 'Troubleshooting'),
    ],
    [
      'Email',
      mail === 'none' &&
        isOpen &&
        'Without a mail server, nobody can sign up with an address. Set SMTP_URL, or invite people.',
      link(pageLinks.accounts.path, pageLinks.accounts.label),
    ],
    [
      'Email',
      mail === 'terminal' &&
        isOpen &&
        'Everyone can sign up, but without a mail server, emails are only printed in the terminal. Set SMTP_URL.',
      link('/docs/settings', 'Settings'),
    ],
    [
      'Email',
      waiting > 0 &&
        `${amount(waiting, 'account')} cannot confirm an address without a mail server. Pass on a link to set a password.`,
      link(`${PATH}/accounts?state=unconfirmed`, pageLinks.accounts.label),
    ],
    [
      'Policy',
      isBundled(policy) &&
        'The acceptable-use policy is the bundled one. Write your own, and set POLICY_FILE.',
      link(`${PATH}/policies/${policy.version}`, 'Read it'),
    ],
  ];
}
