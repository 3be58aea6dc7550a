import { expect, it } from 'vitest';
import { emailField, newPasswordField, PostForm } from '../../../src/web/page/forms.tsx';
import { render } from '../../../src/web/shared/jsx.ts';

/** The fields that have the focus when a form opens, which was sent with these errors. */
const focused = (errors: Record<string, string>): string[] => {
  const fields = [emailField({ isFirst: true }), newPasswordField()];
  const form = render(<PostForm action="/" button="Send" fields={fields} sent={{ values: {}, errors }} />);
  return [...form.matchAll(/<input id="(\w+)"[^>]* autofocus/g)].map(([, name = '']) => name);
};

it('a form has its focus on its first field, and on the first that is wrong once it has failed', () => {
  expect(focused({})).toEqual(['email']);
  expect(focused({ password: 'Too short.' })).toEqual(['password']);
  expect(focused({ password: 'Too short.', email: 'Wrong.' })).toEqual(['email']);
  // An error that is of no field of it.
  expect(focused({ name: 'Too long.' })).toEqual(['email']);
});
