import { Hono } from 'hono';
import { createEmbed, type Embed } from '../../../access/keys/documents/embed.ts';
import { originErrors } from '../../../access/keys/embed-origins.ts';
import { KEY_NAME_MAX } from '../../../access/keys/key.ts';
import { MAX_DAYS } from '../../../startups/history/parameters.ts';
import { CopyButton, CopyStatus } from '../../shared/code-blocks.tsx';
import { Tabs } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { requireAcceptedPolicy } from '../access.ts';
import { filterTexts } from '../explorer/chips.tsx';
import { choiceLabel } from '../explorer/filters.ts';
import { EMBED_PATH, EXPLORER_PATH, explorerPath, withQuery } from '../explorer/query.ts';
import { action, FieldErrors, type SentForm, view } from '../form-actions.ts';
import { field, readOrigins } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { choiceControls, chosenPaths, lookControls, readAttributes } from './embed-settings.tsx';
import { type Embedded, embedPreview, embedSnippet, previewLook } from './embed-snippet.tsx';
import { type EmbedSubject, readSubject, type Shape, shapes } from './embed-subjects.ts';

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
    const query = new URLSearchParams(sent.values.query ?? context.env.request.query);
    const subject = readSubject(query);
    if (subject === undefined) {
      return { title: titles.list, back: { path: EXPLORER_PATH, label: 'Explorer' }, main: null };
    }
    const { shape, slug, choices } = subject;
    const attributes = readAttributes(sent.values, subject, service);
    // All that can be chosen, so that a choice needs no request.
    const text = subject.documentOf(choices.map(({ path }) => path));
    return {
      ...previewLook,
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
            <section class="card stage" aria-labelledby="preview">
              <h2 class="hidden" id="preview">
                Preview
              </h2>
              <p class="soft small">
                {summaryOf(subject)} {slug === undefined && <a href={subject.path}>Change the filters</a>}
              </p>
              {embedPreview({ shape, text, attributes, service })}
            </section>
            <section class="card stack settings" aria-labelledby="settings">
              <h2 class="hidden" id="settings">
                Settings
              </h2>
              {choiceControls(subject, attributes)}
              {lookControls(service, attributes)}
            </section>
            {keyFields(sent)}
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
    const { shape, path } = subject;
    const attributes = readAttributes(form, subject, service);
    const text = subject.documentOf(chosenPaths(shape, attributes));
    const acting = { ...actingFor(services, visitor), holder: visitor.id, check: checkDocument };
    const embed = await createEmbed(acting, text, {
      ...readKey(form.origins),
      policyVersion: policy.version,
    });
    return context.render(snippetPage({ ...embed, shape, text, attributes, origin, service, path }));
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

/** The pages on which a new key works. */
function keyFields(sent: SentForm): Html {
  return (
    <section class="card stack" aria-labelledby="code">
      <h2 class="hidden" id="code">
        Get the code
      </h2>
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
  );
}

function snippetPage(embed: Embed & Embedded & Pick<Services, 'origin'> & { readonly path: string }): Page {
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
