import { Hono } from 'hono';
import { readLists } from '../../../access/accounts/lists.ts';
import { buttonLink, Notice } from '../../shared/components.tsx';
import { requireAcceptedPolicy } from '../access.ts';
import { withQuery } from '../explorer/query.ts';
import { redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { comparedFields, comparison } from './comparison.tsx';
import { COMPARE_MAX, COMPARE_MIN, COMPARE_PATH, SHORTLIST_PATH } from './paths.ts';
import { readStartups } from './read.ts';
import { star, starLook } from './star.tsx';

/** Some startups side by side, with the best value of each line marked. */
export function compareRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now } = services;

  const compare = async (context: SignedInContext): Promise<Response> => {
    const { query } = context.env.request;
    // A form sends each slug on its own.
    const sent = new URLSearchParams(query).getAll('slugs').flatMap((text) => text.split(','));
    const slugs = [...new Set(sent.map((slug) => slug.trim()).filter((slug) => slug !== ''))];
    const look = {
      title: 'Compare',
      back: { path: SHORTLIST_PATH, label: 'Shortlist' },
      isWide: true,
      scripts: starLook.scripts,
      styles: ['explorer.css', ...starLook.styles],
      connects: true,
    };
    if (slugs.length < COMPARE_MIN || slugs.length > COMPARE_MAX) {
      return context.render({
        ...look,
        errors: [`Choose ${COMPARE_MIN} to ${COMPARE_MAX} startups to compare. You chose ${slugs.length}.`],
        main: <p>{buttonLink(SHORTLIST_PATH, 'Choose from your shortlist', 'second')}</p>,
      });
    }
    // Compared as read: browsers and servers write some characters of a query in different ways.
    const path = withQuery(COMPARE_PATH, new URLSearchParams({ slugs: slugs.join(',') }));
    if (withQuery(COMPARE_PATH, new URLSearchParams(query)) !== path) {
      return redirect(context, path);
    }
    const startups = await readStartups(services, context, slugs, comparedFields);
    const known = startups.filter((startup) => startup !== null);
    const unknown = slugs.filter((_, index) => startups[index] === null);
    const { shortlist } = await readLists(prisma, context.var.visitor.id);
    return context.render({
      ...look,
      main: (
        <>
          {unknown.length > 0 && (
            <Notice tone="warn">
              {unknown.length === 1 ? 'This startup is' : 'These startups are'} not listed:{' '}
              {unknown.join(', ')}.
            </Notice>
          )}
          {known.length > 0 && comparison(known, star(shortlist, path), now())}
        </>
      ),
    });
  };

  return new Hono<SignedInEnv>().get(COMPARE_PATH, requireAcceptedPolicy(services), compare);
}
