import { type RequiredVariable, requiredVariables } from '../../../graphql/documents/required-variables.ts';
import { PROGRAM, type Service } from '../../../service/service.ts';
import type { StartupFieldPath } from '../../../startups/fields.ts';
import type { Html } from '../../shared/jsx.ts';

/** The fields that the document of an embedded list requests. */
export const embedFields: readonly StartupFieldPath[] = [
  'name',
  'revenue.last30Days',
  'revenue.mrr',
  'growth30d',
  'askingPrice',
  'multiple',
];

/** The element that shows the result of a document, by what the document reads, and its height in pixels with so many rows. */
function elementOf(text: string): { name: string; height: (rows: number) => number } {
  if (/\b(history|market)\b/.test(text)) {
    return { name: 'revgate-chart', height: () => 252 };
  }
  return /\b(page|nodes|node|edges|startup|startupsBySlug)\b/.test(text)
    ? // Its heading and rows, room for a scroll bar, and the line below.
      { name: 'revgate-list', height: (rows) => 40 * (rows + 1) + 14 + 32 }
    : { name: 'revgate-figures', height: () => 108 };
}

/** What a chart can draw: of the market, and of a startup. */
const chartValues = [
  'revenue.sum',
  'mrr.sum',
  'revenue.median',
  'mrr.median',
  'revenue.last30Days',
  'revenue.mrr',
  'revenue.total',
  'customers',
  'activeSubscriptions',
  'askingPrice',
  'count',
];

/** The first of them that a document reads. */
function chartValue(text: string): string | undefined {
  return chartValues.find((path) => {
    const [head = '', below] = path.split('.');
    return new RegExp(below === undefined ? `\\b${head}\\b` : `\\b${head}\\s*\\{[^}]*\\b${below}\\b`).test(
      text,
    );
  });
}

/** Variables whose values are still to be set. */
export const placeholders = (variables: readonly RequiredVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name }) => [name, '…']));

interface Embedded {
  /** The id of the element with the snippet. */
  readonly id: string;
  /** The public origin of the gateway. */
  readonly origin: string;
  readonly key: string;
  readonly service: Service;
  readonly documentId: string;
  /** The text of the document. */
  readonly text: string;
  readonly columns?: readonly string[];
  /** The figure of a chart. */
  readonly value?: string;
  /** The most rows that the document returns. */
  readonly rows?: number;
}

/** The page of a preview loads this script, which sends requests. */
export const previewLook = { scripts: ['embed-preview.js'], connects: true } as const;

/**
 * HTML that shows a document on a web page of one of the key's origins, above a live preview, in which a script lets its
 * reader choose theme and columns and set required variables. The preview runs the text of the document with the session.
 *
 * All values in the HTML are created by us: the origin, the key, the id of a document and names of fields; or are set by
 * the operator: the name of the service, which has no quotes and angle brackets. The image takes
 * the place of the element until its script has loaded.
 */
export function embedSnippet({
  id,
  origin,
  key,
  service: { name: source },
  documentId,
  text,
  columns,
  value,
  rows = 10,
}: Embedded): Html {
  const { name, height } = elementOf(text);
  const drawn = name === 'revgate-chart' ? (value ?? chartValue(text)) : undefined;
  const variables = requiredVariables(text);
  const attributes = [
    `key="${key}"`,
    `document="${documentId}"`,
    ...(variables.length === 0 ? [] : [`variables='${JSON.stringify(placeholders(variables))}'`]),
    ...(rows === 10 ? [] : [`rows="${rows}"`]),
    ...(columns === undefined ? [] : [`columns="${columns.join(',')}"`]),
    ...(source === PROGRAM ? [] : [`source="${source.replaceAll('&', '&amp;')}"`]),
    ...(drawn === undefined ? [] : [`value="${drawn}"`]),
  ];
  return (
    <>
      <pre tabindex="0" role="region" aria-label="Embed snippet">
        <code id={id}>
          {`<script src="${origin}/embed.js" type="module"></script>
<${name} ${attributes.join(' ')}>
  <svg display="block" width="100%" height="${height(rows)}"></svg>
</${name}>`}
        </code>
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
        data-columns={columns?.join(',') ?? ''}
        data-value={drawn ?? ''}
        data-rows={rows}
        data-height={height(rows)}
        data-snippet={id}
      />
    </>
  );
}
