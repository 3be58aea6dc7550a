import {
  createOperatorToken,
  listOperatorTokens,
  type OperatorToken,
  revokeOperatorToken,
} from '../../../access/accounts/operator-tokens.ts';
import { quote, UnknownError } from '../../../lib/errors.ts';
import { nameField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { lastUse } from '../../parts/keys/key-parts.tsx';
import { linkTo } from '../../parts/lists/lists.tsx';
import { commandBlock, ShownOnce } from '../../shared/code-blocks.tsx';
import {
  Badge,
  buttonLink,
  type Column,
  capitalized,
  EmptyState,
  ListTable,
} from '../../shared/components.tsx';
import { pageLinks } from '../../shared/page-links.ts';
import { time } from '../../shared/time.tsx';

const PATH = pageLinks.tokens.path;
const TONES = { active: 'good', suspended: 'warn', revoked: '' } as const;

const PURPOSE = (
  <p class="soft">
    Programs use a token to import startups, with <code>POST /import</code> or{' '}
    <code class="whole">revgate import --to</code>. It works only while its creator is an operator.
  </p>
);

/** The tokens of operators, with which programs import over HTTP. */
export function tokenPages({ prisma, operators, origin, now }: Services) {
  return [
    page({
      path: PATH,
      view: async () => {
        const tokens = await listOperatorTokens({ prisma, operators });
        const create = buttonLink(`${PATH}/new`, 'Create token');
        return {
          title: pageLinks.tokens.label,
          ...(tokens.length > 0 && { action: create }),
          main:
            tokens.length === 0 ? (
              <EmptyState title="No token yet">
                {PURPOSE}
                {create}
              </EmptyState>
            ) : (
              <ListTable
                layout="entries"
                caption="Newest first"
                isCaptionHidden
                columns={columns(now())}
                rows={tokens}
              />
            ),
        };
      },
    }),
    page({
      path: `${PATH}/new`,
      isGuarded: true,
      view: () => ({
        title: 'Create token',
        back: pageLinks.tokens,
        action: PATH,
        button: 'Create token',
        children: PURPOSE,
        fields: [
          nameField({
            maxLength: 100,
            autocomplete: 'off',
            hint: 'What it is for, such as “Nightly import”.',
          }),
        ],
      }),
      forms: {
        [PATH]: async ({ acting, visitor, form }) => {
          const fields = { name: (form.name ?? '').trim(), account: visitor.id };
          const { name, token } = await createOperatorToken({ ...acting, operators }, fields);
          return {
            title: 'Your new token',
            back: pageLinks.tokens,
            main: [
              <ShownOnce name={name} secret={token} what="token" address={PATH} next={PATH}>
                : only a hash of it is stored.
              </ShownOnce>,
              <section class="card">
                <h2>Import a file</h2>
                <p>
                  Store the token in <code>REVGATE_TOKEN</code>. This command imports{' '}
                  <code>startups.csv</code>. With the parameter <code>dryRun=true</code>, it only says what it
                  would change.
                </p>
                {commandBlock(
                  'curl',
                  'Import',
                  `curl --fail-with-body \\\n  -H "Authorization: Bearer $REVGATE_TOKEN" \\\n  --data-binary @startups.csv "${origin}/import"`,
                )}
              </section>,
            ],
          };
        },
      },
    }),
    page({
      path: `${PATH}/:id/revoke`,
      load: async ({ id }) => {
        const token = (await listOperatorTokens({ prisma, operators })).find((one) => one.id === id);
        if (token === undefined) {
          throw new UnknownError(`No token has the id ${quote(id)}.`);
        }
        return token;
      },
      view: (_, { holder, name, prefix }) => ({
        title: 'Revoke this token?',
        back: pageLinks.tokens,
        isDanger: true,
        button: 'Revoke token',
        text: (
          <>
            Requests of <strong>{holder}</strong> with <strong>{name}</strong> (
            <span class="mono">{prefix}…</span>) are rejected from now on. This cannot be undone.
          </>
        ),
      }),
      act: async ({ acting, id }) => {
        await revokeOperatorToken(acting, id);
        return withNotice(PATH, 'token-revoked');
      },
    }),
  ];
}

const columns = (now: number): readonly Column<OperatorToken>[] => [
  [
    'Name',
    ({ name, prefix }) => (
      <span class="two-lines">
        <span>{name}</span>
        <span class="soft mono">{prefix}…</span>
      </span>
    ),
  ],
  ['State', ({ state }) => <Badge tone={TONES[state]}>{capitalized(state)}</Badge>],
  ['Holder', ({ accountId, holder }) => linkTo(accountId, holder), 'named line'],
  ['Created', ({ createdAt }) => time(createdAt)],
  ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now)],
  [
    <span class="hidden">Actions</span>,
    ({ id, state }) => state !== 'revoked' && buttonLink(`${PATH}/${id}/revoke`, 'Revoke …', 'second'),
    'aside',
  ],
];
