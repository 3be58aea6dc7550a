import { page as readPaged } from '../../../db/read-page.ts';
import { readStoredLeftOut, writtenOnPage } from '../../../startups/import/columns/words.ts';
import {
  getImport,
  type ImportDetail,
  type ImportEntry,
  type ImportVia,
  listImports,
} from '../../../startups/import/import-log.ts';
import { page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { changesText } from '../../parts/imports/changes-text.ts';
import { linkTo, listTable, readSearch } from '../../parts/lists/lists.tsx';
import { Badge, buttonLink, type Column, EmptyState, Facts } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, UPLOAD_PATH } from '../../shared/paths.ts';
import { secondsText, time } from '../../shared/time.tsx';
import { quoted } from './mapping-form.ts';
import { ALL_IMPORTS, ChangeFigures, LIST_PATH, Notes, omitted } from './upload-parts.tsx';

/** The earlier imports: who, when, from where and what changed; each has a page with its details. */
export function importListPages({ prisma }: Services) {
  return [
    page({
      path: LIST_PATH,
      view: async ({ context }) => {
        const found = await readPaged(readSearch(context), ({ skip, take }) =>
          listImports(prisma, take, skip),
        );
        return {
          title: pageLinks.imports.label,
          action: found.items.length > 0 && buttonLink(UPLOAD_PATH, 'Upload a file'),
          main: listTable(context, found, columns, { empty }),
        };
      },
    }),
    page({
      path: `${LIST_PATH}/:id`,
      load: ({ id }) => getImport(prisma, /^\d{1,9}$/.test(id) ? Number(id) : 0),
      view: (_, entry) => ({
        title: `Import of ${sourcesOf(entry)}`,
        back: ALL_IMPORTS,
        main: <ImportDetails {...entry} />,
      }),
    }),
  ];
}

function ImportDetails(entry: ImportDetail): Html {
  const { finishedAt, durationMs, asOf, rejected, via, notes, leftOut, first, names } = entry;
  const rowsLeftOut = notes.flatMap((note) => readStoredLeftOut(note) ?? []);
  const told = notes.filter((note) => readStoredLeftOut(note) === undefined);
  return (
    <>
      <ChangeFigures of={entry} />
      <Notes notes={told.map(writtenOnPage)} />
      <section class="card">
        <Facts
          facts={[
            ['When', time(finishedAt, 'minute')],
            asOf !== null && ['Data of', asOf],
            ['By', userOf(entry)],
            ['Source', vias[via]],
            ['Duration', secondsText(durationMs)],
            first.length > 0 && [
              'First startups',
              first.map((slug, index) => [
                index > 0 && ', ',
                <a href={`${EXPLORER_PATH}/${slug}`}>{names[index] ?? slug}</a>,
              ]),
            ],
            ...omitted(leftOut, rowsLeftOut.map(quoted)),
          ]}
        />
        {rejected > 0 && (
          <p class="soft small">
            Rejected records are not stored here.{' '}
            {via === 'dashboard' ? (
              'Correct them in your file, and upload it again: its preview lists their errors.'
            ) : (
              <>
                <code>npx revgate import --skip-invalid</code> writes them, with their errors, to a file
                beside the first input (<code>NAME.rejects.ndjson</code>), or to the file of{' '}
                <code>--rejects</code>.
              </>
            )}
          </p>
        )}
        <div class="actions">
          {buttonLink(EXPLORER_PATH, 'Open the explorer')}
          {buttonLink(UPLOAD_PATH, 'Upload another file', 'second')}
        </div>
      </section>
    </>
  );
}

const empty = (
  <EmptyState
    title="No import yet"
    text="Upload a file, or import with a program. The sample data that the first start loads is not listed."
  >
    {buttonLink(UPLOAD_PATH, 'Upload a file')}
  </EmptyState>
);

const columns: readonly Column<ImportEntry>[] = [
  [
    'When',
    (entry) => (
      <span class="two-lines">
        <a href={`${LIST_PATH}/${entry.id}`}>{time(entry.finishedAt, 'minute')}</a>
        <span class="soft">by {userOf(entry)}</span>
      </span>
    ),
  ],
  // Only what was applied is recorded.
  [
    'Result',
    ({ rejected }) =>
      rejected > 0 ? (
        <Badge tone="warn">{count(rejected)} rejected</Badge>
      ) : (
        <Badge tone="good">All imported</Badge>
      ),
  ],
  [
    'File',
    (entry) => (
      <span class="two-lines">
        <span>{sourcesOf(entry)}</span>
        <span class="soft">
          {vias[entry.via]}
          {entry.asOf !== null && `, data of ${entry.asOf}`}
        </span>
      </span>
    ),
    'line',
  ],
  ['Changes', changesText, 'named line'],
  ['Duration', ({ durationMs }) => secondsText(durationMs), 'number'],
];

/** How an import was started, in words. */
const vias: Readonly<Record<ImportVia, string>> = {
  command: 'Command line',
  http: 'HTTP',
  dashboard: 'Dashboard',
};

const sourcesOf = ({ sources }: ImportEntry): string =>
  sources.map((one) => (one === '-' ? 'standard input' : one)).join(', ');

const userOf = ({ importedBy, email }: ImportEntry): Content => linkTo(importedBy, email ?? importedBy);
