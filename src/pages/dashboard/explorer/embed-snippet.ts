import { type RequiredVariable, requiredVariables } from '../../../graphql/documents/required-variables.ts';
import type { StartupFieldPath } from '../../../startups/fields.ts';
import { columns } from './columns.ts';

/** The fields that the document of an embedded list requests; ranks are left out of a short list. */
export const embedFields: readonly StartupFieldPath[] = [
  'name',
  ...columns.map(({ field }) => field.path).filter((path) => path !== 'rank'),
];

/** An element of the component. */
interface EmbedElement {
  readonly name: 'revgate-list' | 'revgate-figures' | 'revgate-chart';
  /** How high it is with so many rows, in pixels. */
  readonly height: (rows: number) => number;
}

/** The element that shows the result of a document, by what the document reads. */
export function elementOf(text: string): EmbedElement {
  if (/\b(history|market)\b/.test(text)) {
    return { name: 'revgate-chart', height: () => 252 };
  }
  return /\b(page|nodes|node|edges|startup|startupsBySlug)\b/.test(text)
    ? // Its heading and rows, room for a scroll bar, and the line below.
      { name: 'revgate-list', height: (rows) => 40 * (rows + 1) + 14 + 32 }
    : { name: 'revgate-figures', height: () => 108 };
}

/** Variables whose values are still to be set. */
export const placeholders = (variables: readonly RequiredVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name }) => [name, '…']));

interface Embedded {
  /** The public origin of the gateway. */
  readonly origin: string;
  readonly key: string;
  readonly documentId: string;
  /** The text of the document. */
  readonly text: string;
  readonly columns?: readonly string[];
  /** The most rows that the document returns. */
  readonly rows?: number;
}

/**
 * HTML that shows a document on a web page of one of the key's origins. All inserted values are created by us: the origin,
 * the key, the id of a document and names of fields. The image takes the place of the element until its script has loaded.
 */
export function embedSnippet({ origin, key, documentId, text, columns, rows = 10 }: Embedded): string {
  const { name, height } = elementOf(text);
  const variables = requiredVariables(text);
  const attributes = [
    `key="${key}"`,
    `document="${documentId}"`,
    ...(variables.length === 0 ? [] : [`variables='${JSON.stringify(placeholders(variables))}'`]),
    ...(rows === 10 ? [] : [`rows="${rows}"`]),
    ...(columns === undefined ? [] : [`columns="${columns.join(',')}"`]),
  ];
  return `<script src="${origin}/embed.js" type="module"></script>
<${name} ${attributes.join(' ')}>
  <svg display="block" width="100%" height="${height(rows)}"></svg>
</${name}>`;
}
