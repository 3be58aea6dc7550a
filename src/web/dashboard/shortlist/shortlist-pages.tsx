import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import {
  type AccountLists,
  addToShortlist,
  readLists,
  removeFromShortlist,
} from '../../../access/accounts/lists.ts';
import { Badge, buttonLink, EmptyState, Pager, Tabs } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { requireAcceptedPolicy } from '../access.ts';
import { COLUMNS_COOKIE, fieldsOf, type ShownColumn, shownColumns } from '../explorer/columns.tsx';
import { EXPLORER_PATH } from '../explorer/query.ts';
import type { ShownStartup } from '../explorer/requests.ts';
import { resultsTable } from '../explorer/results-table.tsx';
import { nameCell, startupColumns, startupsText } from '../explorer/table.tsx';
import { action, type SentForm, view } from '../form-actions.ts';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import {
  COMPARE_MAX,
  COMPARE_MIN,
  COMPARE_PATH,
  MAILS_PATH,
  readBack,
  SEARCHES_PATH,
  SHORTLIST_PATH,
} from './paths.ts';
import { pageOf, readStartups } from './read.ts';
import { star, starLook } from './star.tsx';

/** The links between what an account has put aside. */
export const listTabs = (current: string): Html => (
  <Tabs
    label="Shortlist"
    tabs={[
      { path: SHORTLIST_PATH, label: 'Startups', isCurrent: current === SHORTLIST_PATH },
      { path: SEARCHES_PATH, label: 'Saved searches', isCurrent: current === SEARCHES_PATH },
      { path: MAILS_PATH, label: 'Emails', isCurrent: current === MAILS_PATH },
    ]}
  />
);

/** The startups that an account has put aside. */
export function shortlistRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now } = services;

  const page = async (context: SignedInContext, _: SentForm): Promise<Page> => {
    const lists = await readLists(prisma, context.var.visitor.id);
    const { shortlist } = lists;
    const { shown: slugs, ...place } = pageOf(shortlist, context.req.query('page'));
    const columns = shownColumns(getCookie(context, COLUMNS_COOKIE)?.split('.'));
    const look = {
      title: 'Shortlist',
      isWide: true,
      scripts: starLook.scripts,
      styles: ['explorer.css', ...starLook.styles],
      connects: true,
    };
    if (slugs.length === 0) {
      return {
        ...look,
        main: (
          <>
            {listTabs(SHORTLIST_PATH)}
            <EmptyState title="No startup yet">
              <p class="soft">
                Put startups aside with the star beside their names, then compare up to {COMPARE_MAX} of them.
              </p>
              <p>{buttonLink(EXPLORER_PATH, 'Open the explorer')}</p>
            </EmptyState>
          </>
        ),
      };
    }
    const startups = await readStartups(services, context, slugs, fieldsOf(columns));
    const link = (page: number): string => (page === 1 ? SHORTLIST_PATH : `${SHORTLIST_PATH}?page=${page}`);
    const path = link(place.page);
    return {
      ...look,
      main: (
        <>
          {listTabs(SHORTLIST_PATH)}
          <div class="heading sub">
            <p class="shown">{startupsText(shortlist.length)}</p>
            <form id="compare" class="actions" method="get" action={COMPARE_PATH} data-most={COMPARE_MAX}>
              <span class="soft small" role="status">
                Check {COMPARE_MIN} to {COMPARE_MAX} of them
              </span>
              <button class="second">Compare</button>
            </form>
          </div>
          {table({ slugs, startups, columns, lists, path, now: now() })}
          <Pager {...place} link={link} />
        </>
      ),
    };
  };

  const toggle = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const slug = form.slug ?? '';
    const back = readBack(form.back);
    await (form.keep === 'no' ? removeFromShortlist : addToShortlist)(prisma, visitor.id, slug);
    if (context.req.header('x-requested-with') !== undefined) {
      return context.body(null, 204);
    }
    return redirect(context, back === SHORTLIST_PATH ? back : `${back}#star-${slug}`);
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(SHORTLIST_PATH, hasAccepted, view(page))
    .post(SHORTLIST_PATH, hasAccepted, action(page, toggle));
}

interface ListedStartups {
  readonly slugs: readonly string[];
  readonly startups: readonly (ShownStartup | null)[];
  readonly columns: readonly ShownColumn[];
  readonly lists: AccountLists;
  /** The page that they are on. */
  readonly path: string;
  readonly now: number;
}

/** With the columns of the explorer. A startup that was removed from the data is named, and can be removed here too. */
function table({ slugs, startups, columns, lists, path, now }: ListedStartups): Html {
  const starOf = star(lists.shortlist, path);
  const rows = slugs.map(
    (slug, index): ShownStartup =>
      startups[index] ?? { slug, name: slug, category: null, onSale: false, isRemoved: true },
  );
  const named = (startup: ShownStartup): Content =>
    startup.isRemoved === true ? (
      <>
        {starOf(startup)}
        {startup.name} <Badge tone="warn">no longer listed</Badge>
      </>
    ) : (
      <>
        <input
          type="checkbox"
          name="slugs"
          value={startup.slug}
          form="compare"
          aria-label={`Compare ${startup.name}`}
        />
        {nameCell(startup, true, starOf)}
      </>
    );
  return resultsTable({
    label: 'Shortlist',
    caption: 'Your shortlist.',
    kind: 'cards',
    columns: startupColumns(named, columns, now),
    rows,
  });
}
