import { Hono } from 'hono';
import { searchAudit } from '../../../audit/list.ts';
import { actions } from '../../../audit/run-action.ts';
import { page } from '../../../db/read-page.ts';
import { getPolicyText, listPolicies } from '../../../keys/policy.ts';
import { type ImportEntry, listImports } from '../../../startups/import/import-log.ts';
import { Badge, type Column, EmptyState } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { renderMarkdown } from '../../shared/markdown.tsx';
import { time } from '../../shared/time.tsx';
import { uploadLink } from '../imports/upload-link.tsx';
import type { SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { listTable, operatorPage, readSearch, searchPage } from './frame.tsx';

const PATH = '/dashboard/operator';
/** There are only a few per year. */
const POLICIES_MAX = 200;

/** Records for operators: the policy, imports, and the audit log. */
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
            'Every version of the acceptable-use policy that was ever in force',
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

  const imports = async (context: SignedInContext): Promise<Response> => {
    const wanted = readSearch(context);
    const found = await page(wanted, ({ skip, take }) => listImports(prisma, take, skip));
    return context.render(
      operatorPage(
        `${PATH}/imports`,
        'Imports',
        found.items.length === 0 && wanted.page === 1 ? (
          <EmptyState title="No import yet">
            <p class="soft">The sample data that the first start loads is not listed.</p>
          </EmptyState>
        ) : (
          <>
            {listTable(context, found, importColumns)}
            <p class="soft small">
              Rejected records are not stored here. <code>npx revgate import --skip-invalid</code> writes
              them, with their errors, to a file beside the first input (<code>NAME.rejects.ndjson</code>), or
              to the file of <code>--rejects</code>.
            </p>
          </>
        ),
        { action: uploadLink },
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
    .get(`${PATH}/imports`, imports)
    .get(`${PATH}/audit`, audit);
}

const importColumns: readonly Column<ImportEntry>[] = [
  [
    'Source',
    ({ sources, importedBy, email, via, durationMs }) => (
      <span class="two-lines">
        <span>{sources.map((one) => (one === '-' ? 'standard input' : one)).join(', ')}</span>
        <span class="soft">
          by {linkTo(importedBy, email ?? importedBy)}, {vias[via] ?? via}, in{' '}
          {(durationMs / 1_000).toFixed(1)} s
        </span>
      </span>
    ),
  ],
  [
    'Time',
    ({ finishedAt, asOf }) => (
      <>
        {time(finishedAt, 'minute')} {asOf !== null && <span class="soft">as of {asOf}</span>}
      </>
    ),
  ],
  ['Created', ({ created }) => count(created), 'number'],
  ['Updated', ({ updated }) => count(updated), 'number'],
  ['Unchanged', ({ unchanged }) => count(unchanged), 'number'],
  [
    'Rejected',
    ({ rejected }) => (rejected > 0 ? <Badge tone="warn">{count(rejected)}</Badge> : count(rejected)),
    'number',
  ],
  ['Removed', ({ removed }) => count(removed), 'number'],
];

/** How an import was started, in words. */
const vias: Readonly<Record<string, string>> = {
  command: 'from the command line',
  http: 'over HTTP',
  dashboard: 'in the dashboard',
};

/** An id of a key or account as a link; any other text unchanged. */
function linkTo(id: string, text = id): Content {
  const [, kind] = /^(key|acc)_[0-9A-Za-z]{12}$/.exec(id) ?? [];
  return kind === undefined ? (
    text
  ) : (
    <a class="mono" href={`${PATH}/${kind === 'key' ? 'keys' : 'accounts'}/${id}`}>
      {text}
    </a>
  );
}

function detailsText(details: unknown): string {
  const known = Object.entries((details ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return known
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
