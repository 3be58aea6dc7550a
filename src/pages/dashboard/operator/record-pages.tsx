import { Hono } from 'hono';
import { actions } from '../../../audit/act.ts';
import { type AuditRecord, searchAudit } from '../../../audit/list.ts';
import { page } from '../../../db/paged.ts';
import { getPolicyText, listPolicies } from '../../../keys/policy.ts';
import { type ImportEntry, listImports } from '../../../startups/import/history.ts';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { renderMarkdown } from '../../shared/markdown.tsx';
import { time } from '../../shared/time.tsx';
import type { SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { listTable, operatorPage, readSearch, searchForm } from './frame.tsx';

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
            { items: versions, hasMore: false },
            { path: `${PATH}/policies`, query: new URLSearchParams(), page: 1 },
            {
              caption: 'Every version of the acceptable-use policy that was ever in force',
              heads: ['Version', 'Recorded', 'Accounts that accepted it'],
              row: ({ version, recordedAt, acceptances }) => (
                <tr>
                  <th scope="row">
                    <a href={`${PATH}/policies/${version}`}>{version}</a>{' '}
                    {version === policy.version && <span class="badge good">in force</span>}
                  </th>
                  <td data-label="Recorded">{time(recordedAt, 'minute')}</td>
                  <td data-label="Accounts that accepted it">{count(acceptances)}</td>
                </tr>
              ),
            },
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
          <section class="card empty">
            <h2>No import yet</h2>
            <p class="soft">The sample data that the first start loads is not listed.</p>
          </section>
        ) : (
          <>
            {listTable(
              found,
              {
                path: `${PATH}/imports`,
                query: new URLSearchParams(context.env.request.query),
                page: wanted.page,
              },
              {
                caption: 'Newest first',
                heads: [
                  'Source',
                  'Time',
                  'User',
                  'Duration',
                  'Created',
                  'Updated',
                  'Unchanged',
                  'Rejected',
                  'Removed',
                ],
                row: importRow,
              },
            )}
            <p class="soft small">
              Rejected records are not stored here. <code>revgate import --skip-invalid</code> writes them,
              with their errors, to a file beside the first input (<code>NAME.rejects.ndjson</code>), or to
              the file of <code>--rejects</code>.
            </p>
          </>
        ),
      ),
    );
  };

  const audit = async (context: SignedInContext): Promise<Response> => {
    const wanted = readSearch(context);
    const action = actions.find((one) => one === context.req.query('action'));
    const found = await searchAudit(prisma, { ...wanted, action });
    return context.render(
      operatorPage(
        `${PATH}/audit`,
        'Audit log',
        <>
          {searchForm(`${PATH}/audit`, wanted.text, 'Id of a key or account, version, or actor', {
            name: 'action',
            label: 'Action',
            value: action ?? '',
            options: [['', 'any'], ...actions.map((one) => [one, one] as const)],
          })}
          {listTable(
            found,
            {
              path: `${PATH}/audit`,
              query: new URLSearchParams(context.env.request.query),
              page: wanted.page,
            },
            {
              caption: 'Newest first',
              heads: ['Time', 'Actor', 'Action', 'Subject', 'Details'],
              row: auditRow,
            },
          )}
        </>,
      ),
    );
  };

  return new Hono<SignedInEnv>()
    .get(`${PATH}/policies`, policies)
    .get(`${PATH}/policies/:version`, policyText)
    .get(`${PATH}/imports`, imports)
    .get(`${PATH}/audit`, audit);
}

function importRow(entry: ImportEntry): Html {
  const numbers = (['created', 'updated', 'unchanged', 'rejected', 'removed'] as const).map((name) => {
    const shown = count(entry[name]);
    return (
      <td data-label={name}>
        {name === 'rejected' && entry.rejected > 0 ? <span class="badge warn">{shown}</span> : shown}
      </td>
    );
  });
  return (
    <tr>
      <th scope="row">
        {entry.sources.map((source) => (source === '-' ? 'standard input' : source)).join(', ')}
      </th>
      <td data-label="Time">
        {time(entry.finishedAt, 'minute')}{' '}
        {entry.asOf !== null && <span class="soft">as of {entry.asOf}</span>}
      </td>
      <td data-label="User">{entry.importedBy}</td>
      <td data-label="Duration">{(entry.durationMs / 1_000).toFixed(1)} s</td>
      {numbers}
    </tr>
  );
}

function auditRow({ at, actor, action, subject, details }: AuditRecord): Html {
  const text = describe(details);
  return (
    <tr>
      <th scope="row">{time(at, 'minute')}</th>
      <td data-label="Actor">{linkTo(actor)}</td>
      <td data-label="Action">
        <span class="badge">{action}</span>
      </td>
      <td data-label="Subject">{linkTo(subject)}</td>
      <td class={text === '' ? 'wrap none' : 'wrap'} data-label="Details">
        {text}
      </td>
    </tr>
  );
}

/** An id of a key or account as a link; any other text unchanged. */
function linkTo(id: string): Content {
  const [, kind] = /^(key|acc)_[0-9A-Za-z]{12}$/.exec(id) ?? [];
  return kind === undefined ? (
    id
  ) : (
    <a class="mono" href={`${PATH}/${kind === 'key' ? 'keys' : 'accounts'}/${id}`}>
      {id}
    </a>
  );
}

function describe(details: unknown): string {
  const known = Object.entries((details ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return known
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
