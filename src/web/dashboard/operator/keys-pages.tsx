import { runAction } from '../../../access/audit/audit-log.ts';
import {
  changeKeyTier,
  disableKey,
  enableKey,
  permitSnapshots,
  setKeyLimit,
} from '../../../access/keys/change.ts';
import { getKey, isEmbedKey, type KeySummary, type ListedKey, searchKeys } from '../../../access/keys/key.ts';
import { tiers } from '../../../access/limits/tiers.ts';
import type { Paged } from '../../../db/read-page.ts';
import { checkbox, FormCard, radioButtons } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { keyColumns, keyDetails, keyStates, type UsedKey, withUsage } from '../../parts/keys/key-parts.tsx';
import { linkTo } from '../../parts/lists/lists.tsx';
import { buttonLink, capitalized } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { usagePath } from '../../shared/paths.ts';
import { auditButton, readNames, searchPage, stateOf } from './operator-parts.tsx';

const PATH = pageLinks.allKeys.path;

/** A key with the name of its account, if it has one. */
interface HeldKey extends UsedKey {
  readonly holder: string | undefined;
}

const disabling = stateOf('key', disableKey, enableKey, {
  disabling:
    'For violations of the acceptable-use policy. Also disables the keys it was rotated from or to. Requests get a 403 response until it is enabled again.',
  enabling: 'It works again, unless its account is disabled.',
});

/** All keys, for operators: search, view, disable, enable and change the limits. */
export function keyAdminPages(services: Services) {
  const { prisma, now, limits } = services;

  const withHolders = async ({ items, ...more }: Paged<ListedKey>): Promise<Paged<HeldKey>> => {
    const holders = await readNames(
      prisma,
      items.map(({ accountId }) => accountId),
    );
    const used = await withUsage(services, items);
    return { ...more, items: used.map((key) => ({ ...key, holder: holders.get(key.accountId ?? '') })) };
  };

  return [
    page({
      path: PATH,
      view: (visit) =>
        searchPage(visit, {
          title: pageLinks.allKeys.label,
          hint: 'Name, prefix or ID',
          choice: { name: 'state', label: 'State', values: keyStates },
          find: async (search, state) => {
            await services.node.usage.store();
            return withHolders(await searchKeys({ prisma, now }, { ...search, state }));
          },
          columns: keyColumns<HeldKey>(PATH, now(), ({ accountId, holder }) =>
            accountId === null ? 'no account' : linkTo(accountId, holder),
          ),
        }),
    }),
    page({
      path: `${PATH}/:id`,
      load: ({ id }) => getKey({ prisma, now }, id),
      view: async (visit, key) => {
        const { id, accountId, state, policyAcceptedBy: acceptedBy } = key;
        const names = await readNames(prisma, [accountId, acceptedBy]);
        const details = await keyDetails(services, key, PATH, [
          state === 'disabled' && [
            'Disabled because',
            `${key.disabledReason ?? '–'}${key.disabledAt === null ? ' (its account is disabled)' : ''}`,
          ],
          ['Holder', accountId === null ? 'None (command line)' : linkTo(accountId, names.get(accountId))],
          [
            'Policy',
            [`Version ${key.policyVersion}, accepted by `, linkTo(acceptedBy, names.get(acceptedBy))],
          ],
        ]);
        return {
          title: key.name,
          back: pageLinks.allKeys,
          action: (
            <div class="actions">
              {buttonLink(usagePath(id), pageLinks.usage.label, 'second')}
              {auditButton(id)}
            </div>
          ),
          main: [
            details.html,
            (state === 'active' || state === 'disabled') && (
              <div class="columns">
                {limitForm(visit, key, limits)}
                {disabling.form(visit, key.disabledAt !== null)}
              </div>
            ),
          ],
        };
      },
      forms: {
        ...disabling.acts,
        // All of the form, or nothing. What is unchanged is not recorded.
        '/limits': ({ acting, id, form, path }, key) =>
          runAction(acting, async (within) => {
            const { tier = '', limit = '', snapshot } = form;
            const joined = { ...acting, within };
            await setKeyLimit(joined, id, limit.trim() || 'default');
            await changeKeyTier(joined, id, tier);
            if (!isEmbedKey(key)) {
              await permitSnapshots(joined, id, snapshot === 'on');
            }
            return withNotice(path, 'key-limit');
          }),
      },
    }),
  ];
}

function limitForm({ path, sent }: Visit, key: KeySummary, limits: Services['limits']): Html {
  return (
    <FormCard
      title="Limits"
      text="For this key and the keys that share its limit."
      action={`${path}/limits`}
      button="Save limits"
      sent={sent}
      fields={[
        {
          name: 'limit',
          label: 'Custom limit (requests a minute)',
          value: key.rateLimit?.toString(),
          autocomplete: 'off',
          maxLength: 10,
          isRequired: false,
          hint: "Leave empty to use the tier's limit.",
        },
      ]}
    >
      {radioButtons(
        'Tier (requests a minute)',
        'tier',
        key.tier,
        tiers.map((one) => [one, `${capitalized(one)}: ${limits[one]}`]),
      )}
      {!isEmbedKey(key) && checkbox('snapshot', 'Download all startups at once, once an hour', key.snapshot)}
    </FormCard>
  );
}
