import { Hono } from 'hono';
import { endSavedMails } from '../../../access/mails/saved-mail-settings.ts';
import { UNSUBSCRIBE_PATH } from '../../../access/mails/unsubscribe-links.ts';
import { PostForm } from '../forms.tsx';
import { type DashboardEnv, OtherPage, type PageContext } from '../page.ts';
import type { Services } from '../services.ts';

/**
 * The link of an email that ends emails of its kind: without signing in, and by the POST of a mail service. A GET changes
 * nothing, as mail scanners open links.
 */
export function unsubscribeRoutes({ prisma, unsubscribeLinks }: Services): Hono<DashboardEnv> {
  const findAccount = async (context: PageContext): Promise<string> => {
    const id = unsubscribeLinks.read(context.req.query('token') ?? '');
    const account =
      id === undefined ? null : await prisma.account.findUnique({ where: { id }, select: { id: true } });
    if (account === null) {
      throw new OtherPage({
        status: 400,
        title: 'This link does not work',
        isNarrow: true,
        main: (
          <p class="lead">
            It was not copied completely, or its account was deleted. <a href="/dashboard/sign-in">Sign in</a>{' '}
            to change your emails.
          </p>
        ),
      });
    }
    return account.id;
  };
  return new Hono<DashboardEnv>()
    .get(UNSUBSCRIBE_PATH, async (context) => {
      await findAccount(context);
      return context.render({
        title: 'Unsubscribe?',
        isNarrow: true,
        main: (
          <div class="card">
            <p>You get no more emails about your saved searches and your shortlist.</p>
            <PostForm action={`${UNSUBSCRIBE_PATH}?${context.env.request.query}`} button="Unsubscribe" />
          </div>
        ),
      });
    })
    .post(UNSUBSCRIBE_PATH, async (context) => {
      await endSavedMails(prisma, await findAccount(context));
      return context.render({
        title: 'You are unsubscribed',
        isNarrow: true,
        main: <p class="lead">You get no more emails about your saved searches and your shortlist.</p>,
      });
    });
}
