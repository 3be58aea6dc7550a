import { startupFields } from '../../../startups/model/fields.ts';
import { bounds } from '../../../startups/model/filter.ts';
import { type ListParameterName, SEARCH_LIMITS } from '../../../startups/model/requests/list-parameters.ts';
import {
  descriptionOf,
  type StartupSort,
  sortValues,
  startupSorts,
} from '../../../startups/model/vocabulary.ts';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { optionalColumns } from './columns.tsx';
import {
  choices,
  dateInput,
  errorOf,
  type FilterForm,
  handleInput,
  input,
  labelled,
  rangeFields,
  select,
} from './controls.tsx';
import { valueText } from './labels.tsx';
import {
  COLUMNS,
  type CountedMenu,
  countedIn,
  EXPLORER_PATH,
  explorerPath,
  viewParameters,
  withoutParameters,
} from './query.ts';
import { ranges } from './units.ts';

/** The bounds of dates. */
const dateParameters = bounds.flatMap(({ unit, min, max }) =>
  unit === 'date' ? [min, ...(max === undefined ? [] : [max])] : [],
);

const FORM_ID = 'filter-form';

/** The ranges that have a place of their own above the list; all others are in the panel. */
const usual: readonly string[] = ['price', 'mrr', 'growth'];

/**
 * The line of filters above the list: the most used ones, and a panel with all others. Each opens without a script. With one, what has `data-part` is replaced by what the next page has under the same name.
 */
export function filterForm(form: FilterForm): Html {
  return (
    <form
      id={FORM_ID}
      class="filters"
      action={EXPLORER_PATH}
      method="get"
      role="search"
      aria-label="Startups"
      data-apply=""
    >
      <Menu label="Category" names={['category']} form={form} opens="category">
        {choices('category', form)}
      </Menu>
      <label class="hidden" for="onSale">
        Sale status
      </label>
      {select('onSale', form)}
      {ranges
        .filter(({ name }) => usual.includes(name))
        .toSorted((a, b) => usual.indexOf(a.name) - usual.indexOf(b.name))
        .map((range) => (
          <Menu label={range.label} names={range.fields.map(({ parameter }) => parameter)} form={form}>
            {rangeFields(range, form)}
          </Menu>
        ))}
      <Menu label="More filters" names={panelNames} form={form} opens="more">
        {countedIn.more.map((name) => choices(name, form, name === 'techStack' && otherTechnology))}
        {ranges.filter(({ name }) => !usual.includes(name)).map((range) => rangeFields(range, form))}
        {dateParameters.map((name) => labelled(name, dateInput(name, form), form))}
        {labelled('active', select('active', form), form)}
        {labelled('xHandle', handleInput(form), form)}
        {labelled(
          'website',
          input('website', form, {
            maxlength: startupFields.website.maxLength,
            autocomplete: 'off',
            autocapitalize: 'none',
            spellcheck: 'false',
            placeholder: 'acme.io',
          }),
          form,
        )}
      </Menu>
      {(['slug', ...viewParameters] as const).map((name) => (
        <input type="hidden" id={name} name={name} value={form.query.parameters.get(name) ?? ''} />
      ))}
      <noscript>
        <button>Apply</button>
      </noscript>
    </form>
  );
}

/** The order and the columns of the table, which are part of the form above it. */
export function tableSettings(form: FilterForm): Html {
  return (
    <span class="settings actions">
      <label class="hidden" for="sort">
        Sort
      </label>
      {sortSelect(form)}
      <Menu label="Columns" names={[]} form={form}>
        <input type="hidden" form={FORM_ID} name={COLUMNS} value="" />
        <fieldset class="field choices">
          <legend class="hidden">Columns</legend>
          {optionalColumns.map(({ id, heading }) => (
            <label class="choice">
              <input
                type="checkbox"
                form={FORM_ID}
                id={`column-${id}`}
                name={COLUMNS}
                value={id}
                checked={form.columns.some((column) => column.id === id)}
              />
              {heading}
            </label>
          ))}
        </fieldset>
      </Menu>
    </span>
  );
}

/** The filters in the panel. */
const panelNames: readonly ListParameterName[] = [
  ...countedIn.more,
  ...ranges
    .filter(({ name }) => !usual.includes(name))
    .flatMap(({ fields }) => fields.map(({ parameter }) => parameter)),
  ...dateParameters,
  'active',
  'xHandle',
  'website',
];

/**
 * A part of the line that opens, with what is chosen in it. On a phone, where it hides the list, its summary is the heading,
 * and buttons below clear it and lead back.
 */
function Menu({
  label,
  names,
  form,
  opens,
  children,
}: {
  readonly label: string;
  readonly names: readonly ListParameterName[];
  readonly form: FilterForm;
  /** What it is called in an address: set where it shows counts. */
  readonly opens?: CountedMenu;
  readonly children: Content;
}): Html {
  const { parameters, open } = form.query;
  const id = names[0] ?? COLUMNS;
  const chosen = names.filter((name) => parameters.has(name));
  const text = names.length > 2 ? String(chosen.length) : valueText(parameters, chosen);
  return (
    <details
      class={`menu filter ${opens === 'more' ? 'panel' : ''}`}
      name="filter"
      data-open={opens}
      open={opens !== undefined && opens === open}
    >
      <summary class="button second">
        {label}
        <span class="chosen" data-part={`chosen-${id}`}>
          {chosen.length > 0 && text}
        </span>
      </summary>
      <div class="popup">
        <div>
          {opens !== undefined && opens !== open && (
            <noscript>
              <a href={explorerPath(parameters, opens)}>Show all choices, with how many startups have each</a>
            </noscript>
          )}
          {children}
        </div>
        <p class="finish">
          <button form={FORM_ID}>
            Show results
            <span class="by-script" data-part={`total-${id}`}>
              {form.total !== undefined && ` (${count(form.total)})`}
            </span>
          </button>
          <span data-part={`clear-${id}`}>
            {chosen.length > 0 && (
              <a
                id={`clear-${id}`}
                class="button second"
                href={explorerPath(withoutParameters(parameters, 'page', ...names))}
              >
                Clear
              </a>
            )}
          </span>
        </p>
      </div>
    </details>
  );
}

/** The search, which is part of the form above the list. */
export function searchControl(form: FilterForm): Html {
  return (
    <div class="actions search">
      <label class="hidden" for="search">
        Search
      </label>
      {input('search', form, {
        form: FORM_ID,
        type: 'search',
        maxlength: SEARCH_LIMITS.characters,
        autocomplete: 'off',
        placeholder: 'Search startups  ( / )',
      })}
      <noscript>
        <button form={FORM_ID} class="second">
          Search
        </button>
      </noscript>
      {errorOf('search', form)}
    </div>
  );
}

/** A field for technologies that are not among the most frequent ones. */
const otherTechnology: Html = (
  <input
    name="techStack"
    id="other-technology"
    class="other"
    aria-label="Other technology"
    autocomplete="off"
    placeholder="Other, such as Next.js"
  />
);

function sortSelect({ query: { parameters }, defaultSort }: FilterForm): Html {
  const asked = parameters.get('sort');
  return (
    <select id="sort" name="sort" form={FORM_ID}>
      <option value="">{sortLabel(defaultSort)}</option>
      {(parameters.has('search') ? sortValues : startupSorts)
        .filter((sort) => sort !== defaultSort)
        .map((sort) => (
          <option value={sort} selected={sort === asked}>
            {sortLabel(sort)}
          </option>
        ))}
    </select>
  );
}

/** The first words of the description of an order, which suffice in a list. */
export function sortLabel(sort: StartupSort): string {
  return descriptionOf(sort).replace(/[:.;].*$/, '');
}
