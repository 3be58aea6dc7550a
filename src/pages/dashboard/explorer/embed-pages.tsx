import { Hono } from 'hono';
import { createEmbed, type Embed } from '../../../documents/embed.ts';
import { MAX_DAYS } from '../../../startups/history/parameters.ts';
import { CopyButton, CopyStatus } from '../../shared/code-blocks.tsx';
import { Tabs } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { requireAcceptedPolicy } from '../access.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { field, readOrigins } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import {
  attributesOf,
  choiceControls,
  lookControls,
  readSettings,
  usualSettings,
} from './embed-settings.tsx';
import { type Embedded, embedPreview, embedSnippet, previewLook } from './embed-snippet.tsx';
import { type EmbedSubject, readSubject, type Shape, shapes } from './embed-subjects.ts';
import { choiceLabel, filterTexts } from './labels.tsx';
import { EMBED_PATH, EXPLORER_PATH, explorerPath, withQuery } from './query.ts';

/** The address of the page that embeds the line of a startup's figure. */
export function chartEmbedPath(slug: string, value: string): string {
  return `${EMBED_PATH}?${new URLSearchParams({ chart: slug, value })}`;
}

const titles: Readonly<Record<Shape, string>> = {
  list: 'Embed this list',
  figures: 'Embed these figures',
  chart: 'Embed this chart',
};

/** Puts a list, figures or a chart on a web page: publishes its document for an embed key, and shows the HTML to insert. */
export function embedRoutes(services: Services): Hono<SignedInEnv> {
  const { origin, service, policy, checkDocument } = services;

  const formPage = (context: SignedInContext, sent: SentForm): Page => {
    const sentQuery = sent.values.query;
    const query = new URLSearchParams(sentQuery ?? context.env.request.query);
    const subject = readSubject(query);
    if (subject === undefined) {
      return { title: titles.list, back: { path: EXPLORER_PATH, label: 'Explorer' }, main: null };
    }
    const settings =
      sentQuery === undefined ? usualSettings(subject, service) : readSettings(sent.values, subject, service);
    const { shape, rows } = subject;
    const everything: Embedded = {
      shape,
      // All that can be chosen, so that a choice needs no request.
      text: subject.documentOf(subject.choices.map(({ path }) => path)),
      attributes: attributesOf(subject, settings),
      rows,
    };
    return {
      ...previewLook,
      title: titles[shape],
      back: { path: subject.path, label: subject.slug ?? 'Explorer' },
      main: (
        <>
          <Tabs
            label="Shape"
            tabs={subject.shapes.map((one) => ({
              path: shapePath(subject, one),
              label: shapes[one],
              isCurrent: one === shape,
            }))}
          />
          <form class="builder" method="post" action={EMBED_PATH}>
            <input type="hidden" name="query" value={query.toString()} />
            <section class="card stage" aria-labelledby="preview">
              <h2 class="hidden" id="preview">
                Preview
              </h2>
              <div class="heading sub">
                <p class="soft small">
                  {summaryOf(subject)}{' '}
                  {subject.slug === undefined && <a href={subject.path}>Change the filters</a>}
                </p>
                {sizeChoice}
              </div>
              {embedPreview(everything)}
            </section>
            <section class="card stack settings" aria-labelledby="settings">
              <h2 class="hidden" id="settings">
                Settings
              </h2>
              {choiceControls(subject, settings)}
              {lookControls(service, settings)}
            </section>
            {keyFields(sent, subject.path)}
          </form>
        </>
      ),
    };
  };

  const create = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const query = new URLSearchParams(form.query);
    const subject = readSubject(query);
    if (subject === undefined) {
      return redirect(context, explorerPath(query));
    }
    const settings = readSettings(form, subject, service);
    const text = subject.documentOf(settings.chosen);
    const key = (form.key ?? '').trim();
    const acting = { ...actingFor(services, visitor), holder: visitor.id, check: checkDocument };
    const choice =
      key === ''
        ? {
            name: (form.name ?? '').trim(),
            origins: readOrigins(form.origins),
            policyVersion: policy.version,
          }
        : { key };
    const embed = await createEmbed(acting, text, choice);
    const { shape, rows, path } = subject;
    const embedded = { shape, rows, text, attributes: attributesOf(subject, settings) };
    return context.render(snippetPage({ ...embed, ...embedded, origin, service, path }));
  };

  const open = (context: SignedInContext): Response | Promise<Response> => {
    const query = new URLSearchParams(context.env.request.query);
    return readSubject(query) === undefined
      ? redirect(context, explorerPath(query))
      : view(formPage)(context);
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(EMBED_PATH, hasAccepted, open)
    .post(EMBED_PATH, hasAccepted, action(formPage, create));
}

/** As which page the preview is as wide. A style sheet reads the choice. */
const sizeChoice = (
  <fieldset class="sizes">
    <legend class="hidden">Width of the preview</legend>
    {['Desktop', 'Phone'].map((size, index) => (
      <label class="choice">
        <input type="radio" name="size" value={size} checked={index === 0} />
        {size}
      </label>
    ))}
  </fieldset>
);

/** The address of the page with another shape. */
function shapePath({ slug, query }: EmbedSubject, shape: Shape): string {
  const changed = new URLSearchParams(query);
  if (slug !== undefined) {
    changed.set('chart', slug);
  }
  changed.set('show', shape);
  return withQuery(EMBED_PATH, changed);
}

/** The key that a web page uses: a new one, or one that exists. */
function keyFields(sent: SentForm, cancel: string): Html {
  return (
    <section class="card stack" aria-labelledby="code">
      <h2 id="code">Get the code</h2>
      <div class="columns">
        {field({
          name: 'origins',
          label: 'Origins of the pages, one per line',
          sent,
          rows: 2,
          isRequired: false,
          placeholder: 'https://example.com',
          hint: (
            <>
              An embed key is created for these origins. Everyone can read it on the page, but it works only
              from there and only for what you embed with it. When a page loads, its data is at most about a
              minute old.
            </>
          ),
        })}
        {field({
          name: 'name',
          label: 'Name of the key',
          sent,
          maxLength: 100,
          isRequired: false,
          hint: 'Shown in your list of keys, such as “Blog”.',
        })}
      </div>
      <details>
        <summary>Use an existing embed key</summary>
        {field({
          name: 'key',
          label: 'Embed key',
          autocomplete: 'off',
          isRequired: false,
          maxLength: 60,
          hint: 'Paste the key, which starts with rvg_pub_. Its own name and origins apply. Only its hash is stored, so it cannot be filled in for you.',
        })}
      </details>
      <div class="actions">
        <button>Create the snippet</button>
        <a class="button second" href={cancel}>
          Cancel
        </a>
      </div>
    </section>
  );
}

function snippetPage(
  embed: Embed & Embedded & Pick<Services, 'origin' | 'service'> & { readonly path: string },
): Page {
  return {
    ...previewLook,
    title: 'Your embed snippet',
    back: { path: embed.path, label: 'Explorer' },
    main: (
      <>
        <section class="card" data-address={`/dashboard/keys/${embed.keyId}`}>
          <div class="heading sub">
            <h2>Paste this into your page</h2>
            <CopyStatus />
            <CopyButton of="embed" label="Copy the snippet" />
          </div>
          <p>
            It works on pages of{' '}
            {embed.origins.map((one, index) => (
              <>
                {index > 0 && ', '}
                <code>{one}</code>
              </>
            ))}
            . Keep a copy: <strong>the key in it is shown only once</strong>.
          </p>
          {embedSnippet({ ...embed, id: 'embed' })}
        </section>
        <section class="card stage" aria-labelledby="preview">
          <h2 class="hidden" id="preview">
            Preview
          </h2>
          {embedPreview(embed)}
        </section>
        <p class="soft">
          To stop showing it, <a href={`/dashboard/keys/${embed.keyId}/documents`}>remove its document</a> or{' '}
          <a href={`/dashboard/keys/${embed.keyId}/revoke`}>revoke the key</a>.
        </p>
      </>
    ),
  };
}

/** What is shown, in a sentence. */
function summaryOf({ shape, slug, query, usual, choices, rows }: EmbedSubject): Content {
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
  const which = active.length === 0 ? 'All startups' : `Startups with ${active.join(', ')}`;
  return shape === 'list' ? `${which}; ${rows} rows.` : `${which}.`;
}
