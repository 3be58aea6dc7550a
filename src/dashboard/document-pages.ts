import { Hono } from 'hono';
import { documentId, hashDocument } from '../documents/document-id.ts';
import { type ListedDocument, listDocuments } from '../documents/list.ts';
import { publishDocuments } from '../documents/publish.ts';
import { removeDocument } from '../documents/remove.ts';
import { OperatorError, UnknownError } from '../errors.ts';
import { html } from '../html.ts';
import { getKey, type KeySummary } from '../keys/key.ts';
import { notice, time } from './forms.ts';
import { spendChange } from './key-changes.ts';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from './page.ts';
import { actingFor, type Services } from './services.ts';

/** The documents that a visitor's own key may ask for by their ids. */
export function documentRoutes(services: Services): Hono<SignedInEnv> {
  const page = async (
    context: SignedInContext,
    sent: { text: string; errors: readonly string[] } = { text: '', errors: [] },
  ): Promise<Response> => {
    const acting = actingFor(services, context.var.visitor);
    const key = await getKey(acting, context.req.param('id') ?? '');
    return context.render(documentsPage(key, await listDocuments(acting, key.id), sent));
  };

  const publish = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    await spendChange(services, visitor);
    const text = (form.document ?? '').replaceAll('\r\n', '\n').trim();
    const { id } = await getKey(actingFor(services, visitor), context.req.param('id') ?? '');
    const entry = { id: documentId(hashDocument(text)), text };
    try {
      await publishDocuments({ ...actingFor(services, visitor), check: services.checkDocument }, id, [entry]);
    } catch (error) {
      if (error instanceof OperatorError && !(error instanceof UnknownError)) {
        return page(context, { text, errors: error.lines });
      }
      throw error;
    }
    return redirect(context, `/dashboard/keys/${id}/documents`);
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    await spendChange(services, visitor);
    const acting = actingFor(services, visitor);
    const { id } = await getKey(acting, context.req.param('id') ?? '');
    await removeDocument(acting, id, form.document ?? '');
    return redirect(context, `/dashboard/keys/${id}/documents`);
  };

  return new Hono<SignedInEnv>()
    .get('/dashboard/keys/:id/documents', (context) => page(context))
    .post('/dashboard/keys/:id/documents', publish)
    .post('/dashboard/keys/:id/documents/remove', remove);
}

function documentsPage(
  { id, name, trustedOnly }: KeySummary,
  documents: readonly ListedDocument[],
  { text, errors }: { text: string; errors: readonly string[] },
): Page {
  const rows = documents.map(
    (one) => html`<tr>
<th scope="row">${one.operations.join(', ') || 'without a name'}</th>
<td data-label="Id"><code class="long">${one.id}</code></td>
<td data-label="Published">${time(one.publishedAt)}</td>
<td class="end"><form method="post" action="/dashboard/keys/${id}/documents/remove"><input type="hidden" name="document" value="${one.id}"><button class="quiet">Remove<span class="hidden"> ${one.operations.join(', ')}</span></button></form></td>
</tr>`,
  );
  return {
    status: errors.length === 0 ? 200 : 400,
    title: `Documents of ${name}`,
    back: { path: `/dashboard/keys/${id}`, label: name },
    main: html`<p class="lead">${trustedOnly ? 'This key may ask only for the documents published here, by their ids.' : 'This key may send any document, and ask for those published here by their ids.'}</p>
${errors.map((error) => notice(error, 'wrong'))}
${rows.length > 0 && html`<div class="table"><table class="collapse"><caption class="hidden">Published documents</caption><thead><tr><th scope="col">Operations</th><th scope="col">Id</th><th scope="col">Published</th><th scope="col"><span class="hidden">Remove it</span></th></tr></thead><tbody>${rows}</tbody></table></div>`}
<section class="card"><h2>Publish a document</h2><form class="stack" method="post" action="/dashboard/keys/${id}/documents">
<div class="field"><label for="document">GraphQL</label><textarea id="document" name="document" rows="8" class="mono" spellcheck="false" required>${text}</textarea></div>
<div class="actions"><button>Publish</button></div></form></section>`,
  };
}
