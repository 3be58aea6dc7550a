import { Hono } from 'hono';
import { parseManifest } from '../../../documents/manifest.ts';
import { publishDocuments, type ReviewedDocument, reviewDocuments } from '../../../documents/publish.ts';
import { getKey } from '../../../keys/key.ts';
import { amount } from '../../../text/amount.ts';
import { Table } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { action } from '../form-actions.ts';
import { field, PostForm } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';

/** Where the documents of a key are. */
export const documentsPath = (keyId: string): string => `/dashboard/keys/${keyId}/documents`;

/** Publishing the manifest of a build for a visitor's own key, after showing what it would add. */
export function manifestRoutes(services: Services): Hono<SignedInEnv> {
  const open = async (context: SignedInContext) => {
    const acting = { ...actingFor(services, context.var.visitor), check: services.checkDocument };
    return { acting, key: await getKey(acting, context.req.param('id') ?? '') };
  };

  /** What a manifest would add, and what is invalid in its documents; without any, the manifest itself is. */
  const page = async (
    context: SignedInContext,
    reviewed: readonly ReviewedDocument[] = [],
  ): Promise<Page> => {
    const { id, name } = (await open(context)).key;
    const { manifest } = context.var.form;
    const errors = reviewed.flatMap((document) => document.errors);
    const added = reviewed.filter(({ isNew }) => isNew).length;
    return {
      errors,
      title: 'Publish a manifest',
      back: { path: documentsPath(id), label: `Documents of ${name}` },
      main: (
        <>
          {reviewed.length > 0 && reviewTable(reviewed)}
          {reviewed.length === 0 || errors.length > 0 ? (
            <section class="card">{manifestForm(id, manifest)}</section>
          ) : added === 0 ? (
            <p>Everything in this manifest is published already.</p>
          ) : (
            <PostForm
              action={`${documentsPath(id)}/manifest`}
              button={`Publish ${amount(added, 'document')}`}
              cancel={documentsPath(id)}
              hidden={{ manifest, reviewed: 'yes' }}
            />
          )}
        </>
      ),
    };
  };

  const publish = async (context: SignedInContext): Promise<Response> => {
    const { acting, key } = await open(context);
    const { manifest = '', reviewed } = context.var.form;
    const entries = parseManifest('Manifest', manifest);
    if (reviewed === undefined) {
      return context.render(await page(context, await reviewDocuments(acting, key.id, entries)));
    }
    await publishDocuments(acting, key.id, entries);
    return redirect(context, documentsPath(key.id));
  };

  return new Hono<SignedInEnv>().post(
    `${documentsPath(':id')}/manifest`,
    action((context: SignedInContext) => page(context), publish),
  );
}

/** The form for a manifest. */
export function manifestForm(keyId: string, manifest?: string): Html {
  return (
    <PostForm action={`${documentsPath(keyId)}/manifest`} button="Check the manifest">
      {field({
        name: 'manifest',
        label: 'Manifest of a build',
        value: manifest,
        rows: 6,
        isCode: true,
        hint: (
          <>
            The JSON that graphql-codegen, Relay or Apollo write, or a list of documents. Publish a manifest
            of more than 100 kB with revgate documents publish.
          </>
        ),
      })}
    </PostForm>
  );
}

function reviewTable(reviewed: readonly ReviewedDocument[]): Html {
  return (
    <div class="table">
      <Table
        caption="Documents of the manifest"
        isCaptionHidden
        columns={[
          ['Operations', ({ operations }) => operations.join(', ') || 'Unnamed operation'],
          ['State', (one) => (one.errors.length > 0 ? 'Invalid' : one.isNew ? 'New' : 'Published before')],
          [
            'Id that clients send',
            (one) => (
              <>
                <code class="long">{one.id}</code>
                {one.replacedId !== null && ` in place of ${one.replacedId}`}
              </>
            ),
          ],
        ]}
        rows={reviewed}
      />
    </div>
  );
}
