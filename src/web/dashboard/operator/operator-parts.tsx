import { accountLabel } from '../../../access/accounts/account.ts';
import type { Paged } from '../../../db/read-page.ts';
import { FormCard, SelectField } from '../../page/forms.tsx';
import { type NoticeName, withNotice } from '../../page/notices.ts';
import { inPlace, type Page, type Visit } from '../../page/page.ts';
import type { Acting, Services } from '../../page/services.ts';
import { listTable, readSearch, type Search } from '../../parts/lists/lists.tsx';
import { buttonLink, type Column, capitalized } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';

interface SearchedList<T, Choice extends string> {
  readonly title: string;
  /** What the search text can be. */
  readonly hint: string;
  /** A choice in addition to the text; without a value it does not filter. */
  readonly choice: {
    readonly name: string;
    readonly label: string;
    readonly values: readonly Choice[];
    readonly textOf?: (value: Choice) => string;
  };
  /** Beside the heading. */
  readonly action?: Html | undefined;
  readonly layout?: 'sentence';
  readonly find: (search: Search, choice: Choice | undefined) => Promise<Paged<T>>;
  readonly columns: readonly Column<T>[];
}

/** A page with a list that can be searched by a text and a choice. */
export async function searchPage<T, Choice extends string>(
  { context, path, query }: Visit,
  { title, hint, choice, action, layout, find, columns }: SearchedList<T, Choice>,
): Promise<Page> {
  const { name, label, values, textOf = capitalized } = choice;
  const search = readSearch(context);
  const chosen = values.find((value) => value === query(name));
  const found = await find(search, chosen);
  const any = ['', `Any ${label.toLowerCase()}`] as const;
  return {
    title,
    // A choice of the form is applied by a request.
    scripts: inPlace,
    connects: true,
    ...(action !== undefined && { action }),
    main: [
      <form class="actions search" action={path} method="get" role="search" data-apply="">
        <div class="field">
          <label class="hidden" for="q">
            Search
          </label>
          <input id="q" name="q" type="search" maxlength="254" value={search.text} placeholder={hint} />
        </div>
        <SelectField
          name={name}
          label={label}
          value={chosen ?? ''}
          options={[any, ...values.map((value) => [value, textOf(value)] as const)]}
          isHidden
        />
        <button class="second">Search</button>
      </form>,
      listTable(context, found, columns, { layout }),
    ],
  };
}

/** The names of accounts, keys and tokens by their ids. */
export async function readNames(
  prisma: Services['prisma'],
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const where = { id: { in: ids.filter((id) => id !== null) } };
  const select = { id: true, name: true };
  const accounts = await prisma.account.findMany({ where, select: { ...select, email: true } });
  const others = [
    ...(await prisma.apiKey.findMany({ where, select })),
    ...(await prisma.operatorToken.findMany({ where, select })),
  ];
  return new Map([
    ...accounts.map((one) => [one.id, accountLabel(one)] as const),
    ...others.map(({ id, name }) => [id, name] as const),
  ]);
}

/** The button that leads to what was done to a key or an account. */
export const auditButton = (id: string): Html =>
  buttonLink(`${pageLinks.audit.path}?q=${id}`, pageLinks.audit.label, 'second');

type Change = (acting: Acting, id: string, reason?: string) => Promise<unknown>;

/** Disabling a key or an account under the policy, and enabling it again: the form, and what it does. */
export function stateOf(
  kind: 'key' | 'account',
  disable: Change,
  enable: Change,
  texts: Record<'disabling' | 'enabling', string>,
) {
  const act = (change: Change, notice: NoticeName) => async (visit: Visit) => {
    await change(visit.acting, visit.id, (visit.form.reason ?? '').trim());
    return withNotice(visit.path, notice);
  };
  return {
    form({ path, sent }: Visit, isDisabled: boolean): Html {
      const label = `${isDisabled ? 'Enable' : 'Disable'} the ${kind}`;
      return (
        <FormCard
          title={label}
          text={isDisabled ? texts.enabling : texts.disabling}
          action={`${path}/${isDisabled ? 'enable' : 'disable'}`}
          button={label}
          kind={isDisabled ? 'second' : 'second danger'}
          sent={sent}
          fields={[
            {
              name: 'reason',
              label: 'Reason',
              autocomplete: 'off',
              maxLength: 500,
              isRequired: !isDisabled,
              hint: isDisabled
                ? 'Optional, for the audit log only.'
                : 'Shown to its holder. 1 to 500 characters.',
            },
          ]}
        />
      );
    },
    acts: {
      // The reason is required here, unlike on the command line: its reader in the dashboard cannot ask the operator.
      '/disable': act(disable, `${kind}-disable`),
      '/enable': act((acting, id, reason) => enable(acting, id, reason || undefined), `${kind}-enable`),
    },
  };
}
