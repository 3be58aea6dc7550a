import { type CreatedKey, KeyExistsError } from '../../../access/keys/create.ts';
import { KEY_NAME_MAX } from '../../../access/keys/key.ts';
import { keyPrefixes } from '../../../access/keys/token.ts';
import { nameField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import type { Field, Outcome, Page } from '../../page/page.ts';
import { Samples, ShownOnce } from '../../shared/code-blocks.tsx';
import { FIRST_REQUEST } from '../../shared/code-samples.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { KEYS_PATH } from '../../shared/paths.ts';
import { documentsPath } from './key-parts.tsx';

/** What a holder calls a key. */
export const keyNameField = (of: Partial<Field>): Field =>
  nameField({ maxLength: KEY_NAME_MAX, hint: 'A name you will recognize, such as “Billing report”.', ...of });

/** A form with the id of the key that it creates: sent again, as by a reload, it leads to the key created first. */
export async function once(create: () => Promise<Page>): Promise<Outcome> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof KeyExistsError) {
      return withNotice(`${KEYS_PATH}/${error.id}`, 'created-before');
    }
    throw error;
  }
}

const firstDocument = (id: string): Html => (
  <section class="card">
    <h2>Publish its documents</h2>
    <p>This key runs only the documents that you publish for it.</p>
    <p>{buttonLink(documentsPath(id), 'Publish a document', 'second')}</p>
  </section>
);

/**
 * The one time that a new key is shown.
 *
 * @param inPages what to do with an embed key; by default, it has no document yet.
 */
export function shownOnce(
  { id, key, name }: CreatedKey,
  origin: string,
  above?: Content,
  inPages: Content = firstDocument(id),
): Page {
  return {
    title: 'Your new key',
    back: pageLinks.keys,
    main: [
      above,
      <ShownOnce name={name} secret={key} what="key" address={`${KEYS_PATH}/${id}`} next={KEYS_PATH}>
        : only a hash of it is stored.
      </ShownOnce>,
      key.startsWith(keyPrefixes.embed) ? (
        inPages
      ) : (
        <section class="card">
          <h2>Send a request</h2>
          <Samples origin={origin} request={FIRST_REQUEST} apiKey={key} />
        </section>
      ),
    ],
  };
}
