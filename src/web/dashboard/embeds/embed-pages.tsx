import { createKeyId } from '../../../access/keys/create.ts';
import { createEmbed, type Embed } from '../../../access/keys/documents/embed.ts';
import { countDocuments, readDocuments, readTexts } from '../../../access/keys/documents/list.ts';
import { isEmbedKey, KEY_NAME_MAX, type ListedKey, listKeys } from '../../../access/keys/key.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import type { Service } from '../../../lib/text/service.ts';
import { field, type Options, requireOrigins, SelectField, sitesField } from '../../page/forms.tsx';
import { type Form, type Page, page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { documentName, documentPath, documentsPath, keyBadge, lastUse } from '../../parts/keys/key-parts.tsx';
import { once } from '../../parts/keys/new-key.tsx';
import { listTable, readSearch } from '../../parts/lists/lists.tsx';
import { readDocument } from '../../parts/startups/documents.ts';
import {
  type EmbedSubject,
  readEmbed,
  readSubject,
  type Shape,
  shapes,
} from '../../parts/startups/embed-kinds.ts';
import { listName } from '../../parts/startups/filter-texts.ts';
import { explorerPath, withQuery } from '../../parts/startups/query.ts';
import {
  type Attributes,
  type Embedded,
  embedLook,
  preview,
  snippetCard,
  snippetOf,
  USUAL_ROWS,
} from '../../parts/startups/snippet.tsx';
import { buttonLink, type Column, EmptyState, Tabs } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EMBEDS_PATH, KEYS_PATH, NEW_EMBED_PATH } from '../../shared/paths.ts';

/** Something on web pages: a document of an embed key, or such a key that has none yet. */
interface EmbedRow {
  /** The newest working key that may request it. */
  readonly key: ListedKey;
  readonly name: string;
  /** What is shown of it. */
  readonly text: string;
  /** Where its code is, and where it is removed. */
  readonly path: string;
  readonly removePath: string;
  readonly lastUsedAt: Date | null;
}

/** What an account shows on web pages. */
export const embedListPages = ({ prisma, node, now }: Services) => [
  page({
    path: EMBEDS_PATH,
    view: async ({ context, acting, visitor }) => {
      await node.usage.store();
      const working = (await listKeys(acting, { which: 'working' })).filter(isEmbedKey);
      // Of keys that replaced others, the last stands for all.
      const replaced = new Set(working.map(({ rotatedFrom }) => rotatedFrom));
      const last = working.filter(({ id }) => !replaced.has(id));
      const keys = [...new Map(last.map((key) => [key.familyId, key])).values()];
      const wanted = readSearch(context);
      const found = await pageOf(wanted, (range) => readDocuments(prisma, keys, range));
      const texts = await readTexts(
        prisma,
        keys,
        found.items.map(({ id }) => id),
      );
      const counts = await countDocuments(prisma, keys);
      const rowOf = (key: ListedKey): Pick<EmbedRow, 'key' | 'lastUsedAt'> => {
        const uses = working
          .filter(({ familyId }) => familyId === key.familyId)
          .flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
        return { key, lastUsedAt: uses.toSorted((one, other) => +other - +one)[0] ?? null };
      };
      const rows: EmbedRow[] = [];
      for (const key of keys) {
        for (const document of found.items.filter(({ familyId }) => familyId === key.familyId)) {
          await timeSlices.waitForTime({ ownerId: visitor.id });
          const shown = readEmbed(texts.get(document.id) ?? '');
          const path = documentPath(key.id, document.id);
          rows.push({
            ...rowOf(key),
            name: shown?.subject.name ?? documentName(document),
            text: shown?.text ?? 'A GraphQL document',
            path,
            removePath: `${path}/remove`,
          });
        }
        if (wanted.page === 1 && !counts.has(key.familyId)) {
          rows.push({
            ...rowOf(key),
            name: key.name,
            text: 'No document is published for this key',
            path: documentsPath(key.id),
            removePath: `${KEYS_PATH}/${key.id}/revoke`,
          });
        }
      }
      const newEmbed = buttonLink(pageLinks.newEmbed.path, pageLinks.newEmbed.label);
      return {
        title: pageLinks.embeds.label,
        ...(rows.length > 0 && { action: newEmbed }),
        main: listTable(context, { ...found, items: rows }, embedColumns(now()), {
          caption: 'Embeds',
          empty: (
            <EmptyState
              title="No embeds yet"
              text="Show a list, figures or a chart on your website, without a server of your own."
            >
              {newEmbed}
            </EmptyState>
          ),
        }),
      };
    },
  }),
  // Where they were made before.
  page({
    path: '/dashboard/embed',
    view: ({ context }) => withQuery(NEW_EMBED_PATH, new URLSearchParams(context.env.request.query)),
  }),
];

const embedColumns = (now: number): readonly Column<EmbedRow>[] => [
  [
    'Name',
    ({ name, text, path }) => (
      <span class="two-lines">
        <a href={path}>{name}</a>
        <span class="soft">{text}</span>
      </span>
    ),
  ],
  [
    'Sites',
    ({ key }) => key.origins.map((origin) => origin.replace('https://', '')).join(', '),
    'named line',
  ],
  [
    'Key',
    ({ key }) => (
      <>
        <a href={`${KEYS_PATH}/${key.id}`}>{key.name}</a> {key.state !== 'active' && keyBadge(key.state)}
      </>
    ),
  ],
  ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now)],
  [
    <span class="hidden">Actions</span>,
    ({ key, name, path, removePath }) => (
      <span class="actions">
        <a href={path}>
          Show code<span class="hidden"> of {name}</span>
        </a>
        {key.state === 'active' && (
          <a href={`${KEYS_PATH}/${key.id}/rotate`}>
            Rotate key<span class="hidden"> of {name}</span>
          </a>
        )}
        <a href={removePath}>
          Remove<span class="hidden"> {name}</span>
        </a>
      </span>
    ),
    'line',
  ],
];

/** How many startups a list has, and how many of them a read returns. */
interface RowsData {
  readonly startups: { readonly meta: { readonly total: number; readonly limit: number } };
}

/** Puts a list, figures or a chart on a web page: publishes its document for an embed key, and shows the HTML to insert. */
export const embedPages = ({ origin, service, policy, checkDocument, engine, randomBytes }: Services) => [
  page({
    path: NEW_EMBED_PATH,
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
      const { shape, slug, showable, path, summary } = subject;
      const attributes = readAttributes(sent.values, subject, rows, service);
      // All that can be chosen, so that a choice needs no request.
      const text = subject.documentOf([...showable.keys()]);
      return {
        ...embedLook,
        title: pageLinks.newEmbed.label,
        back: slug === undefined ? pageLinks.embeds : { path, label: slug },
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
          <form class="builder" method="post" action={NEW_EMBED_PATH}>
            <input type="hidden" name="query" value={query.toString()} />
            <input type="hidden" name="id" value={createKeyId(randomBytes)} />
            <section class="card stage" aria-label="Preview">
              <p class="soft small">
                {summary ?? `${listName(query)}.`}{' '}
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
                  hint: 'With and without www. Everyone can see the key; it works only there, only for this.',
                  rows: 1,
                }),
              )}
              <div class="actions">
                <button>{pageLinks.newEmbed.label}</button>
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
      const key = { ...readKey(form), id: form.id, policyVersion: policy.version };
      return once(async () => {
        const embed = await createEmbed(publishing, text, key);
        return snippetPage({ ...embed, shape, text, attributes, service }, subject.name, origin);
      });
    },
  }),
];

/** The address of the page with another shape. */
function shapePath(query: URLSearchParams, shape: Shape): string {
  const changed = new URLSearchParams(query);
  changed.delete('value');
  changed.set('show', shape);
  return withQuery(NEW_EMBED_PATH, changed);
}

/** A key for these origins, which has the name of its first page until people rename it. */
function readKey(form: Form): { readonly name: string; readonly origins: readonly string[] } {
  const origins = requireOrigins(form);
  const [first = ''] = origins;
  return { name: new URL(first).host.slice(0, KEY_NAME_MAX), origins };
}

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
  const { showable, shape, usual } = subject;
  const chosen = [...showable.keys()].filter((path) =>
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
  const options = [...subject.showable];
  const { theme, accent } = looksOf(service);
  return [
    subject.shape === 'chart' ? (
      <SelectField name={attribute} label={legend} options={options} value={shown[0] ?? ''} />
    ) : (
      <fieldset class="boxes" data-attribute={attribute}>
        <legend>{legend}</legend>
        {options.map(([path, label]) => (
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

function snippetPage(embed: Embed & Embedded, name: string, origin: string): Page {
  const key = `${KEYS_PATH}/${embed.keyId}`;
  return {
    ...embedLook,
    title: 'Your embed snippet',
    back: pageLinks.embeds,
    main: [
      <p class="lead">{name}</p>,
      snippetCard(
        'Paste this into your page',
        snippetOf(embed, origin),
        key,
        <>
          It works on <code>{embed.origins.join(', ')}</code>. Keep a copy:{' '}
          <strong>its key is shown only once</strong>.
        </>,
      ),
      <section class="card stage">
        <h2>Preview</h2>
        {preview(embed)}
      </section>,
      <p class="soft">
        <a href={`${key}/origins`}>Change its sites</a>, or{' '}
        <a href={`${documentPath(embed.keyId, embed.documentId)}/remove`}>remove it</a> to stop showing it.
      </p>,
    ],
  };
}
