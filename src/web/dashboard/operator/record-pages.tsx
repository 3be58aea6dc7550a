import { Hono } from 'hono';
import { searchAudit } from '../../../access/audit/list.ts';
import { actions } from '../../../access/audit/run-action.ts';
import { getPolicyText, listPolicies } from '../../../access/keys/policy.ts';
import { Badge } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import { renderMarkdown } from '../../shared/markdown.tsx';
import { time } from '../../shared/time.tsx';
import type { SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { linkTo, listTable, operatorPage, searchPage } from './frame.tsx';

const PATH = '/dashboard/operator';
/** There are only a few per year. */
const POLICIES_MAX = 200;

/** Records for operators: the policy and the audit log. */
export function recordRoutes({ prisma, policy }: Services): Hono<SignedInEnv> {
  const policies = async (context: SignedInContext): Promise<Response> => {
    const versions = await listPolicies(prisma, POLICIES_MAX);
    return context.render(
      operatorPage(
        `${PATH}/policies`,
        'Policy',
        <>
          {listTable(
            context,
            { items: versions, hasMore: false },
            [
              [
                'Version',
                ({ version }) => (
                  <>
                    <a href={`${PATH}/policies/${version}`}>{version}</a>{' '}
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
            To publish a new version, change the text and the date in <code>docs/policy.md</code> of the
            installation, then restart the server.
          </p>
        </>,
      ),
    );
  };

  const policyText = async (context: SignedInContext): Promise<Response> => {
    const version = context.req.param('version') ?? '';
    const text = await getPolicyText(prisma, version);
    return context.render(
      operatorPage(
        `${PATH}/policies`,
        `Policy ${version}`,
        <div class="card prose">{renderMarkdown(text)}</div>,
        { back: { path: `${PATH}/policies`, label: 'All versions' } },
      ),
    );
  };

  const audit = (context: SignedInContext): Promise<Response> =>
    searchPage(context, {
      part: `${PATH}/audit`,
      title: 'Audit log',
      hint: 'Id of a key or account, version, or actor',
      choice: { name: 'action', label: 'Action', values: actions },
      find: (search, action) => searchAudit(prisma, { ...search, action }),
      columns: [
        ['Time', ({ at }) => time(at, 'minute')],
        ['Actor', ({ actor }) => linkTo(actor)],
        ['Action', ({ action }) => <Badge>{action}</Badge>],
        ['Subject', ({ subject }) => linkTo(subject)],
        ['Details', ({ details }) => detailsText(details), 'wrap'],
      ],
    });

  return new Hono<SignedInEnv>()
    .get(`${PATH}/policies`, policies)
    .get(`${PATH}/policies/:version`, policyText)
    .get(`${PATH}/audit`, audit);
}

function detailsText(details: unknown): string {
  const known = Object.entries((details ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return known
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
