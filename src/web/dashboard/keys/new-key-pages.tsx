import { Hono } from 'hono';
import { type CreatedKey, createKey, createKeyId, KeyExistsError } from '../../../access/keys/create.ts';
import { getKey, KEY_NAME_MAX } from '../../../access/keys/key.ts';
import { type Overlap, rotateKey } from '../../../access/keys/rotate.ts';
import { keyPrefixes } from '../../../access/keys/token.ts';
import { readLastUse } from '../../../access/usage/read.ts';
import { Samples, ShownOnce } from '../../shared/code-blocks.tsx';
import { FIRST_REQUEST } from '../../shared/code-samples.ts';
import { buttonLink, Notice } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { timeOr } from '../../shared/time.tsx';
import { requireAcceptedPolicy } from '../access.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { field, PostForm, readOrigins } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { firstRequestStatus } from './checklist.tsx';
import { ALL_KEYS } from './key-pages.tsx';

/** The first is the default: no program that uses the old key stops working at once. */
const overlapLabels: readonly (readonly [overlap: Overlap, label: string])[] = [
  ['24h', 'for another 24 hours'],
  ['1h', 'for another hour'],
  ['0', 'no longer: it is revoked at once'],
];

/**
 * Forms that create a key, which is shown once. Each contains the id of the key that it creates, so that sending it twice
 * creates one.
 */
export function newKeyRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, policy, origin, randomBytes } = services;

  const newKeyPage = (_: SignedInContext, sent: SentForm): Page => ({
    title: 'New key',
    back: ALL_KEYS,
    isNarrow: true,
    main: (
      <div class="card">
        <PostForm
          action={ALL_KEYS.path}
          button="Create key"
          cancel={ALL_KEYS.path}
          hidden={{ id: createKeyId(randomBytes) }}
        >
          {field({
            name: 'name',
            label: 'Name',
            sent,
            maxLength: KEY_NAME_MAX,
            hint: 'A name you will recognize, such as “Billing report”.',
            isFirst: true,
          })}
          {field({
            name: 'expires',
            label: 'Expires on (optional)',
            type: 'date',
            sent,
            isRequired: false,
            hint: 'Expires at 00:00 UTC on this date.',
          })}
          <details open={Boolean(sent.values.origins)}>
            <summary>For a web page</summary>
            {field({
              name: 'origins',
              label: 'Origins of the pages, one per line',
              sent,
              rows: 3,
              isRequired: false,
              hint: (
                <>
                  Such as https://example.com. Everybody can read an embed key in the page, so it works from
                  these origins only, and only for documents that you publish for it.
                </>
              ),
            })}
          </details>
        </PostForm>
      </div>
    ),
  });

  const create = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const origins = readOrigins(form.origins);
    const key = await createKey(actingFor(services, visitor), {
      id: form.id,
      name: (form.name ?? '').trim(),
      expiresAt: form.expires || undefined,
      tier: 'standard',
      policyVersion: policy.version,
      acceptedBy: visitor.id,
      origins: origins.length === 0 ? undefined : origins,
    });
    const isFirst = (await readLastUse(prisma, visitor.id)) === null;
    return context.render({ ...shownOnce(key, origin, isFirst), connects: isFirst });
  };

  const rotationPage = async (context: SignedInContext): Promise<Page> => {
    const { id, name } = await getKey(
      actingFor(services, context.var.visitor),
      context.req.param('id') ?? '',
    );
    const path = `${ALL_KEYS.path}/${id}`;
    return {
      title: 'Rotate key',
      back: { path, label: name },
      isNarrow: true,
      main: (
        <div class="card">
          <p>
            A new key replaces this one. It has the same name, tier, expiry and documents. While both work,
            they share one limit.
          </p>
          <PostForm
            action={`${path}/rotate`}
            button="Rotate key"
            cancel={path}
            hidden={{ id: createKeyId(randomBytes) }}
          >
            <fieldset>
              <legend>The old key works</legend>
              {overlapLabels.map(([value, label], index) => (
                <label class="choice">
                  <input type="radio" name="overlap" value={value} checked={index === 0} />
                  {label}
                </label>
              ))}
            </fieldset>
          </PostForm>
        </div>
      ),
    };
  };

  const rotate = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const acting = actingFor(services, visitor);
    const id = context.req.param('id') ?? '';
    const { from, ...key } = await rotateKey(acting, id, form.overlap ?? '', form.id);
    const notice = (
      <Notice>
        This key replaces <span class="mono">{from.prefix}…</span>, which{' '}
        {from.state === 'revoked' ? (
          'is revoked'
        ) : (
          <>works until {timeOr('never', from.expiresAt, 'minute')} and shares the limit of the new key</>
        )}
        .
      </Notice>
    );
    return context.render(shownOnce(key, origin, false, notice));
  };

  /** A form that is sent again, as by a reload, leads to the key created first. */
  const once =
    (act: (context: SignedInContext) => Promise<Response>) =>
    async (context: SignedInContext): Promise<Response> => {
      try {
        return await act(context);
      } catch (error) {
        if (error instanceof KeyExistsError) {
          return redirect(context, `${ALL_KEYS.path}/${error.id}?notice=created-before`);
        }
        throw error;
      }
    };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(`${ALL_KEYS.path}/new`, hasAccepted, view(newKeyPage))
    .post(ALL_KEYS.path, hasAccepted, action(newKeyPage, once(create)))
    .get(`${ALL_KEYS.path}/:id/rotate`, view(rotationPage))
    .post(`${ALL_KEYS.path}/:id/rotate`, hasAccepted, action(rotationPage, once(rotate)));
}

/**
 * The one time that a new key is shown.
 *
 * @param isFirst whether no request of its account was received yet.
 */
function shownOnce(
  { id, key, name }: CreatedKey,
  origin: string,
  isFirst: boolean,
  above: Content = null,
): Page {
  return {
    title: 'Your new key',
    back: ALL_KEYS,
    main: (
      <>
        {above}
        <ShownOnce name={name} secret={key} what="key" address={`/dashboard/keys/${id}`} next={ALL_KEYS.path}>
          : only a hash of it is stored.
        </ShownOnce>
        {key.startsWith(keyPrefixes.embed) ? publishFirst(id) : sendRequest(key, origin, isFirst)}
      </>
    ),
  };
}

function publishFirst(id: string): Html {
  return (
    <section class="card">
      <h2>Publish its documents</h2>
      <p>This key runs only the documents that you publish for it.</p>
      <p>{buttonLink(`/dashboard/keys/${id}/documents`, 'Publish a document', 'second')}</p>
    </section>
  );
}

function sendRequest(key: string, origin: string, isFirst: boolean): Html {
  return (
    <section class="card">
      <h2>Send a request</h2>
      <Samples origin={origin} request={FIRST_REQUEST} apiKey={key} />
      {isFirst && firstRequestStatus()}
    </section>
  );
}
