import { actions, searchAudit } from '../../../access/audit/audit-log.ts';
import { getPolicyText, listPolicies } from '../../../access/keys/policy.ts';
import { Badge } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import { renderMarkdown } from '../../shared/markdown.tsx';
import { time } from '../../shared/time.tsx';
import { page } from '../page.ts';
import type { Services } from '../services.ts';
import { linkTo, listTable, OPERATOR_PATH, searchPage } from './list-page.tsx';

const POLICIES_PATH = `${OPERATOR_PATH}/policies`;
/** There are only a few per year. */
const POLICIES_MAX = 200;

/** Records for operators: the policy and the audit log. */
export function recordPages({ prisma, policy }: Services) {
  return [
    page({
      path: POLICIES_PATH,
      view: async ({ context }) => ({
        title: 'Policy',
        main: (
          <>
            {listTable(
              context,
              { items: await listPolicies(prisma, POLICIES_MAX), hasMore: false },
              [
                [
                  'Version',
                  ({ version }) => (
                    <>
                      <a href={`${POLICIES_PATH}/${version}`}>{version}</a>{' '}
                      {version === policy.version && <Badge tone="good">in force</Badge>}
                    </>
                  ),
                ],
                ['Recorded', ({ recordedAt }) => time(recordedAt, 'minute')],
                ['Accounts that accepted it', ({ acceptances }) => count(acceptances)],
              ],
              { caption: 'Every version of the acceptable-use policy that was ever in force' },
            )}
            <p class="soft small">
              To publish a new version, change the text and the date in the file that <code>POLICY_FILE</code>{' '}
              names, by default <code>docs/policy.md</code> of the installation. Then restart the server.
            </p>
          </>
        ),
      }),
    }),
    page({
      path: `${POLICIES_PATH}/:version`,
      view: async ({ context }) => {
        const version = context.req.param('version') ?? '';
        const text = await getPolicyText(prisma, version);
        const main = <div class="card prose">{renderMarkdown(text)}</div>;
        return { title: `Policy ${version}`, back: 'All versions', main };
      },
    }),
    page({
      path: `${OPERATOR_PATH}/audit`,
      view: (visit) =>
        searchPage(visit, {
          title: 'Audit log',
          hint: 'Id of a key or account, version, or actor',
          choice: { name: 'action', label: 'Action', values: actions },
          find: (search, state) => searchAudit(prisma, { ...search, state }),
          columns: [
            ['Time', ({ at }) => time(at, 'minute')],
            ['Actor', ({ actor }) => linkTo(actor)],
            ['Action', ({ action }) => <Badge>{action}</Badge>],
            ['Subject', ({ subject }) => linkTo(subject)],
            ['Details', ({ details }) => detailsText(details), 'wrap'],
          ],
        }),
    }),
  ];
}

function detailsText(details: unknown): string {
  return Object.entries((details ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
