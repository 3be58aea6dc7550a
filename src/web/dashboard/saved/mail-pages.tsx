import {
  endSavedMails,
  readMailSettings,
  SAVED_MAILS_PATH,
  UNSUBSCRIBE_PATH,
} from '../../../access/mails/saved-mail-settings.ts';
import type { DigestList } from '../../../access/mails/saved-mail-store.ts';
import { amount, found } from '../../../lib/errors.ts';
import { requestedPath } from '../../page/access.ts';
import { formPage } from '../../page/forms.tsx';
import { page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { otherPage } from '../../parts/accounts/auth-answers.tsx';
import { outcomeText } from '../../parts/accounts/mail-outcomes.ts';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, SAVED_PATH, SEARCHES_PATH } from '../../shared/paths.ts';
import { time } from '../../shared/time.tsx';
import { MAIL_SETTINGS } from './mail-settings.tsx';

/** All that one email told. Without an email in the address, the settings, which had this address before. */
export const savedMailPages = ({ prisma }: Services) => [
  page({
    path: SAVED_MAILS_PATH,
    needsPolicy: true,
    load: async ({ visitor: { id }, query }) => {
      const occasion = query('email');
      if (occasion === undefined) {
        return null;
      }
      const { email } = await readMailSettings(prisma, id, occasion);
      return found(email, 'This email is not kept any more.');
    },
    view: (_, email) =>
      email === null
        ? `${SAVED_PATH}#${MAIL_SETTINGS}`
        : {
            title: 'Email about what you saved',
            back: pageLinks.saved,
            main: [
              <p class="lead">
                This email {outcomeText(email)}: {time(email.endedAt ?? email.recordedAt, 'minute')}.{' '}
                <a href={`${SAVED_PATH}#${MAIL_SETTINGS}`}>Change your emails</a>
              </p>,
              listsOf(email.content).map(changesCard),
            ],
          },
  }),
];

/**
 * The link of an email that ends emails of its kind: without signing in, and by the POST of a mail service. A GET changes
 * nothing, as mail scanners open links.
 */
export const unsubscribePages = ({ prisma, unsubscribeLinks }: Services) => [
  page({
    path: UNSUBSCRIBE_PATH,
    load: async ({ query }) => {
      const id = unsubscribeLinks.read(query('token') ?? '');
      const account = id === undefined ? null : await prisma.account.findUnique({ where: { id } });
      if (account === null) {
        throw otherPage(
          400,
          'This link does not work',
          <p class="lead">
            It was not copied completely, or its account was deleted. <a href="/dashboard/sign-in">Sign in</a>{' '}
            to change your emails.
          </p>,
        );
      }
      return account;
    },
    view: (visit) =>
      formPage(visit, {
        title: 'Unsubscribe?',
        action: requestedPath(visit.context),
        button: 'Unsubscribe',
        text: UNSUBSCRIBED,
      }),
    forms: {
      '': async (_, { id }) => {
        await endSavedMails(prisma, id);
        return { title: 'You are unsubscribed', isNarrow: true, main: <p class="lead">{UNSUBSCRIBED}</p> };
      },
    },
  }),
];
const UNSUBSCRIBED = 'You get no more emails about your saved searches and startups.';

/** What an email told. */
const listsOf = (content: unknown): readonly DigestList[] =>
  (content as { readonly lists: readonly DigestList[] } | null | undefined)?.lists ?? [];

/** The changes of a list: all that are stored, and how many others there were. */
function changesCard({ heading, total, lines }: DigestList): Html {
  const others = total - lines.length;
  return (
    <section class="card">
      <h2>{heading}</h2>
      <ul>
        {lines.map(({ name, slug, text }) => (
          <li>
            {name !== undefined && [
              slug === undefined ? name : <a href={`${EXPLORER_PATH}/${slug}`}>{name}</a>,
              ': ',
            ]}
            {text}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p class="soft">
          And {amount(others, 'more change')}: <a href={SEARCHES_PATH}>open the search</a>.
        </p>
      )}
    </section>
  );
}
