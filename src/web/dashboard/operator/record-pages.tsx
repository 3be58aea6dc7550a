import { actions, searchAudit } from '../../../access/audit/audit-log.ts';
import { getPolicyText, listPolicies } from '../../../access/keys/policy.ts';
import { amount } from '../../../lib/errors.ts';
import { page } from '../../page/page.ts';
import { rulesOf } from '../../page/policy.tsx';
import type { Services } from '../../page/services.ts';
import { linkTo, listTable } from '../../parts/lists/lists.tsx';
import { Badge, buttonLink, capitalized } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { renderMarkdown } from '../../shared/markdown.tsx';
import { pageLinks } from '../../shared/page-links.ts';
import { OPERATOR_PATH } from '../../shared/paths.ts';
import { time, timeText, withWholeDates } from '../../shared/time.tsx';
import { readNames, searchPage } from './operator-parts.tsx';

const POLICIES_PATH = pageLinks.policies.path;
/** There are only a few per year. */
const POLICIES_MAX = 200;

/** Records for operators: the policy and the audit log. */
export function recordPages({ prisma, policy }: Services) {
  return [
    page({
      path: POLICIES_PATH,
      view: async ({ context }) => ({
        title: pageLinks.policies.label,
        action: buttonLink(`${POLICIES_PATH}/${policy.version}`, 'Read the policy', 'second'),
        main: [
          <div class="columns halves">
            <div>
              {listTable(
                context,
                { items: await listPolicies(prisma, POLICIES_MAX), hasMore: false },
                [
                  [
                    'Version',
                    ({ version }) => (
                      <>
                        <a href={`${POLICIES_PATH}/${version}`}>{version}</a>{' '}
                        {version === policy.version && <Badge tone="good">In force</Badge>}
                      </>
                    ),
                  ],
                  ['Recorded', ({ recordedAt }) => time(recordedAt, 'minute')],
                  ['Accepted by', ({ acceptances }) => amount(acceptances, 'account')],
                ],
                { caption: 'Every version of the acceptable-use policy that was ever in force' },
              )}
              <section class="card">
                <h2>Publish a new version</h2>
                <ol>
                  <li>
                    Change the text and the date in the file that <code>POLICY_FILE</code> names, by default{' '}
                    <code>docs/policy.md</code> of the installation.
                  </li>
                  <li>Restart the server. Each account is then asked to accept it.</li>
                </ol>
              </section>
            </div>
            <section class="card">{rulesOf(policy)}</section>
          </div>,
        ],
      }),
    }),
    page({
      path: `${POLICIES_PATH}/:version`,
      view: async ({ context }) => {
        const version = context.req.param('version') ?? '';
        const text = await getPolicyText(prisma, version);
        const main = <div class="card prose">{renderMarkdown(text)}</div>;
        return { title: `Policy ${version}`, back: { path: POLICIES_PATH, label: 'All versions' }, main };
      },
    }),
    page({
      path: `${OPERATOR_PATH}/audit`,
      view: (visit) =>
        searchPage(visit, {
          title: pageLinks.audit.label,
          layout: 'sentence',
          hint: 'Actor, ID or policy version',
          choice: { name: 'action', label: 'Action', values: actions, textOf: actionText },
          find: async (search, state) => {
            const { items, hasMore } = await searchAudit(prisma, { ...search, state });
            const names = await readNames(
              prisma,
              items.flatMap(({ actor, subject, details }) => [
                actor,
                subject,
                ...Object.values(details ?? {}).filter((value) => typeof value === 'string'),
              ]),
            );
            return { items: items.map((entry) => ({ ...entry, names })), hasMore };
          },
          columns: [
            ['Time', ({ at }) => time(at, 'minute'), 'aside'],
            ['Actor', ({ actor, names }) => linkTo(actor, names.get(actor)), 'line'],
            ['Action', ({ action }) => <Badge>{actionText(action)}</Badge>],
            [
              'Subject',
              ({ action, subject, names }) =>
                action === 'startups.import' || action === 'startups.undo' ? (
                  <a href={`${OPERATOR_PATH}/imports/${subject}`}>import {subject}</a>
                ) : action === 'data.restore' ? (
                  time(new Date(subject), 'minute')
                ) : (
                  linkTo(subject, names.get(subject))
                ),
              'wrap',
            ],
            [
              'Details',
              ({ actor, subject, details, names }) => (
                <span class="soft">{detailsText(details, names, [actor, names.get(subject)])}</span>
              ),
              'line',
            ],
          ],
        }),
    }),
  ];
}

/** Of actions whose names are no verb and its object. */
const irregular: Readonly<Record<string, string>> = {
  'key.tier': 'Changed tier of key',
  'key.limit': 'Changed limit of key',
  'key.documents': 'Changed documents of key',
  'key.allow': 'Allowed snapshots of key',
  'key.forbid': 'Ended snapshots of key',
  'account.link': 'Created link for account',
  'documents.offer': 'Offered feed',
  'documents.withdraw': 'Ended feed',
  'account.factor-set': 'Set up second factor',
  'account.factor-remove': 'Turned off second factor',
  'account.factor-reset': 'Reset second factor',
  'account.recovery-code': 'Used recovery code',
  'key.origins': 'Changed origins of key',
  'field.add': 'Declared field',
  'field.label': 'Renamed field',
  'field.remove': 'Removed field',
  'mails.release': 'Released emails',
};

/** What the name of an action says: that of `key.create` is "Created key". */
function actionText(action: string): string {
  const [object, verb = ''] = action.split('.');
  return irregular[action] ?? `${capitalized(verb)}${verb.endsWith('e') ? 'd' : 'ed'} ${object}`;
}

/** What details are called whose names are no words, or say too little. */
const detailNames: Readonly<Record<string, string>> = {
  accountId: 'account',
  asOf: 'data of',
  dryRun: 'dry run',
  expiresAt: 'expires',
  first: 'first startups',
  leftOut: 'columns left out',
  policyVersion: 'policy',
  revokedKeys: 'revoked keys',
};

/** The details of an entry in short, without what is said beside them: lists last, and of each the first ones. */
function detailsText(
  details: unknown,
  names: ReadonlyMap<string, string>,
  said: readonly unknown[],
): Content {
  const none = [null, '', 0, ...said];
  // What an import noted is on its page; names are of the first startups, whose slugs are shown.
  const { notes, names: _, ...shown } = (details ?? {}) as Record<string, unknown>;
  const texts = Object.entries(shown)
    .filter(([, value]) => !none.includes(Array.isArray(value) ? value.length : value))
    .sort(([, one], [, other]) => Number(Array.isArray(one)) - Number(Array.isArray(other)))
    .map(([name, value]) => {
      const text = Array.isArray(value) ? listText(value) : (names.get(String(value)) ?? shortText(value));
      return `${detailNames[name] ?? name}: ${name === 'expiresAt' ? timeText(new Date(text), 'minute') : text}`;
    });
  return withWholeDates(capitalized(texts.join(' · ')));
}

const SHOWN_ITEMS = 3;
const SHOWN_LETTERS = 80;

const listText = (items: readonly unknown[]): string =>
  items.length <= SHOWN_ITEMS && items.join(', ').length <= SHOWN_LETTERS
    ? items.join(', ')
    : `${shortText(items.slice(0, SHOWN_ITEMS).join(', '))}${items.length > SHOWN_ITEMS ? ` and ${items.length - SHOWN_ITEMS} more` : ''}`;

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_LETTERS ? `${[...text].slice(0, SHOWN_LETTERS).join('')}…` : text;
}
