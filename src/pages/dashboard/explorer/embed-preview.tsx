import { requiredVariables } from '../../../graphql/documents/required-variables.ts';
import type { Html } from '../../shared/jsx.ts';
import { elementOf } from './embed-snippet.ts';

/** The page of a preview loads this script, which sends requests. */
export const previewLook = { scripts: ['embed-preview.js'], connects: true } as const;

/**
 * A snippet above a live preview, in which a script lets its reader choose theme and columns and set required variables. The
 * preview runs the text of the document with the session.
 *
 * @param id of the element with the snippet.
 */
export function embedPreview({
  id,
  snippet,
  text,
  columns = [],
  rows = 10,
}: {
  readonly id: string;
  readonly snippet: string;
  readonly text: string;
  readonly columns?: readonly string[];
  readonly rows?: number;
}): Html {
  const { name, height } = elementOf(text);
  const variables = requiredVariables(text);
  return (
    <>
      <pre tabindex="0" role="region" aria-label="Embed snippet">
        <code id={id}>{snippet}</code>
      </pre>
      {variables.length > 0 && (
        <p class="soft">
          In <code>variables</code>, set {variables.map((one) => `${one.name} (${one.type})`).join(', ')}.
        </p>
      )}
      <div
        class="preview stack"
        data-preview={name}
        data-document={text}
        data-variables={JSON.stringify(variables)}
        data-columns={columns.join(',')}
        data-rows={rows}
        data-height={height(rows)}
        data-snippet={id}
      />
    </>
  );
}
