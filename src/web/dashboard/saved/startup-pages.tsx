import { readLists, removeSavedStartup, saveStartup } from '../../../access/accounts/lists.ts';
import { selectionOf } from '../../../api/rest/endpoint-documents.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import type { OwnPath } from '../../../startups/model/own-fields.ts';
import { type Page, page, type SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import {
  columnsOf,
  fieldsOf,
  nameOf,
  startupNameCell,
  startupsText,
  tableColumns,
} from '../../parts/startups/columns.tsx';
import { readDocument, type ShownStartup, TREND } from '../../parts/startups/documents.ts';
import { resultsTable } from '../../parts/startups/results-table.tsx';
import { COMPARE_MAX, COMPARED, comparePath, notListed } from '../../parts/startups/saved.tsx';
import { star, starLook } from '../../parts/startups/star.tsx';
import { Badge, buttonLink, EmptyState, Notice } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, SAVED_PATH } from '../../shared/paths.ts';
import { comparedFields, comparison } from './comparison.tsx';
import { mailSettings, saveMails } from './mail-settings.tsx';
import { COMPARE_MIN, listTabs, pageOf } from './saved-parts.tsx';

const look = {
  title: 'Saved startups',
  isWide: true,
  connects: true,
  scripts: starLook.scripts,
  styles: ['explorer.css', ...starLook.styles],
} as const;

/** The startups that an account has put aside, as a list or some of them side by side. */
export const savedStartupPages = (services: Services) => {
  const { prisma, now } = services;

  /** Startups by their slugs, null for each that is not there. */
  const readStartups = async (
    context: SignedInContext,
    slugs: readonly string[],
    fields: readonly (StartupFieldPath | OwnPath)[],
  ): Promise<readonly (ShownStartup | null)[]> => {
    const document = `query Saved($slugs: [String!]!) {
  startupsBySlug(slugs: $slugs) { ${selectionOf(fields)} ${TREND} }
}`;
    type Data = { readonly startupsBySlug: readonly (ShownStartup | null)[] };
    return (await readDocument<Data>(services, context, document, { slugs })).startupsBySlug;
  };

  const comparePage = async (
    context: SignedInContext,
    slugs: readonly string[],
    saved: readonly string[],
  ): Promise<Page> => {
    const startups = await readStartups(context, slugs, comparedFields);
    const known = startups.filter((startup) => startup !== null);
    const unknown = slugs.filter((_, index) => startups[index] === null);
    return {
      ...look,
      title: 'Compare',
      back: pageLinks.saved,
      main: [
        known.length === 0 ? (
          <EmptyState title="Nothing to compare" text={notListed(unknown)}>
            {buttonLink(SAVED_PATH, 'Saved startups')}
          </EmptyState>
        ) : (
          unknown.length > 0 && (
            <Notice tone="warn">
              {notListed(unknown)} <a href={SAVED_PATH}>Choose others</a>
            </Notice>
          )
        ),
        known.length > 0 && comparison(known, star(saved, comparePath(slugs)), now()),
      ],
    };
  };

  const listPage = async (context: SignedInContext, saved: readonly string[]): Promise<Content> => {
    const { shown: slugs, pager } = pageOf(SAVED_PATH, saved, context.req.query('page'));
    if (slugs.length === 0) {
      return (
        <EmptyState
          title="No saved startups yet"
          text={`Click the star beside a startup to save it, then compare up to ${COMPARE_MAX} side by side.`}
        >
          {buttonLink(EXPLORER_PATH, 'Explore startups')}
        </EmptyState>
      );
    }
    const columns = columnsOf(context, services.engine.own());
    const startups = await readStartups(context, slugs, fieldsOf(columns));
    const starOf = star(saved, pager.link(pager.page));
    return [
      <div class="heading sub">
        <p class="shown">{startupsText(saved.length)}</p>
        <form
          id="compare"
          class="actions"
          method="get"
          action={SAVED_PATH}
          data-least={COMPARE_MIN}
          data-most={COMPARE_MAX}
        >
          <span class="soft small" role="status">
            Select {COMPARE_MIN} to {COMPARE_MAX}
          </span>
          <button>Compare</button>
        </form>
      </div>,
      resultsTable({
        label: 'Saved startups',
        columns: tableColumns(columns, (startup) => listedName(startup, starOf(startup)), now()),
        rows: slugs.map(
          (slug, index): ShownStartup =>
            startups[index] ?? { slug, name: slug, category: null, onSale: false, isRemoved: true },
        ),
        pager,
      }),
    ];
  };

  return [
    page({
      path: SAVED_PATH,
      needsPolicy: true,
      view: async (visit) => {
        const { context, visitor } = visit;
        const { shortlist: saved } = await readLists(prisma, visitor.id);
        // A form sends each slug on its own.
        const sent = context.req.queries(COMPARED)?.flatMap((text) => text.split(','));
        const slugs = [...new Set(sent?.map((slug) => slug.trim()).filter((slug) => slug !== ''))];
        if (slugs.length >= COMPARE_MIN && slugs.length <= COMPARE_MAX) {
          return comparePage(context, slugs, saved);
        }
        const error = `Select ${COMPARE_MIN} to ${COMPARE_MAX} startups to compare. You selected ${slugs.length}.`;
        return {
          ...look,
          heading: pageLinks.saved.label,
          errors: sent === undefined ? [] : [error],
          main: [
            listTabs(SAVED_PATH),
            await listPage(context, saved),
            await mailSettings(services, visit, SAVED_PATH),
          ],
        };
      },
      forms: {
        '/mails': (visit) => saveMails(services, visit),
        '': async ({ context, visitor, form }) => {
          const { slug = '', keep } = form;
          const back = readBack(form.back);
          await (keep === 'no' ? removeSavedStartup : saveStartup)(prisma, visitor.id, slug);
          return context.req.header('x-requested-with') !== undefined
            ? context.body(null, 204)
            : back === SAVED_PATH
              ? back
              : `${back}#star-${slug}`;
        },
      },
    }),
  ];
};

/** Where a form leads after it changed the saved startups: only to a page that has such a form. */
const readBack = (text = ''): string =>
  /^\/dashboard\/(explorer|shortlist)([/?][\x21-\x7e]*)?$/.test(text) ? text : SAVED_PATH;

/** The name of a startup, to be selected. One that was removed from the data is named, and can be removed here too. */
const listedName = (startup: ShownStartup, starButton: Html): Content =>
  startup.isRemoved === true
    ? [starButton, startup.name, ' ', <Badge tone="warn">no longer listed</Badge>]
    : [
        <input
          type="checkbox"
          name={COMPARED}
          value={startup.slug}
          form="compare"
          aria-label={`Compare ${nameOf(startup)}`}
        />,
        startupNameCell(startup, starButton, true),
      ];
