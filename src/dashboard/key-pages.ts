import { Hono } from 'hono';
import { findPolicyAcceptance } from '../accounts/accept-policy.ts';
import { OperatorError } from '../errors.ts';
import { createKey } from '../keys/create.ts';
import { getKey } from '../keys/key.ts';
import { listKeys } from '../keys/list.ts';
import { revokeKey } from '../keys/revoke.ts';
import { rotateKey } from '../keys/rotate.ts';
import { page, readPage } from '../paged.ts';
import { spendChange } from './key-changes.ts';
import {
  keyListPage,
  keyPage,
  newKeyPage,
  revocationPage,
  rotatedKeyPage,
  shownKeyPage,
} from './key-views.ts';
import { redirect, type SignedInContext, type SignedInEnv } from './page.ts';
import { actingFor, type Services } from './services.ts';

/** Of a page. */
const ENDED_KEYS = 25;

/** A visitor's own keys. Another's do not exist here: whoever names one gets a 404. */
export function keyRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, policy, origin } = services;

  /** The way to the policy for those who have yet to accept the version in force. */
  const findObstacle = async (context: SignedInContext): Promise<Response | undefined> =>
    (await findPolicyAcceptance(prisma, context.var.visitor.id, policy.version)) === null
      ? redirect(context, '/dashboard/policy?needed')
      : undefined;

  const create = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    await spendChange(services, visitor);
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    const name = (form.name ?? '').trim();
    const expiresAt = form.expires || undefined;
    const lines = form.origins ?? '';
    const origins = lines.split(/\s+/).filter((line) => line !== '');
    try {
      const created = await createKey(actingFor(services, visitor), {
        ...{ name, expiresAt, tier: 'standard', policyVersion: policy.version },
        origins: origins.length === 0 ? undefined : origins,
        acceptedBy: visitor.id,
      });
      return context.render(shownKeyPage(created, origin));
    } catch (error) {
      if (error instanceof OperatorError) {
        return context.render(
          newKeyPage({ name, expires: expiresAt ?? '', origins: lines, errors: error.lines }),
        );
      }
      throw error;
    }
  };

  const rotate = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    await spendChange(services, visitor);
    const acting = actingFor(services, visitor);
    const id = context.req.param('id') ?? '';
    const key = await getKey(acting, id);
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    try {
      return context.render(rotatedKeyPage(await rotateKey(acting, id, form.overlap ?? ''), origin));
    } catch (error) {
      if (error instanceof OperatorError) {
        return context.render(keyPage(key, null, error.message));
      }
      throw error;
    }
  };

  return new Hono<SignedInEnv>()
    .get('/dashboard/keys', async (context) => {
      const acting = actingFor(services, context.var.visitor);
      const wanted = { page: readPage(context.req.query('ended')), size: ENDED_KEYS };
      const working = await listKeys(acting, { which: 'working' });
      const ended = await page(wanted, async ({ skip, take }) =>
        (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
      );
      const revoked = context.req.query('revoked');
      return context.render(keyListPage(working, { ...ended, page: wanted.page }, revoked));
    })
    .get(
      '/dashboard/keys/new',
      async (context) =>
        (await findObstacle(context)) ??
        context.render(newKeyPage({ name: '', expires: '', origins: '', errors: [] })),
    )
    .post('/dashboard/keys', create)
    .get('/dashboard/keys/:id', async (context) => {
      const key = await getKey(actingFor(services, context.var.visitor), context.req.param('id'));
      const use = await prisma.keyLastUse.findUnique({ where: { keyId: key.id } });
      return context.render(keyPage(key, use?.lastUsedAt ?? null));
    })
    .post('/dashboard/keys/:id/rotate', rotate)
    .get('/dashboard/keys/:id/revoke', async (context) => {
      const key = await getKey(actingFor(services, context.var.visitor), context.req.param('id'));
      return context.render(revocationPage(key));
    })
    .post('/dashboard/keys/:id/revoke', async (context) => {
      const { visitor } = context.var;
      await spendChange(services, visitor);
      const { id } = await revokeKey(actingFor(services, visitor), context.req.param('id'));
      return redirect(context, `/dashboard/keys?revoked=${id}`);
    });
}
