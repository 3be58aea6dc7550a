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
import { type Reply, type Route, type SignedInContext, signedIn } from './page.ts';
import { actingFor, type Services } from './services.ts';

/** Of a page. */
const ENDED_KEYS = 25;

/** A visitor's own keys. Another's do not exist here: whoever names one gets a 404. */
export function keyRoutes(services: Services): Route[] {
  const { prisma, policy, origin } = services;

  /** The way to the policy for those who have yet to accept the version in force. */
  const findObstacle = async ({ visitor }: SignedInContext): Promise<Reply | undefined> =>
    (await findPolicyAcceptance(prisma, visitor.id, policy.version)) === null
      ? { location: '/dashboard/policy?needed' }
      : undefined;

  const idOf = ({ params }: SignedInContext): string => params.id ?? '';

  const create = async (context: SignedInContext): Promise<Reply> => {
    await spendChange(services, context.visitor);
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    const { visitor, form } = context;
    const name = (form.get('name') ?? '').trim();
    const expiresAt = form.get('expires') || undefined;
    const lines = form.get('origins') ?? '';
    const origins = lines.split(/\s+/).filter((line) => line !== '');
    try {
      const created = await createKey(actingFor(services, visitor), {
        ...{ name, expiresAt, tier: 'standard', policyVersion: policy.version },
        origins: origins.length === 0 ? undefined : origins,
        acceptedBy: visitor.id,
      });
      return shownKeyPage(created, origin);
    } catch (error) {
      if (error instanceof OperatorError) {
        return newKeyPage({ name, expires: expiresAt ?? '', origins: lines, faults: error.lines });
      }
      throw error;
    }
  };

  const rotate = async (context: SignedInContext): Promise<Reply> => {
    await spendChange(services, context.visitor);
    const acting = actingFor(services, context.visitor);
    const id = idOf(context);
    const key = await getKey(acting, id);
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    try {
      return rotatedKeyPage(await rotateKey(acting, id, context.form.get('overlap') ?? ''), origin);
    } catch (error) {
      if (error instanceof OperatorError) {
        return keyPage(key, null, error.message);
      }
      throw error;
    }
  };

  return [
    signedIn('GET', '/dashboard/keys', async ({ visitor, query }) => {
      const acting = actingFor(services, visitor);
      const wanted = { page: readPage(query.get('ended')), size: ENDED_KEYS };
      const working = await listKeys(acting, { which: 'working' });
      const ended = await page(wanted, async ({ skip, take }) =>
        (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
      );
      return keyListPage(working, { ...ended, page: wanted.page }, query.get('revoked'));
    }),
    signedIn(
      'GET',
      '/dashboard/keys/new',
      async (context) =>
        (await findObstacle(context)) ?? newKeyPage({ name: '', expires: '', origins: '', faults: [] }),
    ),
    signedIn('POST', '/dashboard/keys', create),
    signedIn('GET', '/dashboard/keys/:id', async (context) => {
      const key = await getKey(actingFor(services, context.visitor), idOf(context));
      const use = await prisma.keyLastUse.findUnique({ where: { keyId: key.id } });
      return keyPage(key, use?.lastUsedAt ?? null);
    }),
    signedIn('POST', '/dashboard/keys/:id/rotate', rotate),
    signedIn('GET', '/dashboard/keys/:id/revoke', async (context) =>
      revocationPage(await getKey(actingFor(services, context.visitor), idOf(context))),
    ),
    signedIn('POST', '/dashboard/keys/:id/revoke', async (context) => {
      await spendChange(services, context.visitor);
      const { id } = await revokeKey(actingFor(services, context.visitor), idOf(context));
      return { location: `/dashboard/keys?revoked=${id}` };
    }),
  ];
}
