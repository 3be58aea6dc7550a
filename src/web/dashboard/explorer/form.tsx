import { addDays, dayOf } from '../../../lib/text/days.ts';
import { SEARCH_LIMITS } from '../../../startups/model/requests/list-parameters.ts';
import { type StartupSort, sortValues } from '../../../startups/model/vocabulary.ts';
import { optionalColumns } from '../../parts/startups/columns.tsx';
import { activeFilters, ownSortLabels, sortLabel } from '../../parts/startups/filter-texts.ts';
import { type Filter, type Filters, filters, filtersOfAddresses } from '../../parts/startups/filters.ts';
import {
  COLUMNS,
  type CountedMenu,
  changed,
  dateParameters,
  explorerPath,
  viewParameters,
  withoutParameters,
} from '../../parts/startups/query.ts';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { EXPLORER_PATH } from '../../shared/paths.ts';
import { Popup } from '../../shared/popup.tsx';
import { control, dateControl, errorOf, type FilterForm, textInput, yesOrNo } from './controls.tsx';

const FORM_ID = 'filter-form';

const named = (...ids: readonly string[]): readonly Filter[] =>
  ids.flatMap((id) => filters.all.filter((one) => one.id === id));

/** The filters that have a place of their own in the line; all others are in its last menu, but those of addresses. */
const usual = named('category', 'onSale', 'price', 'mrr');
const others = filters.all.filter(
  (one) => !usual.includes(one) && one.id !== 'search' && !filtersOfAddresses.includes(one.id),
);

/** The columns of the last menu: the filter of dates ends the last one. */
const placed = [
  others.filter(({ kind }) => kind === 'range'),
  named('country'),
  named('paymentProvider', 'fundingStatus'),
  named('teamSize', 'targetAudience'),
];
const rest = others.filter((one) => one.kind !== 'instant' && !placed.flat().includes(one));

/** Further filters, in as many columns as stand above them, one after another. */
function inColumns(further: readonly Filter[]): (readonly Filter[])[] {
  const height = Math.ceil(further.length / (placed.length + 1));
  return Array.from({ length: height === 0 ? 0 : Math.ceil(further.length / height) }, (_, column) =>
    further.slice(column * height, (column + 1) * height),
  );
}

/**
 * The line of controls above the list: the filters that are used most, a menu with all others, the order and the columns.
 * Each opens without a script.
 */
export function filterForm(form: FilterForm): Html {
  const { parameters, dateKind, view } = form.query;
  const hidden = [
    ...filtersOfAddresses,
    ...viewParameters,
    ...dateParameters.filter((name) => name !== dateKind),
  ];
  return (
    <form
      id={FORM_ID}
      class={view === 'table' ? 'filters' : 'filters unsorted'}
      action={EXPLORER_PATH}
      method="get"
      role="search"
      aria-label="Startups"
      data-apply=""
    >
      {usual.map((filter) =>
        filter.kind === 'boolean' ? (
          [yesOrNo(filter.id, form), errorOf(filter.id, form)]
        ) : (
          <Menu
            label={filter.label}
            of={[filter]}
            form={form}
            opens={filter.id === 'category' ? 'category' : undefined}
          >
            {control(filter, form, 'hidden')}
          </Menu>
        ),
      )}
      <Menu label="More filters" of={[...others, ...form.filters.own]} form={form} opens="more">
        {[...placed, rest].map((column) => (
          <div>
            {column.map((filter) => control(filter, form))}
            {column === rest && dateControl(form)}
          </div>
        ))}
        {inColumns(form.filters.own).map((column) => (
          <div>{column.map((filter) => control(filter, form))}</div>
        ))}
      </Menu>
      {hidden.map((name) => (
        <input type="hidden" id={name} name={name} value={parameters.get(name) ?? ''} />
      ))}
      <noscript>
        <button>Apply</button>
      </noscript>
      {sortSelect(form)}
      <Menu label="Columns" of={[]} form={form}>
        {columnChoices(form)}
      </Menu>
    </form>
  );
}

interface MenuProps {
  readonly label: string;
  readonly of: readonly Filter[];
  readonly form: FilterForm;
  /** What it is called in an address: set where it shows counts. */
  readonly opens?: CountedMenu | undefined;
  readonly children: Content;
}

/**
 * A part of the line that opens, with the number of values that are set in it. On a phone, where it hides the list, it has a
 * heading, and a button below leads back.
 */
function Menu({ label, of, form, opens, children }: MenuProps): Html {
  const { parameters, open } = form.query;
  const isOpen = opens !== undefined && opens === open;
  const set = activeFilters(parameters, form.filters, of).flatMap(({ values }) => values).length;
  const id = `${opens ?? of[0]?.id ?? COLUMNS}-panel`;
  return (
    <Popup
      id={id}
      label={
        <span>
          {label}
          {set > 0 && <span class="chosen">{count(set)}</span>}
        </span>
      }
      look="second"
      kind={opens === 'more' ? 'panel whole' : 'panel'}
      name={opens}
      isShown={isOpen}
    >
      <p class="title">
        {label}
        <button type="button" class="quiet" popovertarget={id} popovertargetaction="hide" aria-label="Close">
          ✕
        </button>
      </p>
      {opens !== undefined && !isOpen && (
        <noscript>
          <a href={explorerPath(parameters, opens)}>Show all choices, with how many startups have each</a>
        </noscript>
      )}
      <div>{children}</div>
      <p class="finish">
        <button form={FORM_ID}>Show results</button>
      </p>
    </Popup>
  );
}

/** The search, which is part of the form. A script leads to it by the key in its corner. */
export const searchControl = (form: FilterForm): Html => (
  <div class="actions search">
    <span class="affixed" data-unit="/">
      {textInput('search', form, {
        form: FORM_ID,
        type: 'search',
        maxlength: SEARCH_LIMITS.characters,
        placeholder: 'Search startups',
      })}
    </span>
    <noscript>
      <button form={FORM_ID} class="second">
        Search
      </button>
    </noscript>
    {errorOf('search', form)}
  </div>
);

/** The orders to choose from; a heading of the table sorts by its column. */
const usualSorts: readonly StartupSort[] = [
  'best-deal',
  'revenue-desc',
  'mrr-desc',
  'growth-desc',
  'price-asc',
  'multiple-asc',
  'listed-desc',
  'created-desc',
];

function sortSelect({ query: { parameters }, filters: { fields }, defaultSort }: FilterForm): Html {
  const shown = parameters.get('sort') ?? defaultSort;
  return (
    <span class="affixed sort" data-unit="⇅">
      <select id="sort" name="sort" aria-label="Sort">
        {sortValues
          .filter((sort) => usualSorts.includes(sort) || sort === defaultSort || sort === shown)
          .map((sort) => (
            <option value={sort === defaultSort ? '' : sort} selected={sort === shown}>
              {sortLabel(sort).replace(/ first$/, '')}
            </option>
          ))}
        {[...ownSortLabels(fields)].map(([sort, label]) => (
          <option value={sort} selected={sort === shown}>
            {label.replace(/ first$/, '')}
          </option>
        ))}
      </select>
    </span>
  );
}

const columnChoices = ({ columns, filters: { fields } }: FilterForm): Html => (
  <fieldset class="field choices">
    <legend class="hidden">Columns</legend>
    <input type="hidden" name={COLUMNS} value="" />
    {optionalColumns(fields).map((column) => (
      <label class="choice">
        <input
          type="checkbox"
          id={`column-${column.id}`}
          name={COLUMNS}
          value={column.id}
          checked={columns.some(({ id }) => id === column.id)}
        />
        {column.heading}
      </label>
    ))}
  </fieldset>
);

/** The filters in force: each has its values, which are links to the list without them. */
export function filterChips(query: URLSearchParams, of: Filters): Html | null {
  const active = activeFilters(query, of);
  const names = of.all.flatMap(({ parameters }) => parameters);
  return active.length === 0 ? null : (
    <ul class="actions chips bare" aria-label="Active filters">
      {active.map(({ label, values }) => (
        <li class="badge">
          <span aria-hidden="true">{label}</span>
          {values.map(({ id, text, without }) => (
            <a id={`chip-${id}`} href={explorerPath(without)}>
              <span class="hidden">Remove {label} </span>
              {text}
              <span aria-hidden="true"> ✕</span>
            </a>
          ))}
        </li>
      ))}
      <li>
        <a class="badge clear" id="chip-all" href={explorerPath(withoutParameters(query, 'page', ...names))}>
          Clear all
        </a>
      </li>
    </ul>
  );
}

/** Filters of one click: their parameter, and since how many days. */
const quickFilters = [
  ['Listed this week', 'listedSince', 7],
  ['Price reduced', 'priceReducedSince', 30],
] as const;

/** Links that set a filter. Each has the id of the link that removes it, so that the focus stays. @param now ms since 1970. */
export const quickFilterLinks = (query: URLSearchParams, now: number): Content =>
  quickFilters.map(
    ([label, name, days]) =>
      !query.has(name) && (
        <a
          class="badge add"
          id={`chip-${name}`}
          href={explorerPath(changed(query, name, addDays(dayOf(now), -days)))}
        >
          {label}
        </a>
      ),
  );
