import { expect, it } from 'vitest';
import { ApiError, type ErrorCode } from '../../../src/lib/errors.ts';
import { render } from '../../../src/web/shared/jsx.ts';
import { refusal, refusedBy } from '../../../src/web/shared/refusal.tsx';
import { textIn } from '../../support/html.ts';

const links = [{ path: '/home', label: 'Home' }];

/** The title of a refused page, its text, where its buttons lead, and the scripts that it has. */
function shown(code: ErrorCode, retryAfter?: number, again?: string) {
  const error = new ApiError(code, 'It was refused. Retry in 5 seconds.', [], retryAfter);
  const { title, main, scripts } = refusal({ ...refusedBy(error, 'request-1'), again, links });
  const text = render(<main>{main}</main>);
  const paths = [...text.matchAll(/<a class="button[^"]*" href="([^"]+)"/g)].map(([, path]) => path);
  return { title, text: textIn(text), links: paths, scripts };
}

it.each<[ErrorCode, number | undefined, string, RegExp, string[]]>([
  ['UNAUTHENTICATED', undefined, 'Sign in to continue', /^It was refused/, ['/dashboard/sign-in', '/home']],
  ['ACCESS_DISABLED', undefined, 'Not allowed', /^It was refused/, ['/home']],
  ['RATE_LIMITED', 12, 'Too many requests', /Wait\s*12\s*seconds, then try again\./, ['/here', '/home']],
  ['RATE_LIMITED', 1, 'Too many requests', /Wait\s*1\s*second, then try again\./, ['/here', '/home']],
  [
    'SERVICE_UNAVAILABLE',
    undefined,
    'Temporarily unavailable',
    /^It was refused\.\s*Wait\s*5\s/,
    ['/here', '/home'],
  ],
  [
    'INTERNAL_SERVER_ERROR',
    undefined,
    'Something went wrong',
    /the request id request-1\./,
    ['/here', '/home'],
  ],
])('a page that is refused with %s says what to do (retry after %s)', (code, after, title, text, links) => {
  const page = shown(code, after, '/here');
  expect(page).toMatchObject({ title, links });
  expect(page.text).toMatch(text);
  // Only what is over at a known time is asked for again by itself.
  expect(page.scripts).toEqual(code === 'RATE_LIMITED' ? ['parts.js'] : []);
});

it('a form that is refused is not sent again by a link', () => {
  const page = shown('RATE_LIMITED', 12);
  expect(page.text).toMatch(/Wait\s*12\s*seconds, then go back and send the form again\./);
  expect([page.links, page.scripts]).toEqual([['/home'], []]);
});
