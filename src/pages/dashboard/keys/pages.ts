import { Hono } from 'hono';
import { findPolicyAcceptance } from '../../../accounts/change.ts';
import { page, readPage } from '../../../db/read-page.ts';
import type { OperatorError } from '../../../errors.ts';
import { renameKey, revokeKey } from '../../../keys/change.ts';
import { createKey, createKeyId, KeyExistsError } from '../../../keys/create.ts';
import { getKey } from '../../../keys/key.ts';
import { listKeys } from '../../../keys/list.ts';
import { readRotations, rotateKey } from '../../../keys/rotate.ts';
import { readLastUse } from '../../../usage/read.ts';
import { render } from '../../shared/jsx.ts';
import { requireAcceptedPolicy } from '../access.ts';
import { orShow, type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { checklist, FIRST_REQUEST_PATH, firstRequest } from './checklist.tsx';
import { newKeyPage, renamePage, revocationPage, rotationPage } from './form-views.tsx';
import { keyPage } from './key-view.tsx';
import { keyListPage } from './list-view.tsx';
import { newKeyShown, rotatedKeyShown } from './new-key-view.tsx';

/** Of a page. */
const ENDED_KEYS = 25;

const PATH = '/dashboard/keys';

/** A visitor's own keys. The id of another's key gets a 404. */
export function keyRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, policy, origin, limits, randomBytes } = services;

  const actingIn = ({ var: { visitor } }: SignedInContext) => actingFor(services, visitor);
  const idIn = ({ req }: SignedInContext): string => req.param('id') ?? '';

  /** Shows a key that a form creates. A form that is sent again, as by a reload, leads to the key created first. */
  const showOnce = (
    context: SignedInContext,
    create: () => Promise<Page>,
    onError: (error: OperatorError) => Page,
  ): Promise<Response> =>
    orShow(
      async () => context.render(await create()),
      (error) =>
        error instanceof KeyExistsError
          ? redirect(context, `${PATH}/${error.id}?done=created`)
          : context.render(onError(error)),
    );

  const list = async (context: SignedInContext): Promise<Response> => {
    const acting = actingIn(context);
    const wanted = { page: readPage(context.req.query('ended')), size: ENDED_KEYS };
    const working = await listKeys(acting, { which: 'working' });
    const ended = await page(wanted, async ({ skip, take }) =>
      (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
    );
    const hasUsed = (await readLastUse(prisma, context.var.visitor.id)) !== null;
    return context.render(
      keyListPage({
        working,
        ended: { ...ended, page: wanted.page },
        revokedId: context.req.query('revoked'),
        checklist: hasUsed
          ? undefined
          : checklist({
              acceptedAt: await findPolicyAcceptance(prisma, context.var.visitor.id, policy.version),
              hasKey: working.length > 0,
              origin,
            }),
      }),
    );
  };

  const create = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const { id, name = '', expires = '', origins: lines = '' } = form;
    const origins = lines.split(/\s+/).filter((line) => line !== '');
    return showOnce(
      context,
      async () => {
        const key = await createKey(actingIn(context), {
          id,
          name: name.trim(),
          expiresAt: expires || undefined,
          tier: 'standard',
          policyVersion: policy.version,
          acceptedBy: visitor.id,
          origins: origins.length === 0 ? undefined : origins,
        });
        return newKeyShown(key, origin, (await readLastUse(prisma, visitor.id)) === null);
      },
      ({ lines: errors }) => newKeyPage(createKeyId(randomBytes), form, errors),
    );
  };

  const rotate = async (context: SignedInContext): Promise<Response> => {
    const { form } = context.var;
    const acting = actingIn(context);
    const key = await getKey(acting, idIn(context));
    return showOnce(
      context,
      async () =>
        rotatedKeyShown(
          await rotateKey(acting, key.id, form.overlap ?? '', { successorId: form.id }),
          origin,
        ),
      ({ message }) => rotationPage(key, createKeyId(randomBytes), [message]),
    );
  };

  const show = async (context: SignedInContext): Promise<Response> => {
    const key = await getKey(actingIn(context), idIn(context));
    const use = await prisma.keyLastUse.findUnique({ where: { keyId: key.id } });
    return context.render(
      keyPage({
        ...(await readRotations(prisma, key)),
        key,
        lastUsedAt: use?.lastUsedAt ?? null,
        limit: limits[key.tier],
        done: context.req.query('done'),
      }),
    );
  };

  const rename = async (context: SignedInContext): Promise<Response> => {
    const { form } = context.var;
    const acting = actingIn(context);
    const key = await getKey(acting, idIn(context));
    const name = (form.name ?? '').trim();
    return orShow(
      async () => {
        await renameKey(acting, key.id, name);
        return redirect(context, `${PATH}/${key.id}?done=renamed`);
      },
      ({ message }) => context.render(renamePage(key, name, message)),
    );
  };

  const revoke = async (context: SignedInContext): Promise<Response> => {
    const { id } = await revokeKey(actingIn(context), idIn(context));
    return redirect(context, `${PATH}?revoked=${id}`);
  };

  /** Whether a request was received, without the page: a script requests it every few seconds. */
  const firstRequestPiece = async (context: SignedInContext): Promise<Response> =>
    context.body(render(firstRequest(await readLastUse(prisma, context.var.visitor.id))), 200, {
      'Content-Type': 'text/html; charset=utf-8',
    });

  const ask =
    (view: (key: Awaited<ReturnType<typeof getKey>>) => Page) =>
    async (context: SignedInContext): Promise<Response> =>
      context.render(view(await getKey(actingIn(context), idIn(context))));

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(PATH, list)
    .post(PATH, hasAccepted, create)
    .get(`${PATH}/new`, hasAccepted, (context) => context.render(newKeyPage(createKeyId(randomBytes))))
    .get(FIRST_REQUEST_PATH, firstRequestPiece)
    .get(`${PATH}/:id`, show)
    .get(`${PATH}/:id/rename`, ask(renamePage))
    .post(`${PATH}/:id/rename`, rename)
    .get(
      `${PATH}/:id/rotate`,
      ask((key) => rotationPage(key, createKeyId(randomBytes))),
    )
    .post(`${PATH}/:id/rotate`, hasAccepted, rotate)
    .get(`${PATH}/:id/revoke`, ask(revocationPage))
    .post(`${PATH}/:id/revoke`, revoke);
}
