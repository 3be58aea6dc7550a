import { PROGRAM, type Service } from '../../../lib/text/service.ts';
import { CodeBlock, copyHeading } from '../../shared/code-blocks.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import type { Shape } from './embed-kinds.ts';

/** The page of a preview loads these, and sends requests. */
export const embedLook = { styles: ['embed.css'], scripts: ['embed-preview.js'], connects: true } as const;

/** The rows that a list has room for without the attribute. */
export const USUAL_ROWS = 10;

/** The attributes of an element that say what it shows, and how. None is empty. */
export type Attributes = Readonly<Record<string, string>>;

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

/** The height of an element in pixels: of a list, its heading and rows, room for a scroll bar, and the line below. */
function heightOf({ shape, attributes: { rows, theme } }: Embedded): number {
  const height = { list: 40 * (Number(rows ?? USUAL_ROWS) + 1) + 14 + 32, figures: 108, chart: 252 }[shape];
  // What a theme adds.
  return height + (theme === undefined ? 0 : 16);
}

/** A live preview, which a script draws with the session in place of a key. */
export const preview = (embedded: Embedded): Html => (
  <div
    class="preview"
    data-preview={`revgate-${embedded.shape}`}
    data-document={embedded.text}
    data-attributes={JSON.stringify(embedded.attributes)}
    data-height={heightOf(embedded)}
    data-source={sourceOf(embedded.service)}
  >
    {embedded.shape === 'list' && <p class="hint phone">On a phone, the list scrolls sideways.</p>}
    <div class="frame">
      <svg width="100%" height={heightOf(embedded)} />
    </div>
    <noscript>
      <p class="soft">The preview needs JavaScript, as the element does on your page.</p>
    </noscript>
  </div>
);

/** What an element loads. */
interface Keyed {
  readonly key: string;
  readonly documentId: string;
}

/**
 * HTML that shows a document on a web page of one of the key's origins.
 *
 * All values in it are created by us: the origin, the key, the id of a document and names of fields; or are set by
 * the operator: the name of the service, which has no quotes and angle brackets. The image takes the place of the
 * element until its script has loaded. Where no script runs, its link leads to the service.
 */
export function snippetOf(embed: Keyed & Embedded, origin: string): string {
  const source = sourceOf(embed.service).replaceAll('&', '&amp;');
  const name = `revgate-${embed.shape}`;
  const attributes = {
    'embed-key': embed.key,
    document: embed.documentId,
    ...embed.attributes,
    ...(source !== '' && { source }),
  };
  const written = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`);
  const label = `Verified startup revenue: ${source || new URL(origin).host}`;
  const text = `<text y="20" direction="ltr" fill="currentColor" text-decoration="underline">${label}</text>`;
  return `<script src="${origin}/embed.js" type="module"></script>
<${name}
  ${written.join('\n  ')}>
  <svg display="block" width="100%" height="${heightOf(embed)}"><a href="${origin}/">
    ${text}
  </a></svg>
</${name}>`;
}

/** A card with the HTML to insert. */
export const snippetCard = (
  title: string,
  html: string,
  address: string | undefined,
  text: Content,
): Html => (
  <section class="card" data-address={address}>
    {copyHeading(title)}
    <p>{text}</p>
    <CodeBlock id="embed" label="Embed snippet" title="HTML" kind="whole">
      {highlight('html', html)}
    </CodeBlock>
  </section>
);
