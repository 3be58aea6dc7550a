import { Hono } from 'hono';
import {
  createOperatorToken,
  listOperatorTokens,
  type OperatorToken,
  revokeOperatorToken,
} from '../../../accounts/operator-tokens.ts';
import { CodeBlock, ShownOnce } from '../../shared/code-blocks.tsx';
import { Badge, type Column, ListTable } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import { time, timeOr } from '../../shared/time.tsx';
import { action, type SentForm, view } from '../form-actions.ts';
import { ButtonForm, field, PostForm } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';
import { operatorPage } from './frame.tsx';

const PATH = '/dashboard/operator/tokens';
const TONES = { active: 'good', suspended: 'warn', revoked: '' } as const;

/** The tokens of operators, with which programs import over HTTP. */
export function tokenRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, operators, origin } = services;

  const list = async (_context: SignedInContext, sent: SentForm): Promise<Page> => {
    const tokens = await listOperatorTokens({ prisma, operators });
    return operatorPage(
      PATH,
      'Tokens',
      <>
        <div class="card narrow">
          <p>
            With a token, a program imports startups: <code>POST /import</code>, or{' '}
            <code>revgate import --to</code>. It works as long as your account is an operator.
          </p>
          <PostForm action={PATH} button="Create token">
            {field({
              name: 'name',
              label: 'Name',
              maxLength: 100,
              autocomplete: 'off',
              sent,
              hint: 'What it is for, such as "Nightly export".',
            })}
          </PostForm>
        </div>
        {tokens.length > 0 && <ListTable caption="Newest first" columns={columns} rows={tokens} />}
      </>,
    );
  };

  const create = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
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
              With <code>?dryRun=true</code>, it only says what it would change.
            </p>
            <CodeBlock id="curl" label="cURL" kind="curl">
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
    await revokeOperatorToken(actingAsOperator(services, context.var.visitor), context.var.form.id ?? '');
    return redirect(context, `${PATH}?notice=token-revoked`);
  };

  return new Hono<SignedInEnv>()
    .get(PATH, view(list))
    .post(PATH, action(list, create))
    .post(`${PATH}/revoke`, action(list, revoke));
}

const columns: readonly Column<OperatorToken>[] = [
  ['Name', ({ name }) => name],
  ['Token', ({ prefix }) => <span class="mono">{prefix}…</span>],
  ['State', ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>],
  [
    'Account',
    ({ accountId }) => (
      <a class="mono" href={`/dashboard/operator/accounts/${accountId}`}>
        {accountId}
      </a>
    ),
  ],
  ['Created', ({ createdAt }) => time(createdAt, 'day')],
  ['Last use', ({ lastUsedAt }) => timeOr('never', lastUsedAt, 'minute')],
  [
    '',
    ({ id, state }) =>
      state === 'revoked' ? (
        ''
      ) : (
        <ButtonForm action={`${PATH}/revoke`} hidden={{ id }}>
          Revoke
        </ButtonForm>
      ),
  ],
];
