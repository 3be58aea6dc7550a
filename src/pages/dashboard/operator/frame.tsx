import { type Paged, readPage } from '../../../db/paged.ts';
import { EmptyState, Pager, Tabs } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import type { Page, SignedInContext } from '../page.ts';

const PATH = '/dashboard/operator';

const parts = [
  { path: PATH, label: 'Health' },
  { path: `${PATH}/accounts`, label: 'Accounts' },
  { path: `${PATH}/keys`, label: 'Keys' },
  { path: `${PATH}/policies`, label: 'Policy' },
  { path: `${PATH}/imports`, label: 'Imports' },
  { path: `${PATH}/audit`, label: 'Audit log' },
] as const;
type PartPath = (typeof parts)[number]['path'];

/** A page for operators, with links to the others. */
export function operatorPage(part: PartPath, title: string, main: Content, more: Partial<Page> = {}): Page {
  return {
    ...more,
    title,
    main: (
      <>
        <Tabs
          label="Operator"
          tabs={parts.map(({ path, label }) => ({ path, label, isCurrent: path === part }))}
        />
        {main}
      </>
    ),
  };
}

/** How many rows a page of a list shows. */
const PAGE_SIZE = 25;

/** The search terms of a list, from its URL. */
interface ListQuery {
  readonly text: string;
  readonly page: number;
  readonly size: number;
}

/** Reads the text and the page of a list. */
export function readSearch({ req }: SignedInContext): ListQuery {
  return {
    text: (req.query('q') ?? '').trim(),
    page: readPage(req.query('page')),
    size: PAGE_SIZE,
  };
}

/** A choice in addition to the search text. */
interface SearchChoice {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** The label of each value; the empty value does not filter. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Searches a list, by a text and a choice. */
export function searchForm(action: PartPath, text: string, hint: string, choice: SearchChoice): Html {
  return (
    <form class="actions search" action={action} method="get" role="search">
      <div class="field">
        <label for="q">Search</label>
        <input id="q" name="q" type="search" maxlength="254" value={text} placeholder={hint} />
      </div>
      <div class="field short">
        <label for={choice.name}>{choice.label}</label>
        <select id={choice.name} name={choice.name}>
          {choice.options.map(([value, label]) => (
            <option value={value} selected={value === choice.value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <button>Search</button>
    </form>
  );
}

/** A table of a list's page, with links to the previous and next pages. */
export function listTable<T>(
  list: Paged<T>,
  at: { path: PartPath; query: URLSearchParams; page: number },
  table: { caption: string; heads: readonly string[]; row: (item: T) => Html },
): Html {
  if (list.items.length === 0) {
    return (
      <EmptyState title="Nothing found">
        <p class="soft">{at.page > 1 ? 'There is no such page.' : 'Try another search.'}</p>
      </EmptyState>
    );
  }
  const link = (page: number): string => {
    const query = new URLSearchParams(at.query);
    query.set('page', String(page));
    return `${at.path}?${query}`;
  };
  return (
    <>
      <div class="table">
        <table class="collapse">
          <caption>{table.caption}</caption>
          <thead>
            <tr>
              {table.heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>{list.items.map(table.row)}</tbody>
        </table>
      </div>
      <Pager page={at.page} hasMore={list.hasMore} link={link} />
    </>
  );
}

/** A form for an action under the policy, with a reason. */
export function reasonForm(of: {
  action: string;
  title: string;
  text: string;
  button: string;
  hint: string;
  isDangerous: boolean;
  error?: string | undefined;
}): Html {
  const { action, title, text, button, hint, isDangerous, error } = of;
  return (
    <section class={isDangerous ? 'card danger' : 'card'}>
      <h2>{title}</h2>
      <p>{text}</p>
      <form class="stack" method="post" action={action}>
        <div class="field">
          <label for="reason">Reason</label>
          <input
            id="reason"
            name="reason"
            maxlength="500"
            autocomplete="off"
            required={isDangerous}
            aria-describedby={error === undefined ? 'reason-hint' : 'reason-hint reason-error'}
            aria-invalid={error !== undefined ? 'true' : undefined}
          />
          <p class="hint" id="reason-hint">
            {hint}
          </p>
          {error !== undefined && (
            <p class="error" id="reason-error">
              {error}
            </p>
          )}
        </div>
        <div class="actions">
          <button class={isDangerous ? 'danger' : undefined}>{button}</button>
        </div>
      </form>
    </section>
  );
}

export const orDash = (text: Content): Content =>
  text === null || text === undefined || text === '' ? <span class="soft">–</span> : text;
