import { readLists } from '../../../access/accounts/lists.ts';
import {
  endSavedMails,
  SAVED_MAILS_PATH as MAILS_PATH,
  type MailFrequency,
  mailFrequencies,
  readMailSettings,
  saveMailSettings,
  UNSUBSCRIBE_PATH,
} from '../../../access/mails/saved-mail-settings.ts';
import type { DigestList } from '../../../access/mails/saved-mail-store.ts';
import { amount, OperatorError, quote, UnknownError } from '../../../lib/errors.ts';
import { contactUrl } from '../../../lib/text/service.ts';
import { requestedPath } from '../../page/access.ts';
import { checkbox, formPage, type Options, PostForm, SelectField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { otherPage } from '../../parts/accounts/auth-answers.tsx';
import { outcomeText } from '../../parts/accounts/mail-outcomes.ts';
import { EmptyState, Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, SEARCHES_PATH } from '../../shared/paths.ts';
import { time } from '../../shared/time.tsx';
import { listTabs, savedMailsLink } from './saved-parts.tsx';

/** Which saved searches an account gets emails about, and how often. */
export const savedMailPages = ({ prisma, now, mail, service: { contact } }: Services) => [
  page({
    path: MAILS_PATH,
    needsPolicy: true,
    load: async ({ visitor: { id }, query }) => {
      const occasion = query('email');
      const read = await readMailSettings(prisma, id, occasion);
      if (occasion !== undefined && read.email === null) {
        throw new UnknownError('This email is not kept any more.');
      }
      return { ...(await readLists(prisma, id)), ...read, isLast: occasion === undefined };
    },
    view: ({ visitor }, { searches, settings, isRefused, email, isLast }) => ({
      title: savedMailsLink.label,
      heading: pageLinks.saved.label,
      isNarrow: mail === 'smtp',
      main: [
        listTabs(MAILS_PATH),
        isRefused && mail === 'smtp' && (
          <Notice tone="warn">
            Your mail server refused emails to {visitor.email}, so they are paused. Save again to resume.
          </Notice>
        ),
        mail !== 'smtp' ? (
          <EmptyState title="Email is not set up on this server">
            <p class="soft">
              Once it is, you can get emails about your saved startups and searches.{' '}
              {contact !== undefined && <a href={contactUrl(contact)}>Ask for it</a>}
            </p>
          </EmptyState>
        ) : (
          <section class="card">
            <p>
              We email you about new matches, lower prices and startups that are no longer for sale. For your
              saved startups, also about prices and revenue that change by more than 10%. All changes come in
              one email. If nothing changed, none is sent.
            </p>
            <PostForm action={MAILS_PATH} button="Save">
              <fieldset>
                <legend>Email me about</legend>
                {checkbox('shortlist', 'Saved startups', settings.shortlist)}
                {searches.map(({ name }) =>
                  checkbox(`search:${name}`, name, settings.searches.includes(name)),
                )}
              </fieldset>
              <SelectField
                name="frequency"
                label="How often"
                value={settings.frequency}
                options={Object.entries(mailFrequencies) as unknown as Options}
              />
            </PostForm>
            {email !== null && (
              <p class="soft small">
                {isLast ? 'The last email' : 'This email'} {outcomeText(email)}:{' '}
                {time(email.endedAt ?? email.recordedAt, 'minute')}.
              </p>
            )}
          </section>
        ),
        listsOf(email?.content).map(changesCard),
      ],
    }),
    forms: {
      '': async ({ form, visitor }) => {
        const { frequency = '', shortlist } = form;
        if (!Object.hasOwn(mailFrequencies, frequency)) {
          const allowed = Object.keys(mailFrequencies).join(' or ');
          throw new OperatorError(`frequency: got ${quote(frequency)}, allowed: ${allowed}.`);
        }
        const searches = Object.keys(form)
          .filter((name) => name.startsWith('search:'))
          .map((name) => name.slice('search:'.length));
        await saveMailSettings(
          prisma,
          visitor.id,
          { frequency: frequency as MailFrequency, shortlist: shortlist !== undefined, searches },
          now(),
        );
        return withNotice(MAILS_PATH, 'saved-mails');
      },
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
