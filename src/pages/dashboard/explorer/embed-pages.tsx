import { Hono } from 'hono';
import { createEmbed, type Embed } from '../../../documents/embed.ts';
import { startupFields } from '../../../startups/fields.ts';
import { MAX_DAYS } from '../../../startups/history/parameters.ts';
import type { Content, Html } from '../../shared/jsx.ts';
import { requireAcceptedPolicy } from '../access.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { field, PostForm, readOrigins } from '../forms.tsx';
import { historySeries } from '../history-chart.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { embedFields, embedSnippet, previewLook } from './embed-snippet.tsx';
import { activeFilters } from './labels.tsx';
import { EXPLORER_PATH, explorerPath, readExplorerQuery, readRequest } from './query.ts';
import { chartDocument, embedDocument } from './requests.ts';

/** Not below the path of the explorer, where every name is a startup's. */
export const EMBED_PATH = '/dashboard/embed';

/** The address of the page that embeds the line of a startup's figure. */
export function chartEmbedPath(slug: string, value: string): string {
  return `${EMBED_PATH}?${new URLSearchParams({ chart: slug, value })}`;
}

/** What is embedded: a list, or the line of a startup's figure. */
interface Subject {
  readonly title: string;
  /** What it shows, and on which page it is chosen. */
  readonly summary: Content;
  readonly path: string;
  readonly text: string;
  readonly columns?: readonly string[];
  readonly value?: string;
  readonly rows?: number;
}

/** Reads what is to be embedded; undefined if that is invalid. */
function readSubject(query: URLSearchParams): Subject | undefined {
  const [slug, value] = [query.get('chart'), query.get('value') ?? ''];
  if (slug !== null) {
    const series = historySeries.find(({ path }) => path === value);
    return series === undefined || !new RegExp(startupFields.slug.pattern).test(slug)
      ? undefined
      : {
          title: 'Embed this chart',
          summary: `${series.label} of ${slug} in the last ${MAX_DAYS} days.`,
          path: `${EXPLORER_PATH}/${slug}`,
          text: chartDocument(slug, value),
          value,
        };
  }
  const read = readRequest(readExplorerQuery(query));
  return 'errors' in read
    ? undefined
    : {
        title: 'Embed this list',
        summary: listSummary(query),
        path: explorerPath(query),
        text: embedDocument(read.args),
        columns: embedFields,
        rows: read.request.limit,
      };
}

/** Puts a list on a web page: publishes its document for an embed key, and shows the HTML to insert. */
export function embedRoutes(services: Services): Hono<SignedInEnv> {
  const { origin, service, policy, checkDocument } = services;

  const formPage = (context: SignedInContext, sent: SentForm): Page => {
    const query = new URLSearchParams(sent.values.query ?? context.env.request.query);
    query.delete('page');
    const { title, summary, path } = readSubject(query) ?? {
      title: 'Embed this list',
      summary: null,
      path: EXPLORER_PATH,
    };
    return {
      title,
      back: { path, label: 'Explorer' },
      isNarrow: true,
      main: (
        <>
          <p class="lead">
            Shows it on your own web pages. When a page loads, its data is at most about a minute old.
          </p>
          <div class="card">
            <p class="soft">{summary}</p>
            <PostForm
              action={EMBED_PATH}
              button="Create the snippet"
              cancel={path}
              hidden={{ query: query.toString() }}
            >
              {field({
                name: 'name',
                label: 'Name of the key',
                sent,
                maxLength: 100,
                isRequired: false,
                hint: 'Shown in your list of keys, such as “Blog”.',
              })}
              {field({
                name: 'origins',
                label: 'Origins of the pages, one per line',
                sent,
                rows: 3,
                isRequired: false,
                placeholder: 'https://example.com',
                hint: (
                  <>
                    An embed key is created for these origins. Everyone can read it on the page, but it works
                    only from there and only for the lists that you embed with it.
                  </>
                ),
              })}
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
            </PostForm>
          </div>
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
    const embed = await createEmbed(acting, subject.text, choice);
    return context.render(snippetPage({ ...embed, ...subject, origin, service }));
  };

  const open = (context: SignedInContext): Response | Promise<Response> => {
    const query = new URLSearchParams(context.env.request.query);
    query.delete('page');
    return readSubject(query) === undefined
      ? redirect(context, explorerPath(query))
      : view(formPage)(context);
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(EMBED_PATH, hasAccepted, open)
    .post(EMBED_PATH, hasAccepted, action(formPage, create));
}

function snippetPage(embed: Embed & Subject & Pick<Services, 'origin' | 'service'>): Page {
  return {
    ...previewLook,
    title: 'Your embed snippet',
    back: { path: embed.path, label: 'Explorer' },
    main: (
      <>
        <section class="card" data-address={`/dashboard/keys/${embed.keyId}`}>
          <div class="heading sub">
            <h2>Paste this into your page</h2>
            <p class="hint" id="copied" role="status" />
            <button type="button" class="quiet" data-copy="embed">
              Copy the snippet
            </button>
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
        <p class="soft">
          To stop showing it, <a href={`/dashboard/keys/${embed.keyId}/documents`}>remove its document</a> or{' '}
          <a href={`/dashboard/keys/${embed.keyId}/revoke`}>revoke the key</a>.
        </p>
      </>
    ),
  };
}

function listSummary(query: URLSearchParams): Html {
  const active = activeFilters(query);
  return (
    <>
      {active.length === 0 ? 'All startups' : `Startups with ${active.map(({ text }) => text).join(', ')}`};{' '}
      {query.get('limit') ?? 'at most 10'} rows.
    </>
  );
}
