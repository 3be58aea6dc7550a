import {
  type RequiredVariable,
  requiredVariables,
} from '../../../api/graphql/planning/document-variables.ts';
import { PROGRAM, type Service } from '../../../lib/text/service.ts';
import type { Content, Html } from '../../shared/jsx.ts';
import { type Attributes, lookControls, USUAL_ROWS } from './embed-settings.tsx';
import { chartPaths, type Shape } from './embed-subjects.ts';

/** The height of an element in pixels, with so many rows: its heading and rows, room for a scroll bar, and the line below. */
const heights: Readonly<Record<Shape, (rows: number) => number>> = {
  list: (rows) => 40 * (rows + 1) + 14 + 32,
  figures: () => 108,
  chart: () => 252,
};
/** What a theme adds to the height. */
const PADDING = 16;

/** The shape that fits what a document reads. */
function shapeOf(text: string): Shape {
  return /\b(history|market)\b/.test(text)
    ? 'chart'
    : /\b(page|nodes|node|edges|startup|startupsBySlug)\b/.test(text)
      ? 'list'
      : 'figures';
}

/** The first field of a document that a chart can draw. */
function chartValue(text: string): string | undefined {
  return chartPaths.find((path) => {
    const [head = '', below] = path.split('.');
    return new RegExp(below === undefined ? `\\b${head}\\b` : `\\b${head}\\s*\\{[^{}]*\\b${below}\\b`).test(
      text,
    );
  });
}

/** Variables whose values are still to be set. */
const placeholders = (variables: readonly RequiredVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name }) => [name, '…']));

/** An element on a web page. */
export interface Embedded {
  readonly shape: Shape;
  /** The text of its document. */
  readonly text: string;
  readonly attributes: Attributes;
  readonly service: Service;
}

/** The name that an element gives as its source: that of the service, or that of its server if it is empty. */
const sourceOf = ({ name }: Service): string => (name === PROGRAM ? '' : name);

/** The page of a preview loads these, and sends requests. */
export const previewLook = { styles: ['embed.css'], scripts: ['embed-preview.js'], connects: true } as const;

const heightOf = ({ shape, attributes: { rows, theme } }: Embedded): number =>
  heights[shape](Number(rows ?? USUAL_ROWS)) + (theme === undefined ? 0 : PADDING);

/**
 * HTML that shows a document on a web page of one of the key's origins.
 *
 * All values in it are created by us: the origin, the key, the id of a document and names of fields; or are set by
 * the operator: the name of the service, which has no quotes and angle brackets. The image takes the place of the
 * element until its script has loaded. Where no script runs, its link leads to the service.
 */
export function embedSnippet(
  embedded: Embedded & {
    /** The id of the element with the snippet. */
    readonly id: string;
    /** The public origin of the gateway. */
    readonly origin: string;
    readonly key: string;
    readonly documentId: string;
  },
): Html {
  const { id, origin, key, documentId, shape, text, attributes } = embedded;
  const source = sourceOf(embedded.service).replaceAll('&', '&amp;');
  const variables = requiredVariables(text);
  const name = `revgate-${shape}`;
  const written = [
    `embed-key="${key}"`,
    `document="${documentId}"`,
    ...(variables.length === 0 ? [] : [`variables='${JSON.stringify(placeholders(variables))}'`]),
    ...Object.entries({ ...attributes, ...(source !== '' && { source }) }).map(
      ([attribute, value]) => `${attribute}="${value}"`,
    ),
  ];
  return (
    <>
      <pre class="snippet" tabindex="0" role="region" aria-label="Embed snippet">
        <code id={id}>
          {`<script src="${origin}/embed.js" type="module"></script>
<${name} ${written.join(' ')}>
  <svg display="block" width="100%" height="${heightOf(embedded)}"><a href="${origin}/"><text y="20" direction="ltr" fill="currentColor" text-decoration="underline">Verified startup revenue: ${source || new URL(origin).host}</text></a></svg>
</${name}>`}
        </code>
      </pre>
      {variables.length > 0 && (
        <p class="soft">
          In <code>variables</code>, set {variables.map((one) => `${one.name} (${one.type})`).join(', ')}.
        </p>
      )}
    </>
  );
}

/**
 * A live preview, which a script draws with the session in place of a key.
 *
 * @param snippet the id of a snippet that follows what is chosen here.
 */
export function embedPreview(embedded: Embedded, snippet?: string, controls?: Content): Html {
  const { shape, text, attributes, service } = embedded;
  return (
    <div
      class="preview"
      data-preview={`revgate-${shape}`}
      data-document={text}
      data-variables={JSON.stringify(requiredVariables(text))}
      data-attributes={JSON.stringify(attributes)}
      data-height={heightOf(embedded)}
      data-source={sourceOf(service)}
      data-snippet={snippet}
    >
      {controls !== undefined && <div class="controls">{controls}</div>}
      <div class="frame">
        <svg width="100%" height={heightOf(embedded)} />
      </div>
      <noscript>
        <p class="soft">The preview needs JavaScript, as the element does on your page.</p>
      </noscript>
    </div>
  );
}

/** The snippet of a published document, and its preview, whose look can be chosen. */
export function documentEmbed(of: Omit<Parameters<typeof embedSnippet>[0], 'shape' | 'attributes'>): Html {
  const { id, service, text } = of;
  const shape = shapeOf(text);
  const value = shape === 'chart' ? chartValue(text) : undefined;
  const embedded = { ...of, shape, attributes: value === undefined ? {} : { value } };
  return (
    <>
      {embedSnippet(embedded)}
      {embedPreview(embedded, id, lookControls(service, {}))}
    </>
  );
}
