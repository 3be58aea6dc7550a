import { Hono } from 'hono';
import {
  deleteSearch,
  readLists,
  renameSearch,
  type SavedSearch,
  SEARCH_NAME_MAX,
  SEARCHES_MAX,
  saveSearch,
} from '../../../accounts/lists.ts';
import { OperatorError, UnknownError } from '../../../errors.ts';
import { buttonLink, EmptyState, ListTable } from '../../shared/components.tsx';
import { requireAcceptedPolicy } from '../access.ts';
import { sortLabel } from '../explorer/form.tsx';
import { activeFilters } from '../explorer/labels.tsx';
import {
  BY,
  EXPLORER_PATH,
  explorerPath,
  readExplorerQuery,
  readRequest,
  VIEW,
  withoutParameters,
  withQuery,
} from '../explorer/query.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { ButtonForm, field, PostForm } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { SEARCHES_PATH } from './paths.ts';
import { listTabs } from './shortlist-pages.tsx';

const BACK = { path: SEARCHES_PATH, label: 'Saved searches' };

/** Lists of the explorer that an account has given a name. */
export function searchRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma } = services;

  const list = async (context: SignedInContext): Promise<Page> => {
    const { searches } = await readLists(prisma, context.var.visitor.id);
    return {
      title: 'Saved searches',
      main: (
        <>
          {listTabs(SEARCHES_PATH)}
          {searches.length === 0 ? (
            <EmptyState title="No saved search yet">
              <p class="soft">Filter and sort the explorer, and choose “Save this search”.</p>
              <p>{buttonLink(EXPLORER_PATH, 'Open the explorer')}</p>
            </EmptyState>
          ) : (
            <ListTable
              caption={`${searches.length} of at most ${SEARCHES_MAX}`}
              columns={[
                ['Name', ({ name, query }) => <a href={explorerPath(new URLSearchParams(query))}>{name}</a>],
                ['Search', ({ query }) => inWords(new URLSearchParams(query)), 'wrap'],
                [
                  <span class="hidden">Change it</span>,
                  ({ name }) => (
                    <div class="actions">
                      <a href={`${SEARCHES_PATH}/rename?name=${encodeURIComponent(name)}`}>
                        Rename<span class="hidden"> {name}</span>
                      </a>
                      <ButtonForm action={`${SEARCHES_PATH}/delete`} hidden={{ name }}>
                        Delete<span class="hidden"> {name}</span>
                      </ButtonForm>
                    </div>
                  ),
                  'end',
                ],
              ]}
              rows={searches}
            />
          )}
        </>
      ),
    };
  };

  const newPage = (context: SignedInContext, sent: SentForm): Page => {
    const query = readQuery(sent.values.query ?? context.env.request.query);
    return {
      title: 'Save this search',
      back: { path: explorerPath(query), label: 'Explorer' },
      isNarrow: true,
      main: (
        <div class="card">
          <p class="soft">{inWords(query)}</p>
          <PostForm
            action={SEARCHES_PATH}
            button="Save"
            cancel={explorerPath(query)}
            hidden={{ query: withQuery('', query).slice(1) }}
          >
            {field({
              name: 'name',
              label: 'Name',
              sent,
              maxLength: SEARCH_NAME_MAX,
              isFirst: true,
              hint: 'A name you will recognize, such as “Cheap and growing”.',
            })}
          </PostForm>
        </div>
      ),
    };
  };

  const save = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const query = withQuery('', readQuery(form.query ?? '')).slice(1);
    await saveSearch(prisma, visitor.id, { name: (form.name ?? '').trim(), query });
    return redirect(context, `${SEARCHES_PATH}?notice=search-saved`);
  };

  const renamePage = async (context: SignedInContext, sent: SentForm): Promise<Page> => {
    const { name } = await find(context, sent.values.old ?? context.req.query('name') ?? '');
    return {
      title: 'Rename search',
      back: BACK,
      isNarrow: true,
      main: (
        <div class="card">
          <PostForm
            action={`${SEARCHES_PATH}/rename`}
            button="Rename search"
            cancel={SEARCHES_PATH}
            hidden={{ old: name }}
          >
            {field({
              name: 'name',
              label: 'Name',
              value: name,
              sent,
              maxLength: SEARCH_NAME_MAX,
              isFirst: true,
            })}
          </PostForm>
        </div>
      ),
    };
  };

  const rename = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const { name } = await find(context, form.old ?? '');
    await renameSearch(prisma, visitor.id, name, (form.name ?? '').trim());
    return redirect(context, `${SEARCHES_PATH}?notice=search-renamed`);
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    await deleteSearch(prisma, context.var.visitor.id, context.var.form.name ?? '');
    return redirect(context, `${SEARCHES_PATH}?notice=search-deleted`);
  };

  const find = async (context: SignedInContext, name: string): Promise<SavedSearch> => {
    const { searches } = await readLists(prisma, context.var.visitor.id);
    const found = searches.find((one) => one.name === name);
    if (found === undefined) {
      throw new UnknownError('You have no such search.');
    }
    return found;
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(SEARCHES_PATH, async (context) => context.render(await list(context)))
    .post(SEARCHES_PATH, hasAccepted, action(newPage, save))
    .get(`${SEARCHES_PATH}/new`, hasAccepted, view(newPage))
    .get(`${SEARCHES_PATH}/rename`, view(renamePage))
    .post(`${SEARCHES_PATH}/rename`, action(renamePage, rename))
    .post(`${SEARCHES_PATH}/delete`, remove);
}

/**
 * The parameters of a search, as the explorer reads them, without the page.
 *
 * @throws OperatorError with each invalid parameter.
 */
function readQuery(text: string): URLSearchParams {
  const query = readExplorerQuery(new URLSearchParams(text));
  const read = readRequest(query);
  if ('errors' in read) {
    throw new OperatorError(
      read.errors.map(({ parameter, message }) => `${parameter}: ${message}`).join('\n'),
    );
  }
  return withoutParameters(query.parameters, 'page', VIEW, BY);
}

/** The filters and the order of a search. */
function inWords(query: URLSearchParams): string {
  const filters = activeFilters(query).map(({ text }) => text);
  const sort = query.get('sort');
  return [
    filters.length === 0 ? 'All startups' : filters.join(', '),
    ...(sort === null ? [] : [sortLabel(sort as Parameters<typeof sortLabel>[0])]),
  ].join('; ');
}
