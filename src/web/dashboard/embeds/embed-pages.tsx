import { createEmbed, type Embed } from '../../../access/keys/documents/embed.ts';
import { KEY_NAME_MAX } from '../../../access/keys/key.ts';
import { PROGRAM, type Service } from '../../../lib/text/service.ts';
import {
  field,
  type Options,
  requireOrigins,
  SelectField,
  SITES_HINT,
  sitesField,
} from '../../page/forms.tsx';
import { type Form, type Page, page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { readDocument } from '../../parts/startups/documents.ts';
import { filterTexts } from '../../parts/startups/filter-texts.ts';
import { explorerPath, withQuery } from '../../parts/startups/query.ts';
import { CodeBlock, copyHeading } from '../../shared/code-blocks.tsx';
import { Tabs } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EMBED_PATH } from '../../shared/paths.ts';
import { type EmbedSubject, readSubject, type Shape, shapes } from './embed-kinds.ts';

/** The page of a preview loads these, and sends requests. */
const look = { styles: ['embed.css'], scripts: ['embed-preview.js'], connects: true } as const;

/** How many startups a list has, and how many of them a read returns. */
interface RowsData {
  readonly startups: { readonly meta: { readonly total: number; readonly limit: number } };
}

/** Puts a list, figures or a chart on a web page: publishes its document for an embed key, and shows the HTML to insert. */
export const embedPages = ({ origin, service, policy, checkDocument, engine }: Services) => [
  page({
    path: EMBED_PATH,
    needsPolicy: true,
    load: async ({ form, context }) => {
      const query = new URLSearchParams(form.query ?? context.env.request.query);
      const subject = readSubject(query);
      if (subject?.shape !== 'list') {
        return { query, subject, rows: USUAL_ROWS };
      }
      const { filter, limit } = subject.args;
      const document =
        'query Rows($filter: StartupFilter, $limit: Int) { startups(filter: $filter, limit: $limit) { meta { total limit } } }';
      const { startups } = await readDocument<RowsData>({ engine }, context, document, {
        filter,
        limit,
      });
      // As many as there are now; of none, the room for those to come.
      const { meta } = startups;
      return { query, subject, rows: Math.min(meta.total || meta.limit, meta.limit) };
    },
    view: ({ sent }, { query, subject, rows }) => {
      if (subject === undefined) {
        return explorerPath(query);
      }
      const { shape, slug, choices, path, summary } = subject;
      const attributes = readAttributes(sent.values, subject, rows, service);
      // All that can be chosen, so that a choice needs no request.
      const text = subject.documentOf([...choices.keys()]);
      return {
        ...look,
        title: shapes[shape].title,
        back: slug === undefined ? undefined : { path, label: slug },
        main: [
          <Tabs
            label="Shape"
            tabs={subject.shapes.map((one) => ({
              path: shapePath(query, one),
              label: shapes[one].label,
              isCurrent: one === shape,
            }))}
          />,
          !subject.shapes.includes('chart') && (
            <p class="soft small">A chart shows all startups or one category: filter for one to embed it.</p>
          ),
          <form class="builder" method="post" action={EMBED_PATH}>
            <input type="hidden" name="query" value={query.toString()} />
            <section class="card stage" aria-label="Preview">
              <p class="soft small">
                {summary ?? `${filterTexts(query).join(' · ') || 'All startups'}.`}{' '}
                {slug === undefined && <a href={path}>Change the filters</a>}
              </p>
              {preview({ shape, text, attributes, service })}
            </section>
            <section class="card stack settings" aria-label="Settings">
              {controls(subject, attributes, service)}
            </section>
            <section class="card stack" aria-label="Get the code">
              {field(
                sitesField(sent, {
                  hint: `${SITES_HINT} Creates an embed key. Everyone can see it in your pages; it works only on these sites, and only for this.`,
                }),
              )}
              <div class="actions">
                <button>Create the snippet</button>
              </div>
            </section>
          </form>,
        ],
      };
    },
    act: async ({ acting, visitor, form }, { query, subject, rows }) => {
      if (subject === undefined) {
        return explorerPath(query);
      }
      const { shape } = subject;
      const attributes = readAttributes(form, subject, rows, service);
      const text = subject.documentOf(shownPaths(subject, attributes));
      const publishing = { ...acting, holder: visitor.id, check: checkDocument };
      const key = { ...readKey(form), policyVersion: policy.version };
      const embed = await createEmbed(publishing, text, key);
      return snippetPage({ ...embed, shape, text, attributes, service }, origin);
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
function readKey(form: Form): { readonly name: string; readonly origins: readonly string[] } {
  const origins = requireOrigins(form);
  const [first = ''] = origins;
  return { name: new URL(first).host.slice(0, KEY_NAME_MAX), origins };
}

/** The rows that a list has room for without the attribute. */
const USUAL_ROWS = 10;

/** The attributes of an element that say what it shows, and how. None is empty. */
type Attributes = Readonly<Record<string, string>>;

/** How an element can look. Of the accents, the first is that of the operator's service, if it has one. */
function looksOf({ name, accent }: Service): Readonly<Record<'theme' | 'accent', Options>> {
  const { light = '', dark = '' } = accent ?? {};
  const own = light === dark ? light : `light-dark(${light}, ${dark})`;
  return {
    theme: [
      ['', 'Match page'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
    accent: [
      ...(accent === undefined ? [] : [[own, `Color of ${name}`] as const]),
      ['', 'Green'],
      ['currentColor', 'Text color'],
    ],
  };
}

/**
 * Reads the attributes from the form; before it is sent, they are the usual ones. What is unknown is not used, as it becomes
 * a part of the snippet.
 */
function readAttributes(form: Form, subject: EmbedSubject, rows: number, service: Service): Attributes {
  const { choices, shape, usual } = subject;
  const chosen = [...choices.keys()].filter((path) =>
    shape === 'chart' ? form.value === path : form[`show.${path}`] !== undefined,
  );
  const looks = Object.entries(looksOf(service)).map(([name, options]): [string, string] => {
    const [option = options[0]] = options.filter(([value]) => value === form[name]);
    return [name, option?.[0] ?? ''];
  });
  const attributes = {
    rows: rows === USUAL_ROWS ? '' : String(rows),
    [shapes[shape].attribute]: (chosen.length === 0 ? usual : chosen).join(','),
    ...Object.fromEntries(looks),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

/** What an element with these attributes shows. */
const shownPaths = ({ shape }: EmbedSubject, attributes: Attributes): string[] =>
  attributes[shapes[shape].attribute]?.split(',') ?? [];

/** What can be chosen: boxes to check, or the one line of a chart; theme and accent. */
function controls(subject: EmbedSubject, attributes: Attributes, service: Service): Content {
  const { attribute, legend } = shapes[subject.shape];
  const shown = shownPaths(subject, attributes);
  const choices = [...subject.choices];
  const { theme, accent } = looksOf(service);
  return [
    subject.shape === 'chart' ? (
      <SelectField name={attribute} label={legend} options={choices} value={shown[0] ?? ''} />
    ) : (
      <fieldset class="boxes" data-attribute={attribute}>
        <legend>{legend}</legend>
        {choices.map(([path, label]) => (
          <label class="choice">
            <input type="checkbox" name={`show.${path}`} value={path} checked={shown.includes(path)} />
            {label}
          </label>
        ))}
      </fieldset>
    ),
    <div class="looks">
      <SelectField name="theme" label="Theme" options={theme} value={attributes.theme ?? ''} />
      <SelectField name="accent" label="Accent" options={accent} value={attributes.accent ?? ''} />
    </div>,
  ];
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

function snippetPage(embed: Embed & Embedded, origin: string): Page {
  const key = `/dashboard/keys/${embed.keyId}`;
  return {
    ...look,
    title: 'Your embed snippet',
    back: pageLinks.embeds,
    main: [
      <section class="card" data-address={key}>
        {copyHeading('Paste this into your page')}
        <p>
          It works on <code>{embed.origins.join(', ')}</code>. Keep a copy:{' '}
          <strong>its key is shown only once</strong>.
        </p>
        <CodeBlock id="embed" label="Embed snippet" title="HTML" kind="whole">
          {highlight('html', snippetOf(embed, origin))}
        </CodeBlock>
      </section>,
      <section class="card stage">
        <h2>Preview</h2>
        {preview(embed)}
      </section>,
      <p class="soft">
        To stop showing it, <a href={`${key}/documents`}>remove its document</a> or{' '}
        <a href={`${key}/revoke`}>revoke the key</a>.
      </p>,
    ],
  };
}
