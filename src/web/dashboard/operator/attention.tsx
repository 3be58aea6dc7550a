import { unconfirmed } from '../../../access/accounts/account.ts';
import { workingAt } from '../../../access/keys/key.ts';
import { isBundled } from '../../../access/keys/policy.ts';
import type { UsageRow } from '../../../access/usage/read.ts';
import { readBusiest } from '../../../access/usage/read.ts';
import { type ConnectedNode, isSilent } from '../../../db/nodes.ts';
import { amount } from '../../../lib/text/amount.ts';
import type { ImportEntry } from '../../../startups/import/import-log.ts';
import { Badge } from '../../shared/components.tsx';
import { percent } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { durationText, isStale, sinceText } from '../../shared/time.tsx';
import { UPLOAD_PATH } from '../imports/upload-link.tsx';
import { SOON_MS } from '../keys/key-usage.tsx';
import type { Services } from '../services.ts';
import { tally } from '../usage/buckets.ts';

const PATH = '/dashboard/operator';
const DAY_MS = 86_400_000;
/** Today is compared with so many days before. */
const DAYS_BEFORE = 7;
/** How many of today's requests must have failed, their share of all, and how often that of the days before. */
const [FAILED_MIN, SHARE_MIN, GROWTH_MIN] = [20, 0.05, 2];
/** Of how many of the busiest keys the one with most failures is named. */
const COMPARED_KEYS = 100;

/** Something that an operator can do something about. */
interface Finding {
  readonly kind: 'problem' | 'check';
  readonly subject: 'Nodes' | 'Requests' | 'Data' | 'Keys' | 'Security' | 'Email' | 'Policy';
  /** What it is, and what to do. */
  readonly text: Content;
  readonly link: readonly [path: string, label: string];
}
type Findings = readonly (Finding | false)[];

type Facts = Pick<Services, 'prisma' | 'node' | 'unready' | 'now' | 'mail' | 'isInvitedOnly' | 'policy'>;

/** What the overview has already read. */
interface Known {
  /** By day, of at least the days that are compared. */
  readonly rows: readonly UsageRow[];
  readonly lastImport: ImportEntry | undefined;
  readonly nodes: readonly ConnectedNode[];
}

/** What needs attention, problems first. */
export async function attentionCard(services: Facts, known: Known): Promise<Html> {
  const all = [
    ...findNodes(services, known),
    ...(await findFailures(services, known)),
    ...findData(services, known),
    ...(await findKeys(services)),
    ...(await findSettings(services)),
  ].filter((finding) => finding !== false);
  const isProblem = ({ kind }: Finding): boolean => kind === 'problem';
  const sorted = [...all.filter(isProblem), ...all.filter((finding) => !isProblem(finding))];
  return (
    <section class="card attention" aria-labelledby="attention">
      <h2 id="attention">{sorted.length === 0 ? 'Nothing needs attention' : 'Needs attention'}</h2>
      {sorted.length > 0 && (
        <ul class="bare">
          {sorted.map(({ kind, subject, text, link: [path, label] }) => (
            <li>
              <Badge tone={kind === 'problem' ? 'bad' : 'warn'}>{subject}</Badge>
              <span>{text}</span>
              <a href={path}>{label}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function findNodes({ node, unready }: Facts, { nodes }: Known): Findings {
  const reasons = unready();
  return [
    reasons.length > 0 && {
      kind: 'problem',
      subject: 'Nodes',
      text: `This node is not ready: ${reasons.join('; ')}.`,
      link: [`${PATH}#health`, 'This node'],
    },
    ...nodes.filter(isSilent).map(
      ({ name, silence }): Finding => ({
        kind: 'problem',
        subject: 'Nodes',
        text: `Node ${name} has not answered for ${durationText(silence * 1_000)}. Check that it runs.`,
        link: ['/docs/troubleshooting', 'Troubleshooting'],
      }),
    ),
    node.limits() === 'fallback' && {
      kind: 'problem',
      subject: 'Nodes',
      text: 'Redis does not answer, so each node counts requests by itself. Check that it runs.',
      link: ['/docs/redis', 'About Redis'],
    },
  ];
}

/** Errors and rate-limited requests, where today has clearly more of them than the days before. */
async function findFailures({ prisma, now }: Facts, { rows }: Known): Promise<Findings> {
  const today = now() - (now() % DAY_MS);
  const sumOf = (from: number, to: number) =>
    tally(rows.filter(({ start }) => start.getTime() >= from && start.getTime() < to));
  const [current, before] = [
    sumOf(today, today + DAY_MS),
    sumOf(today - DAYS_BEFORE * DAY_MS, today),
  ] as const;
  const found = (['errors', 'refused'] as const)
    .map((kind) => ({
      kind,
      share: current[kind] / Math.max(1, current.requests),
      usual: before[kind] / Math.max(1, before.requests),
    }))
    .filter(
      ({ kind, share, usual }) =>
        current[kind] >= FAILED_MIN && share >= SHARE_MIN && share >= GROWTH_MIN * usual,
    );
  const { keys } =
    found.length === 0 ? { keys: [] } : await readBusiest(prisma, new Date(today), COMPARED_KEYS);
  return found.map(({ kind, share, usual }) => {
    const [most] = keys.toSorted((one, other) => other[kind] - one[kind]);
    return (
      most !== undefined && {
        kind: kind === 'errors' ? 'problem' : 'check',
        subject: 'Requests',
        text: (
          <>
            {percent(share * 100)} of today’s requests {kind === 'errors' ? 'failed' : 'were rate limited'},
            against {percent(usual * 100)} in the {DAYS_BEFORE} days before. Most of them are of{' '}
            {most.label ?? most.id}.
          </>
        ),
        link: [`${PATH}/keys/${most.id}`, 'Open the key'],
      }
    );
  });
}

function findData({ node, now }: Facts, { lastImport }: Known): Findings {
  const upload = [UPLOAD_PATH, 'Upload a file'] as const;
  const { size } = node.catalogue.current();
  return lastImport === undefined
    ? [
        {
          kind: 'check',
          subject: 'Data',
          text: `Nothing was imported yet${size > 0 ? ', so customers get the sample' : ''}. Import your startups.`,
          link: upload,
        },
      ]
    : [
        isStale(lastImport.finishedAt, now()) && {
          kind: 'check',
          subject: 'Data',
          text: `The last import was ${sinceText(lastImport.finishedAt, now())}. Import current data.`,
          link: upload,
        },
        lastImport.rejected > 0 && {
          kind: 'check',
          subject: 'Data',
          text: `The last import rejected ${amount(lastImport.rejected, 'record')}. Correct them, and import them again.`,
          link: [`${PATH}/imports/${lastImport.id}`, 'Open the import'],
        },
      ];
}

async function findKeys({ prisma, now }: Facts): Promise<Findings> {
  const [at, soon] = [new Date(now()), new Date(now() + SOON_MS)];
  // A key that was replaced is meant to end.
  const [first] = await prisma.$queryRaw<{ id: string; name: string; expiresAt: Date; all: number }[]>`
    SELECT id, name, expires_at AS "expiresAt", count(*) OVER ()::int AS all FROM api_keys AS k
    WHERE revoked_at IS NULL AND disabled_at IS NULL AND expires_at > ${at} AND expires_at < ${soon}
      AND NOT EXISTS (SELECT FROM api_keys AS next WHERE next.rotated_from = k.id)
    ORDER BY expires_at, id LIMIT 1`;
  const demo = await prisma.apiKey.findFirst({
    where: { demo: true, disabledAt: null, ...workingAt(at) },
    select: { id: true },
  });
  return [
    first !== undefined && {
      kind: 'check',
      subject: 'Keys',
      text: `${first.all === 1 ? 'A key expires' : `${amount(first.all, 'key')} expire`} soon, ${first.all === 1 ? '' : 'the first '}in ${durationText(first.expiresAt.getTime() - at.getTime())}: ${first.name}. Ask for its rotation if it is still used.`,
      link: [`${PATH}/keys/${first.id}`, 'Open the key'],
    },
    demo !== null && {
      kind: 'check',
      subject: 'Security',
      text: 'The demo key of the first start still works. Disable it before others use this server.',
      link: [`${PATH}/keys/${demo.id}`, 'Open the key'],
    },
  ];
}

async function findSettings({ prisma, mail, isInvitedOnly, policy }: Facts): Promise<Findings> {
  const count = mail === 'smtp' ? 0 : await prisma.account.count({ where: unconfirmed });
  return [
    mail === 'none' &&
      !isInvitedOnly && {
        kind: 'check',
        subject: 'Email',
        text: 'Without a mail server, nobody can sign up with an address. Set SMTP_URL, or invite people.',
        link: [`${PATH}/accounts`, 'Accounts'],
      },
    mail === 'terminal' &&
      !isInvitedOnly && {
        kind: 'check',
        subject: 'Email',
        text: 'Everyone can sign up, but without a mail server, emails are only printed in the terminal. Set SMTP_URL.',
        link: ['/docs/settings', 'Settings'],
      },
    count > 0 && {
      kind: 'check',
      subject: 'Email',
      text: `${amount(count, 'account')} cannot confirm an address without a mail server. Pass on a link to set a password.`,
      link: [`${PATH}/accounts?state=unconfirmed`, 'Accounts'],
    },
    isBundled(policy) && {
      kind: 'check',
      subject: 'Policy',
      text: 'The acceptable-use policy is the bundled one. Write your own, and set POLICY_FILE.',
      link: [`${PATH}/policies/${policy.version}`, 'Read it'],
    },
  ];
}
