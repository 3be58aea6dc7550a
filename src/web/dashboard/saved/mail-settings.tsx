import {
  type MailFrequency,
  mailFrequencies,
  readMailSettings,
  SAVED_MAILS_PATH,
  savedMailPath,
  saveMailSettings,
} from '../../../access/mails/saved-mail-settings.ts';
import { OperatorError, quote } from '../../../lib/errors.ts';
import { contactUrl } from '../../../lib/text/service.ts';
import { checkbox, type Options, PostForm, SelectField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import type { Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { outcomeText } from '../../parts/accounts/mail-outcomes.ts';
import { Notice } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { SAVED_PATH, SEARCHES_PATH } from '../../shared/paths.ts';
import { time } from '../../shared/time.tsx';

/** Where the settings are, on each page of what is saved. */
export const MAIL_SETTINGS = 'emails';

/**
 * Whether an account gets emails about what it saved, and how often. Each search has a switch of its own beside its name.
 *
 * @param page the path of the page that shows it, to which the form leads back.
 */
export async function mailSettings(services: Services, { visitor }: Visit, page: string): Promise<Html> {
  const { prisma, mail } = services;
  return (
    <section class="card" id={MAIL_SETTINGS}>
      <h2>Emails</h2>
      {mail === 'smtp'
        ? settingsForm(await readMailSettings(prisma, visitor.id), visitor.email, page)
        : noMails(services)}
    </section>
  );
}

const noMails = ({ service: { contact } }: Services): Html => (
  <p class="soft">
    Email is not set up on this server. Once it is, you can get emails about your saved startups and searches.{' '}
    {contact !== undefined && <a href={contactUrl(contact)}>Ask for it</a>}
  </p>
);

function settingsForm(
  { settings, isRefused, email }: Awaited<ReturnType<typeof readMailSettings>>,
  address: string,
  page: string,
): Content {
  return [
    isRefused && (
      <Notice tone="warn">
        Your mail server refused emails to {address}, so they are paused. Save again to resume.
      </Notice>
    ),
    <p>
      We email you about new matches, lower prices and startups that are no longer for sale. For your saved
      startups, also about prices and revenue that change by more than 10%. All changes come in one email. If
      nothing changed, none is sent.
    </p>,
    <PostForm action={SAVED_MAILS_PATH} button="Save" hidden={{ page }}>
      {checkbox('shortlist', 'Email me about my saved startups', settings.shortlist)}
      <p class="hint">
        {page === SEARCHES_PATH ? (
          'Each saved search has a switch of its own in the list.'
        ) : (
          <>
            Each of your <a href={SEARCHES_PATH}>saved searches</a> has a switch of its own.
          </>
        )}
      </p>
      <SelectField
        name="frequency"
        label="How often"
        value={settings.frequency}
        options={Object.entries(mailFrequencies) as unknown as Options}
      />
    </PostForm>,
    email !== null && (
      <p class="soft small">
        <a href={savedMailPath(email.occasion)}>The last email</a> {outcomeText(email)}:{' '}
        {time(email.endedAt ?? email.recordedAt, 'minute')}.
      </p>
    ),
  ];
}

/** Saves the form: which searches an account gets emails about stays as it is. */
export async function saveMails({ prisma, now }: Services, { form, visitor }: Visit): Promise<string> {
  const { frequency = '', shortlist, page } = form;
  if (!Object.hasOwn(mailFrequencies, frequency)) {
    const allowed = Object.keys(mailFrequencies).join(' or ');
    throw new OperatorError(`frequency: got ${quote(frequency)}, allowed: ${allowed}.`);
  }
  const { settings } = await readMailSettings(prisma, visitor.id);
  const changed = {
    searches: settings.searches,
    frequency: frequency as MailFrequency,
    shortlist: shortlist !== undefined,
  };
  await saveMailSettings(prisma, visitor.id, changed, now());
  return withNotice(page === SEARCHES_PATH ? page : SAVED_PATH, 'saved-mails');
}

/** Whether an account gets emails about one of its searches, from now on. Its other settings stay as they are. */
export async function setSearchMails(
  { prisma, now }: Services,
  accountId: string,
  name: string,
  isOn: boolean,
): Promise<void> {
  const { settings } = await readMailSettings(prisma, accountId);
  const others = settings.searches.filter((one) => one !== name);
  const searches = isOn ? [...others, name] : others;
  await saveMailSettings(prisma, accountId, { ...settings, searches }, now());
}
