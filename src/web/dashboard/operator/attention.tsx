import { unconfirmed } from '../../../access/accounts/account.ts';
import { workingAt } from '../../../access/keys/key.ts';
import { isBundled } from '../../../access/keys/policy.ts';
import { type ConnectedNode, isSilent } from '../../../db/nodes.ts';
import { amount } from '../../../lib/text/amount.ts';
import type { ImportEntry } from '../../../startups/import/import-log.ts';
import { Badge } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { durationText, isStale, sinceText } from '../../shared/time.tsx';
import { UPLOAD_PATH } from '../imports/paths.ts';
import type { Services } from '../services.ts';
import { OPERATOR_PATH as PATH } from './list-page.tsx';

/** Something that an operator can do something about: how bad it is, what it is about, what to do, and where. */
type Finding = readonly [
  tone: 'bad' | 'warn',
  subject: 'Nodes' | 'Data' | 'Security' | 'Email' | 'Policy',
  text: string,
  link: readonly [path: string, label: string],
];
type Findings = readonly (Finding | false)[];
type Facts = Pick<Services, 'prisma' | 'node' | 'unready' | 'now' | 'mail' | 'isInvitedOnly' | 'policy'>;

/** What the overview has already read. */
interface Known {
  readonly lastImport: ImportEntry | undefined;
  readonly nodes: readonly ConnectedNode[];
}

/** What needs attention, problems first. */
export async function attentionCard(services: Facts, known: Known): Promise<Html> {
  const all = [
    ...findNodes(services, known),
    ...findData(services, known),
    ...(await findKeys(services)),
    ...(await findSettings(services)),
  ].filter((finding) => finding !== false);
  const sorted = [...all.filter(([tone]) => tone === 'bad'), ...all.filter(([tone]) => tone === 'warn')];
  return (
    <section class="card attention" aria-labelledby="attention">
      <h2 id="attention">{sorted.length === 0 ? 'Nothing needs attention' : 'Needs attention'}</h2>
      {sorted.length > 0 && (
        <ul class="bare">
          {sorted.map(([tone, subject, text, [path, label]]) => (
            <li>
              <Badge tone={tone}>{subject}</Badge>
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
    reasons.length > 0 && [
      'bad',
      'Nodes',
      `This node is not ready: ${reasons.join('; ')}.`,
      [`${PATH}#health`, 'This node'],
    ],
    ...nodes
      .filter(isSilent)
      .map(
        ({ name, silence }): Finding => [
          'bad',
          'Nodes',
          `Node ${name} has not answered for ${durationText(silence * 1_000)}. Check that it runs.`,
          ['/docs/troubleshooting', 'Troubleshooting'],
        ],
      ),
    node.limits() === 'fallback' && [
      'bad',
      'Nodes',
      'Redis does not answer, so each node counts requests by itself. Check that it runs.',
      ['/docs/redis', 'About Redis'],
    ],
  ];
}

function findData({ node, now }: Facts, { lastImport }: Known): Findings {
  const upload = [UPLOAD_PATH, 'Upload a file'] as const;
  if (lastImport === undefined) {
    const sample = node.catalogue.current().size > 0 ? ', so customers get the sample' : '';
    return [['warn', 'Data', `Nothing was imported yet${sample}. Import your startups.`, upload]];
  }
  const { finishedAt, rejected, id } = lastImport;
  return [
    isStale(finishedAt, now()) && [
      'warn',
      'Data',
      `The last import was ${sinceText(finishedAt, now())}. Import current data.`,
      upload,
    ],
    rejected > 0 && [
      'warn',
      'Data',
      `The last import rejected ${amount(rejected, 'record')}. Correct them, and import them again.`,
      [`${PATH}/imports/${id}`, 'Open the import'],
    ],
  ];
}

async function findKeys({ prisma, now }: Facts): Promise<Findings> {
  const demo = await prisma.apiKey.findFirst({
    where: { demo: true, disabledAt: null, ...workingAt(new Date(now())) },
    select: { id: true },
  });
  return [
    demo !== null && [
      'warn',
      'Security',
      'The demo key of the first start still works. Disable it before others use this server.',
      [`${PATH}/keys/${demo.id}`, 'Open the key'],
    ],
  ];
}

async function findSettings({ prisma, mail, isInvitedOnly, policy }: Facts): Promise<Findings> {
  const count = mail === 'smtp' ? 0 : await prisma.account.count({ where: unconfirmed });
  return [
    mail !== 'smtp' &&
      !isInvitedOnly && [
        'warn',
        'Email',
        mail === 'none'
          ? 'Without a mail server, nobody can sign up with an address. Set SMTP_URL, or invite people.'
          : 'Everyone can sign up, but without a mail server, emails are only printed in the terminal. Set SMTP_URL.',
        mail === 'none' ? [`${PATH}/accounts`, 'Accounts'] : ['/docs/settings', 'Settings'],
      ],
    count > 0 && [
      'warn',
      'Email',
      `${amount(count, 'account')} cannot confirm an address without a mail server. Pass on a link to set a password.`,
      [`${PATH}/accounts?state=unconfirmed`, 'Accounts'],
    ],
    isBundled(policy) && [
      'warn',
      'Policy',
      'The acceptable-use policy is the bundled one. Write your own, and set POLICY_FILE.',
      [`${PATH}/policies/${policy.version}`, 'Read it'],
    ],
  ];
}
