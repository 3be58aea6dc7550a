import type { ListedDocument } from '../../../access/keys/documents/list.ts';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import type { SentForm } from '../form-actions.ts';
import { field, PostForm } from '../forms.tsx';
import { documentName } from './document-view.tsx';

const EXAMPLE = 'query Top {\n  startups(first: 3) {\n    nodes { name revenue { mrr } }\n  }\n}';

type Checked = Pick<ListedDocument, 'operations'>;

/**
 * The form in which documents are written, checked and published.
 *
 * @param hasFeeds whether the key can have feeds.
 * @param checked the documents of the form, if it was sent to check them and they have no errors.
 */
export function documentEditor(
  path: string,
  hasFeeds: boolean,
  sent: SentForm,
  checked?: readonly Checked[],
): Html {
  const text = sent.values.document ?? '';
  return (
    <section class="card">
      <h2>Publish a document</h2>
      <PostForm
        action={path}
        button="Publish"
        second={
          <button class="second" name="check" value="on">
            Check
          </button>
        }
      >
        {field({
          name: 'document',
          label: 'GraphQL document',
          placeholder: EXAMPLE,
          sent,
          rows: Math.max(8, Math.min(24, text.split('\n').length + 1)),
          isCode: true,
          // What was found is below it.
          isFirst: checked !== undefined || sent.errors.document !== undefined,
          showError: (errors) => errors.split('\n').map((error) => errorInLine(error, text)),
          hint: (
            <>
              Try it in <a href="/graphql">GraphiQL</a> first. You can also paste the manifest that
              graphql-codegen, Relay or Apollo writes; for more than 100 kB, run{' '}
              <code>revgate documents publish</code>.
            </>
          ),
        })}
        {checked !== undefined && (
          <Notice>
            No errors in {checked.map(documentName).join(', ')}. Nothing is published yet.
            {checked.some(({ operations }) => operations.length === 0) &&
              ' Name the operation, as in query Top { … }, to find it in your list.'}
          </Notice>
        )}
        {hasFeeds && (
          <label class="choice">
            <input type="checkbox" name="feed" checked={sent.values.feed === 'on'} /> Offer an Atom feed,
            which everyone with its address can read
          </label>
        )}
      </PostForm>
    </section>
  );
}

/** An error below the line that it is about, marked at its column: it begins with both, if it is about a line. */
function errorInLine(error: string, text: string): Html {
  const [, line = '', column = ''] = /^line (\d+), column (\d+): /.exec(error) ?? [];
  const code = text.split(/\r?\n/)[Number(line) - 1];
  return (
    <span class="in-line">
      {code !== undefined && (
        <code tabindex="0">
          {`${line} │ ${code.slice(0, 200)}\n`}
          <span aria-hidden="true">{`${' '.repeat(line.length)} │ ${' '.repeat(Number(column) - 1)}▲`}</span>
        </code>
      )}
      {error.charAt(0).toUpperCase() + error.slice(1)}
    </span>
  );
}
