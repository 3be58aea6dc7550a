import { Hono } from 'hono';
import {
  createOperatorToken,
  listOperatorTokens,
  type OperatorToken,
  revokeOperatorToken,
} from '../../../access/accounts/operator-tokens.ts';
import { UnknownError } from '../../../lib/errors.ts';
import { quote } from '../../../lib/text/plain-text.ts';
import { CodeBlock, ShownOnce } from '../../shared/code-blocks.tsx';
import { languages } from '../../shared/code-samples.ts';
import { Badge, buttonLink, type Column, EmptyState } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import { time } from '../../shared/time.tsx';
import { action, type SentForm, view } from '../form-actions.ts';
import { field, PostForm } from '../forms.tsx';
import { lastUse } from '../keys/key-usage.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { factorFieldIfOld, requireFreshFactor } from '../second-factor/factor-form.tsx';
import { actingAsOperator, type Services } from '../services.ts';
import { linkTo, operatorPage, type Search, searchPage } from './frame.tsx';

const PATH = '/dashboard/operator/tokens';
const TONES = { active: 'good', suspended: 'warn', revoked: '' } as const;
type TokenState = keyof typeof TONES;

const PURPOSE = (
  <>
    With a token, a program imports startups: <code>POST /import</code>, or <code>revgate import --to</code>.
    It works as long as its holder is an operator.
  </>
);

/** The tokens of operators, with which programs import over HTTP. */
export function tokenRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, operators, origin, now } = services;

  const find = async ({ text, page, size }: Search, state: TokenState | undefined) => {
    const wanted = text.toLowerCase();
    const found = (await listOperatorTokens({ prisma, operators })).filter(
      (token) =>
        (state === undefined || token.state === state) &&
        [token.name, token.prefix, token.holder, token.accountId, token.id].some((one) =>
          one.toLowerCase().includes(wanted),
        ),
    );
    return { items: found.slice((page - 1) * size, page * size), hasMore: found.length > page * size };
  };

  const list = (context: SignedInContext): Promise<Response> =>
    searchPage(context, {
      part: PATH,
      title: 'Tokens',
      action: buttonLink(`${PATH}/new`, 'Create token'),
      hint: 'Name, first characters or holder',
      choice: { name: 'state', label: 'State', values: Object.keys(TONES) as TokenState[] },
      find,
      columns: columns(now()),
      empty: (
        <EmptyState title="No token yet">
          <p class="soft">{PURPOSE}</p>
        </EmptyState>
      ),
    });

  const newPage = (context: SignedInContext, sent: SentForm): Page =>
    operatorPage(
      PATH,
      'New token',
      <div class="card">
        <PostForm action={PATH} button="Create token" cancel={PATH}>
          <p>{PURPOSE}</p>
          {field({
            name: 'name',
            label: 'Name',
            maxLength: 100,
            autocomplete: 'off',
            isFirst: true,
            sent,
            hint: 'What it is for, such as "Nightly export".',
          })}
          {factorFieldIfOld(services, context.var.visitor, sent)}
        </PostForm>
      </div>,
      { back: { path: PATH, label: 'Tokens' }, isNarrow: true },
    );

  const revocationPage = async (context: SignedInContext): Promise<Page> => {
    const id = context.req.param('id') ?? '';
    const token = (await listOperatorTokens({ prisma, operators })).find((one) => one.id === id);
    if (token === undefined) {
      throw new UnknownError(`No token has the id ${quote(id)}.`);
    }
    return operatorPage(
      PATH,
      'Revoke this token?',
      <div class="card danger">
        <p>
          From now on, requests of <strong>{token.holder}</strong> with <strong>{token.name}</strong> (
          <span class="mono">{token.prefix}…</span>) import nothing. This cannot be undone.
        </p>
        <PostForm action={`${PATH}/${id}/revoke`} button="Revoke token" kind="danger" cancel={PATH} />
      </div>,
      { back: { path: PATH, label: 'Tokens' }, isNarrow: true },
    );
  };

  const create = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    await requireFreshFactor(services, context);
    const acting = { ...actingAsOperator(services, visitor), operators };
    const { name, token } = await createOperatorToken(acting, {
      name: (form.name ?? '').trim(),
      account: visitor.id,
    });
    return context.render({
      title: 'Your new token',
      back: { path: PATH, label: 'Tokens' },
      main: (
        <>
          <ShownOnce name={name} secret={token} what="token" address={PATH} next={PATH}>
            : only a hash of it is stored.
          </ShownOnce>
          <section class="card">
            <h2>Import a file</h2>
            <p>
              Store the token in <code>REVGATE_TOKEN</code>. This command imports <code>startups.csv</code>.
              With the parameter <code>dryRun=true</code>, it only says what it would change.
            </p>
            <CodeBlock id="curl" label="Import" title={languages.curl}>
              {highlight(
                'curl',
                `curl --fail-with-body -H "Authorization: Bearer $REVGATE_TOKEN" \\\n  --data-binary @startups.csv "${origin}/import"`,
              )}
            </CodeBlock>
          </section>
        </>
      ),
    });
  };

  const revoke = async (context: SignedInContext): Promise<Response> => {
    const { visitor } = context.var;
    await revokeOperatorToken(actingAsOperator(services, visitor), context.req.param('id') ?? '');
    return redirect(context, `${PATH}?notice=token-revoked`);
  };

  return new Hono<SignedInEnv>()
    .get(PATH, list)
    .post(PATH, action(newPage, create))
    .get(`${PATH}/new`, view(newPage))
    .get(`${PATH}/:id/revoke`, view(revocationPage))
    .post(`${PATH}/:id/revoke`, revoke);
}

const columns = (now: number): readonly Column<OperatorToken>[] => [
  [
    'Name',
    ({ name, prefix, createdAt }) => (
      <span class="two-lines">
        <span>{name}</span>
        <span class="soft">
          <span class="mono">{prefix}…</span> since {time(createdAt)}
        </span>
      </span>
    ),
  ],
  ['State', ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>],
  ['Holder', ({ accountId, holder }) => linkTo(accountId, holder), 'wrap'],
  ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now)],
  [
    <span class="hidden">Actions</span>,
    ({ id, state }) => state !== 'revoked' && buttonLink(`${PATH}/${id}/revoke`, 'Revoke …', 'second'),
    'end',
  ],
];
