import type { CreatedKey } from '../../../keys/create.ts';
import type { RotatedKey } from '../../../keys/rotate.ts';
import { keyPrefixes } from '../../../keys/token.ts';
import { FIRST_REQUEST } from '../../shared/code-samples.ts';
import { buttonLink, CopyButton, CopyStatus, Notice, Samples } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { timeOr } from '../../shared/time.tsx';
import type { Page } from '../page.ts';
import { firstRequestStatus } from './checklist.tsx';

/** A key just created: the one time that it is shown. `isFirst` if no request of its account was received yet. */
export function newKeyShown(key: CreatedKey, origin: string, isFirst: boolean): Page {
  return { title: 'Your new key', connects: isFirst, main: shownKey(key, origin, isFirst) };
}

/** A key that replaces another: the one time that it is shown. */
export function rotatedKeyShown(key: RotatedKey, origin: string): Page {
  const { from } = key;
  const end =
    from.state === 'revoked' ? (
      <>is revoked</>
    ) : (
      <>works until {timeOr('never', from.expiresAt, 'minute')} and shares the limit of the new key</>
    );
  return {
    title: 'Your new key',
    main: (
      <>
        <Notice>
          This key replaces <span class="mono">{from.prefix}…</span>, which {end}.
        </Notice>
        {shownKey(key, origin, false)}
      </>
    ),
  };
}

function shownKey({ id, key, name }: CreatedKey, origin: string, isFirst: boolean): Html {
  const isEmbed = key.startsWith(keyPrefixes.embed);
  return (
    <>
      <section class="card" data-address={`/dashboard/keys/${id}`}>
        <div class="heading sub">
          <h2>{name}</h2>
          <CopyStatus />
        </div>
        <p>
          Copy your key now. <strong>It is shown only once</strong>: only a hash of it is stored.
        </p>
        <div class="actions secret">
          <code id="key">{key}</code>
          <CopyButton of="key" label="Copy the key" />
        </div>
        <p>{buttonLink('/dashboard/keys', 'I have copied it', 'second')}</p>
      </section>
      {isEmbed ? publishFirst(id) : requests(key, origin, isFirst)}
    </>
  );
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

function requests(key: string, origin: string, isFirst: boolean): Html {
  return (
    <section class="card">
      <h2>Send a request</h2>
      <Samples origin={origin} request={FIRST_REQUEST} apiKey={key} />
      {isFirst && firstRequestStatus(null)}
    </section>
  );
}
