import type { OperatorError } from '../../../lib/errors.ts';
import type { KeptUpload, KeptUploads } from '../../../startups/import/kept-upload.ts';
import { type Form, OtherPage, type Page } from '../../page/page.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { IMPORTS_PATH, UPLOAD_PATH } from '../../shared/paths.ts';
import { bytesText } from '../../shared/steps.tsx';
import { time } from '../../shared/time.tsx';
import { type AskedReturn, type ImportSettings, quoted } from './mapping-form.ts';

/** What leads from a page to all imports. */
export const ALL_IMPORTS = { path: IMPORTS_PATH, label: 'All imports' };

/** What was answered about a file, and how it is to be imported. */
export interface Answers {
  readonly settings: ImportSettings;
  /** The form of the columns as it was sent last: what was typed is shown as it was. */
  readonly sent: Form;
  /** What previews asked about startups that return. */
  readonly returns: readonly AskedReturn[];
  /** The name under which the mapping is to be stored; empty if it is not. */
  readonly save: string;
  /** The lists of a JSON document, one of which is to be chosen. */
  readonly lists: readonly string[];
}

/** An uploaded file that waits for its import. */
export interface KeptFile extends Omit<KeptUpload, 'answers'> {
  readonly answers: Answers;
}

/** A step of an upload that has a page. */
type StepName = 'list' | 'columns' | 'preview';

/** The path of a step, or of what a form does, with the digest of the file that it is for. */
export const pathOfStep = ({ digest }: Pick<KeptFile, 'digest'>, step: StepName | 'remove'): string =>
  `${UPLOAD_PATH}/${digest}/${step}`;

/** The path of the step that a file waits for. */
export const nextPath = (kept: KeptFile): string =>
  pathOfStep(
    kept,
    kept.examination === undefined ? 'list' : kept.examination.questions.length > 0 ? 'columns' : 'preview',
  );

/** The file that an account has uploaded last, if it is still kept. */
export async function findKept(uploads: KeptUploads, accountId: string): Promise<KeptFile | undefined> {
  // What a step of an upload has kept.
  return (await uploads.find(accountId)) as KeptFile | undefined;
}

/** @throws OtherPage if an account has no file with the digest any more, or another one. */
export async function requireKept(
  uploads: KeptUploads,
  accountId: string,
  digest: string,
): Promise<KeptFile> {
  const kept = await findKept(uploads, accountId);
  if (kept?.digest !== digest) {
    throw new OtherPage(kept === undefined ? gone : replaced(kept));
  }
  return kept;
}

/** In place of a step whose file is gone. */
export const gone: Page = {
  status: 404,
  title: 'This file is no longer kept',
  back: ALL_IMPORTS,
  main: [
    <p class="lead">
      Nothing was imported now. A file is kept for an hour, and only until it is imported or removed.
    </p>,
    <p class="actions">
      {buttonLink(UPLOAD_PATH, 'Upload a file')}
      {buttonLink(IMPORTS_PATH, 'See all imports', 'second')}
    </p>,
  ],
};

/** In place of a step of another file than the one that is kept. */
const replaced = (kept: KeptFile): Page => ({
  status: 409,
  title: 'Another file is kept',
  back: ALL_IMPORTS,
  main: [
    <p class="lead">
      Nothing was imported. <strong>{kept.name}</strong> was uploaded {time(kept.keptAt, 'minute')}, and has
      taken the place of the file of this page.
    </p>,
    <p class="actions">
      {buttonLink(nextPath(kept), `Continue with ${kept.name}`)}
      {buttonLink(UPLOAD_PATH, 'Upload a file', 'second')}
    </p>,
  ],
});

/** In place of a step whose answers name fields that cannot be declared as they say: others were declared meanwhile. */
export const otherFields = (kept: KeptFile, error: OperatorError): Page => ({
  status: 409,
  title: 'The fields have changed',
  back: ALL_IMPORTS,
  main: [
    <p class="lead">{error.lines.map(quoted).join(' ')} Nothing was imported.</p>,
    <form class="actions" method="post" action={pathOfStep(kept, 'remove')}>
      {buttonLink(UPLOAD_PATH, 'Upload the file again')}
      <button class="second">Cancel upload</button>
    </form>,
  ],
});

/** On the first step: the file that waits. */
export const waiting = (kept: KeptFile): Content => (
  <section class="card">
    <h2>{kept.name}</h2>
    <p>
      {bytesText(kept.bytes)}, not imported yet. It is kept until {time(kept.expiresAt, 'minute')}, or until
      you upload another file.
    </p>
    <form class="actions" method="post" action={pathOfStep(kept, 'remove')}>
      {buttonLink(nextPath(kept), 'Continue')}
      <button class="second">Remove</button>
    </form>
  </section>
);
