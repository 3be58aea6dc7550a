import { unconfirmed } from '../../../access/accounts/account.ts';
import { workingAt } from '../../../access/keys/key.ts';
import { isBundled } from '../../../access/keys/policy.ts';
import { type ConnectedNode, isSilent } from '../../../db/nodes.ts';
import { amount } from '../../../lib/text/amount.ts';
import type { ImportEntry } from '../../../startups/import/import-log.ts';
import { Badge } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { durationText, isStale, sinceText } from '../../shared/time.tsx';
import { UPLOAD_PATH } from '../imports/upload-parts.tsx';
import type { Services } from '../services.ts';
import { OPERATOR_PATH as PATH } from './list-page.tsx';

/** Something that an operator can do something about: what it is about, what to do, if it is so, and a link. */
type Finding = readonly [subject: Subject, text: string | false, link: Html];
type Subject = 'Nodes' | 'Data' | 'Security' | 'Email' | 'Policy';
type Facts = Pick<Services, 'prisma' | 'node' | 'unready' | 'now' | 'mail' | 'isInvitedOnly' | 'policy'>;

/** What the overview has already read. */
interface Known {
  readonly lastImport: ImportEntry | undefined;
  readonly nodes: readonly ConnectedNode[];
}

/** What needs attention, problems first: those of nodes. */
export async function attentionCard(services: Facts, known: Known): Promise<Html> {
  const found = (await findAll(services, known)).filter(([, text]) => text !== false);
  return (
    <section class="card attention" aria-labelledby="attention">
      <h2 id="attention">{found.length === 0 ? 'Nothing needs attention' : 'Needs attention'}</h2>
      {found.length > 0 && (
        <ul class="bare">
          {found.map(([subject, text, link]) => (
            <li class="actions">
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

async function findAll(
  { prisma, node, unready, now, mail, isInvitedOnly, policy }: Facts,
  { nodes, lastImport }: Known,
): Promise<readonly Finding[]> {
  const reasons = unready();
  const demo = await prisma.apiKey.findFirst({
    where: { demo: true, disabledAt: null, ...workingAt(new Date(now())) },
    select: { id: true },
  });
  const waiting = mail === 'smtp' ? 0 : await prisma.account.count({ where: unconfirmed });
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
        `The last import rejected ${amount(lastImport.rejected, 'record')}. Correct them, and import them again.`,
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
      mail === 'none' &&
        isOpen &&
        'Without a mail server, nobody can sign up with an address. Set SMTP_URL, or invite people.',
      link(`${PATH}/accounts`, 'Accounts'),
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
      link(`${PATH}/accounts?state=unconfirmed`, 'Accounts'),
    ],
    [
      'Policy',
      isBundled(policy) &&
        'The acceptable-use policy is the bundled one. Write your own, and set POLICY_FILE.',
      link(`${PATH}/policies/${policy.version}`, 'Read it'),
    ],
  ];
}
