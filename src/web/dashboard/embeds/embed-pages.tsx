import { createEmbed, type Embed } from '../../../access/keys/documents/embed.ts';
import { originErrors } from '../../../access/keys/embed-origins.ts';
import { KEY_NAME_MAX } from '../../../access/keys/key.ts';
import { PROGRAM, type Service } from '../../../lib/text/service.ts';
import { MAX_DAYS } from '../../../startups/history/parameters.ts';
import { CopyButton, CopyStatus } from '../../shared/code-blocks.tsx';
import { Tabs } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { filterTexts } from '../explorer/chips.tsx';
import { choiceLabel } from '../explorer/filters.ts';
import { EMBED_PATH, explorerPath, withQuery } from '../explorer/query.ts';
import { field, readOrigins } from '../forms.tsx';
import { FieldErrors, type Page, page } from '../page.ts';
import type { Services } from '../services.ts';
import { type Attributes, controls, readAttributes, shownPaths, USUAL_ROWS } from './embed-settings.tsx';
import { type EmbedSubject, readSubject, type Shape, shapes } from './embed-subjects.ts';

/** The address of the page that embeds the line of a startup's figure. */
export const chartEmbedPath = (slug: string, value: string): string =>
  `${EMBED_PATH}?${new URLSearchParams({ chart: slug, value })}`;

const titles: Readonly<Record<Shape, string>> = {
  list: 'Embed this list',
  figures: 'Embed these figures',
  chart: 'Embed this chart',
};

/** The page of a preview loads these, and sends requests. */
const look = { styles: ['embed.css'], scripts: ['embed-preview.js'], connects: true } as const;

/** Puts a list, figures or a chart on a web page: publishes its document for an embed key, and shows the HTML to insert. */
export const embedPages = ({ origin, service, policy, checkDocument }: Services) => [
  page({
    path: EMBED_PATH,
    needsPolicy: true,
    load: ({ form, context }) => {
      const query = new URLSearchParams(form.query ?? context.env.request.query);
      return { query, subject: readSubject(query) };
    },
    view: ({ sent }, { query, subject }) => {
      if (subject === undefined) {
        return explorerPath(query);
      }
      const { shape, slug, choices } = subject;
      const attributes = readAttributes(sent.values, subject, service);
      // All that can be chosen, so that a choice needs no request.
      const text = subject.documentOf(choices.map(({ path }) => path));
      return {
        ...look,
        title: titles[shape],
        back: { path: subject.path, label: slug ?? 'Explorer' },
        main: (
          <>
            <Tabs
              label="Shape"
              tabs={subject.shapes.map((one) => ({
                path: shapePath(query, one),
                label: shapes[one],
                isCurrent: one === shape,
              }))}
            />
            <form class="builder" method="post" action={EMBED_PATH}>
              <input type="hidden" name="query" value={query.toString()} />
              <section class="card stage" aria-label="Preview">
                <p class="soft small">
                  {summaryOf(subject)} {slug === undefined && <a href={subject.path}>Change the filters</a>}
                </p>
                {preview({ shape, text, attributes, service })}
              </section>
              <section class="card stack settings" aria-label="Settings">
                {controls(subject, attributes, service)}
              </section>
              <section class="card stack" aria-label="Get the code">
                {field({
                  name: 'origins',
                  label: 'Origins of the pages, one per line',
                  sent,
                  rows: 2,
                  isRequired: false,
                  placeholder: 'https://example.com',
                  hint: 'Creates an embed key. Everyone can read it on your pages; it works only there, and only for this.',
                })}
                <div class="actions">
                  <button>Create the snippet</button>
                </div>
              </section>
            </form>
          </>
        ),
      };
    },
    forms: {
      '': async ({ acting, visitor, form }, { query, subject }) => {
        if (subject === undefined) {
          return explorerPath(query);
        }
        const { shape, path } = subject;
        const attributes = readAttributes(form, subject, service);
        const text = subject.documentOf(shownPaths(shape, attributes));
        const publishing = { ...acting, holder: visitor.id, check: checkDocument };
        const key = { ...readKey(form.origins), policyVersion: policy.version };
        const embed = await createEmbed(publishing, text, key);
        return snippetPage({ ...embed, shape, text, attributes, service }, origin, path);
      },
    },
  }),
];

/** The address of the page with another shape. */
function shapePath(query: URLSearchParams, shape: Shape): string {
  const changed = new URLSearchParams(query);
  changed.delete('value');
  changed.set('show', shape);
  return withQuery(EMBED_PATH, changed);
}

/** A key for these origins, which has the name of its first page until people rename it. */
function readKey(text: string | undefined): { readonly name: string; readonly origins: readonly string[] } {
  const origins = readOrigins(text);
  const [first] = origins;
  if (first === undefined) {
    throw new FieldErrors({ origins: originErrors(origins).join(' ') });
  }
  return { name: new URL(first).host.slice(0, KEY_NAME_MAX), origins };
}

/** An element on a web page. */
interface Embedded {
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
const preview = (embedded: Embedded): Html => (
  <div
    class="preview"
    data-preview={`revgate-${embedded.shape}`}
    data-document={embedded.text}
    data-attributes={JSON.stringify(embedded.attributes)}
    data-height={heightOf(embedded)}
    data-source={sourceOf(embedded.service)}
  >
    <div class="frame">
      <svg width="100%" height={heightOf(embedded)} />
    </div>
    <noscript>
      <p class="soft">The preview needs JavaScript, as the element does on your page.</p>
    </noscript>
  </div>
);

/**
 * HTML that shows a document on a web page of one of the key's origins.
 *
 * All values in it are created by us: the origin, the key, the id of a document and names of fields; or are set by
 * the operator: the name of the service, which has no quotes and angle brackets. The image takes the place of the
 * element until its script has loaded. Where no script runs, its link leads to the service.
 */
function snippetOf(embed: Embed & Embedded, origin: string): string {
  const source = sourceOf(embed.service).replaceAll('&', '&amp;');
  const name = `revgate-${embed.shape}`;
  const attributes = {
    'embed-key': embed.key,
    document: embed.documentId,
    ...embed.attributes,
    ...(source !== '' && { source }),
  };
  const written = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`);
  return `<script src="${origin}/embed.js" type="module"></script>
<${name} ${written.join(' ')}>
  <svg display="block" width="100%" height="${heightOf(embed)}"><a href="${origin}/"><text y="20" direction="ltr" fill="currentColor" text-decoration="underline">Verified startup revenue: ${source || new URL(origin).host}</text></a></svg>
</${name}>`;
}

function snippetPage(embed: Embed & Embedded, origin: string, path: string): Page {
  const key = `/dashboard/keys/${embed.keyId}`;
  return {
    ...look,
    title: 'Your embed snippet',
    back: { path, label: 'Explorer' },
    main: (
      <>
        <section class="card" data-address={key}>
          <div class="heading sub">
            <h2>Paste this into your page</h2>
            <CopyStatus />
            <CopyButton of="embed" label="Copy the snippet" />
          </div>
          <p>
            It works on pages of <code>{embed.origins.join(', ')}</code>. Keep a copy:{' '}
            <strong>the key in it is shown only once</strong>.
          </p>
          <pre class="snippet" tabindex="0" role="region" aria-label="Embed snippet">
            <code id="embed">{snippetOf(embed, origin)}</code>
          </pre>
        </section>
        <section class="card stage" aria-label="Preview">
          {preview(embed)}
        </section>
        <p class="soft">
          To stop showing it, <a href={`${key}/documents`}>remove its document</a> or{' '}
          <a href={`${key}/revoke`}>revoke the key</a>.
        </p>
      </>
    ),
  };
}

/** What is shown, in a sentence. */
function summaryOf({ shape, slug, query, usual, choices }: EmbedSubject): Content {
  const label = choices.find(({ path }) => path === usual[0])?.label;
  if (slug !== undefined) {
    return shape === 'chart'
      ? `${label} of ${slug} in the last ${MAX_DAYS} days.`
      : `The latest figures of ${slug}.`;
  }
  if (shape === 'chart') {
    const category = query.get('category');
    const whose = category === null ? 'all startups' : `startups in ${choiceLabel('category', category)}`;
    return `Figures of ${whose} by day, ${MAX_DAYS} days at most. Of the filters, only one category applies.`;
  }
  const active = filterTexts(query);
  return active.length === 0 ? 'All startups.' : `Startups with ${active.join(', ')}.`;
}
