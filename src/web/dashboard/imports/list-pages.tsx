import { rightToImport } from '../../../access/accounts/operators.ts';
import { page as readPaged } from '../../../db/read-page.ts';
import { amount, errorStatuses, type OperatorError } from '../../../lib/errors.ts';
import { RightEndedError } from '../../../startups/import/apply.ts';
import { type ImportFields, importFieldsFor } from '../../../startups/import/columns/import-fields.ts';
import { readStoredLeftOut, writtenOnPage } from '../../../startups/import/columns/words.ts';
import { ImportRunningError } from '../../../startups/import/import.ts';
import {
  getImport,
  type ImportDetail,
  type ImportEntry,
  type ImportVia,
  listImports,
} from '../../../startups/import/import-log.ts';
import { UndoConflictError, type UndoReport } from '../../../startups/import/undo.ts';
import { readOwnFields } from '../../../startups/own/declarations.ts';
import { withNotice } from '../../page/notices.ts';
import { OtherPage, type Page, page, type Visit } from '../../page/page.ts';
import { RoleEndedError, type Services } from '../../page/services.ts';
import { changesText } from '../../parts/imports/changes-text.ts';
import { linkTo, listTable, readSearch } from '../../parts/lists/lists.tsx';
import { Badge, buttonLink, type Column, EmptyState, Facts, Figures } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, UPLOAD_PATH } from '../../shared/paths.ts';
import { refusal } from '../../shared/refusal.tsx';
import { secondsText, time } from '../../shared/time.tsx';
import { ALL_IMPORTS } from './kept-file.tsx';
import { quoted } from './mapping-form.ts';
import { afterOthers } from './others.ts';
import { ChangeFigures, LIST_PATH, Notes, omitted, startupNames } from './upload-parts.tsx';

/** The earlier imports: who, when, from where and what changed; each has a page with its details, and can be undone there. */
export function importListPages({ prisma, imports, operators }: Services) {
  const load = (id: string) => getImport(prisma, /^\d{1,9}$/.test(id) ? Number(id) : 0);

  const undo = async (visit: Visit, { id }: ImportEntry, dryRun: boolean): Promise<UndoReport> => {
    const { visitor, acting, context } = visit;
    const authorize = rightToImport({ accountId: visitor.id, by: { session: visitor.sessionId } }, operators);
    const job = { importId: id, dryRun, user: visitor.id, authorize };
    const signal = context.env.request.disconnected();
    try {
      return await afterOthers(
        () => imports.importer.undo(job, signal),
        async () => requireNotUndone(await getImport(prisma, id), visit),
        signal,
      );
    } catch (error) {
      if (error instanceof RightEndedError) {
        // Says which right.
        await acting.authorize?.(prisma);
        throw new RoleEndedError();
      }
      if (error instanceof UndoConflictError || error instanceof ImportRunningError) {
        throw new OtherPage(notUndone(error, visit));
      }
      throw error;
    }
  };

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
      load: ({ id }) => load(id),
      view: async (_, entry) => ({
        title: titleOf(entry),
        back: ALL_IMPORTS,
        main: <ImportDetails fields={importFieldsFor(await readOwnFields(prisma))} entry={entry} />,
      }),
    }),
    page({
      path: `${LIST_PATH}/:id/undo`,
      isGuarded: true,
      load: async (visit) => {
        const entry = await load(visit.id);
        requireNotUndone(entry, visit);
        return entry;
      },
      view: async (visit, entry) => ({
        title: 'Undo this import?',
        back: { name: titleOf(entry) },
        isDanger: true,
        button: 'Undo import',
        children: <UndoFacts {...(await undo(visit, entry, true))} />,
      }),
      act: async (visit, entry) => {
        await undo(visit, entry, false);
        return withNotice(visit.up, 'undone');
      },
    }),
  ];
}

/** @throws OtherPage for an import that is undone, such as by the same form. */
function requireNotUndone({ id, undoneAt, undoneBy, undoneByEmail }: ImportDetail, { up }: Visit): void {
  if (undoneAt !== null) {
    throw new OtherPage({
      title: 'This import is undone',
      status: errorStatuses.UNDO_CONFLICT,
      back: ALL_IMPORTS,
      main: (
        <>
          <p class="lead">
            Import {id} was undone {time(undoneAt, 'minute')} by {undoneByEmail ?? undoneBy}. Nothing was
            changed now.
          </p>
          <p class="actions">{buttonLink(up, 'Back to the import')}</p>
        </>
      ),
    });
  }
}

/** Why nothing was undone: another import is the last one or runs, or startups were changed since. */
function notUndone({ message }: OperatorError, { up }: Visit): Page {
  const code = 'UNDO_CONFLICT';
  const links = [{ path: up, label: 'Back to the import' }];
  return { ...refusal({ code, message, links }), status: errorStatuses[code], back: ALL_IMPORTS };
}

/** What undoing an import would do, in figures and with the first startups of each kind. */
function UndoFacts({
  import: id,
  finishedAt,
  sources,
  restored,
  returned,
  removed,
  emails,
}: UndoReport): Html {
  const more = emails.count > emails.first.length ? ' and others' : '';
  return (
    <>
      <Figures
        figures={[
          ['Changed back', count(restored.count)],
          ['There again', count(returned.count)],
          ['Gone', removed.count > 0 ? <span class="lost">{count(removed.count)}</span> : '0'],
        ]}
      />
      <Facts
        facts={[
          ['Import', `${id}, ${namesOf(sources)}`],
          ['When', time(finishedAt, 'minute')],
          restored.count > 0 && [
            'Get their earlier values',
            startupNames(restored.first, restored.count, true),
          ],
          returned.count > 0 && ['Are there again', startupNames(returned.first, returned.count)],
          removed.count > 0 && ['Are gone', startupNames(removed.first, removed.count, true)],
          emails.count > 0 && [
            'Emails sent since',
            `${amount(emails.count, 'email')} about searches and saved startups, to ${emails.first.join(', ')}${more}`,
          ],
        ]}
      />
      <p>
        All data except the sample is then as it was before this import. The same file can be imported again.
      </p>
    </>
  );
}

function ImportDetails({
  fields,
  entry,
}: {
  readonly fields: ImportFields;
  readonly entry: ImportDetail;
}): Html {
  const { finishedAt, durationMs, asOf, rejected, via, notes, leftOut, first, names } = entry;
  const { id, undoneAt, undoneBy, undoneByEmail, isUndoable } = entry;
  const rowsLeftOut = notes.flatMap((note) => readStoredLeftOut(note) ?? []);
  const told = notes.filter((note) => readStoredLeftOut(note) === undefined);
  return (
    <>
      <ChangeFigures of={entry} />
      <Notes notes={told.map((note) => writtenOnPage(fields, note))} />
      <section class="card">
        <Facts
          facts={[
            ['When', time(finishedAt, 'minute')],
            asOf !== null && ['Data of', asOf],
            ['By', userOf(entry)],
            ['Source', vias[via]],
            ['Duration', secondsText(durationMs)],
            undoneAt !== null && [
              'Undone',
              [time(undoneAt, 'minute'), ' by ', linkTo(undoneBy ?? '', undoneByEmail ?? undoneBy ?? '')],
            ],
            first.length > 0 && [
              'First startups',
              startupNames(
                first.map((slug, index) => ({ slug, name: names[index] ?? slug })),
                first.length,
                true,
              ),
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
          {isUndoable && buttonLink(`${LIST_PATH}/${id}/undo`, 'Undo …', 'second')}
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
    ({ rejected, undoneAt }) =>
      undoneAt !== null ? (
        <Badge>Undone</Badge>
      ) : rejected > 0 ? (
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

const namesOf = (sources: readonly string[]): string =>
  sources.map((one) => (one === '-' ? 'standard input' : one)).join(', ');

const sourcesOf = ({ sources }: ImportEntry): string => namesOf(sources);

const titleOf = (entry: ImportEntry): string => `Import of ${sourcesOf(entry)}`;

const userOf = ({ importedBy, email }: ImportEntry): Content => linkTo(importedBy, email ?? importedBy);
