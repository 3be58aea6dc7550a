import { Hono } from 'hono';
import { page as pageOf, readPage } from '../../../db/read-page.ts';
import { documentId, hashDocument } from '../../../documents/document-id.ts';
import { readDocuments } from '../../../documents/list.ts';
import { parseManifest } from '../../../documents/manifest.ts';
import { publishDocuments, reviewDocuments } from '../../../documents/publish.ts';
import { removeDocument } from '../../../documents/remove.ts';
import { getKey } from '../../../keys/key.ts';
import { orShow, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { documentsPage, manifestPage } from './document-views.tsx';

/** Of a page: each may contain as much text as a request. */
const DOCUMENTS = 10;

/** The documents that a visitor's own key may request by their ids. */
export function documentRoutes(services: Services): Hono<SignedInEnv> {
  const page = async (
    context: SignedInContext,
    sent: { text: string; errors: readonly string[] } = { text: '', errors: [] },
  ): Promise<Response> => {
    const acting = actingFor(services, context.var.visitor);
    const key = await getKey(acting, context.req.param('id') ?? '');
    const wanted = { page: readPage(context.req.query('page')), size: DOCUMENTS };
    const found = await pageOf(wanted, (range) => readDocuments(services.prisma, key, range));
    return context.render(documentsPage(key, { ...found, page: wanted.page }, sent, services.origin));
  };

  const publish = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const text = (form.document ?? '').replaceAll('\r\n', '\n').trim();
    const { id } = await getKey(actingFor(services, visitor), context.req.param('id') ?? '');
    const entry = { id: documentId(hashDocument(text)), text };
    return orShow(
      async () => {
        await publishDocuments({ ...actingFor(services, visitor), check: services.checkDocument }, id, [
          entry,
        ]);
        return redirect(context, `/dashboard/keys/${id}/documents`);
      },
      ({ lines: errors }) => page(context, { text, errors }),
    );
  };

  /** Shows what a manifest would add, and publishes it when its sender has seen that. */
  const publishManifest = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const acting = { ...actingFor(services, visitor), check: services.checkDocument };
    const key = await getKey(acting, context.req.param('id') ?? '');
    const manifest = form.manifest ?? '';
    return orShow(
      async () => {
        const entries = parseManifest('Manifest', manifest);
        if (form.reviewed === undefined) {
          return context.render(manifestPage(key, manifest, await reviewDocuments(acting, key.id, entries)));
        }
        await publishDocuments(acting, key.id, entries);
        return redirect(context, `/dashboard/keys/${key.id}/documents`);
      },
      ({ lines }) => context.render(manifestPage(key, manifest, [], lines)),
    );
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    const acting = actingFor(services, visitor);
    const { id } = await getKey(acting, context.req.param('id') ?? '');
    await removeDocument(acting, id, form.document ?? '');
    return redirect(context, `/dashboard/keys/${id}/documents`);
  };

  return new Hono<SignedInEnv>()
    .get('/dashboard/keys/:id/documents', (context) => page(context))
    .post('/dashboard/keys/:id/documents', publish)
    .post('/dashboard/keys/:id/documents/manifest', publishManifest)
    .post('/dashboard/keys/:id/documents/remove', remove);
}
