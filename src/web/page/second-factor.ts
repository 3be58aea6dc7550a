import { giveFactor, needsFactor } from '../../access/accounts/second-factor.ts';
import type { Visitor } from '../../access/accounts/sign-in/auth.ts';
import { type Field, FieldErrors, type Form, type SignedInContext } from './page.ts';
import type { Services } from './services.ts';

/** The field of a code. */
export const factorField: Field = {
  name: 'factor',
  label: 'Code',
  autocomplete: 'one-time-code',
  maxLength: 40,
  hint: 'From your authenticator app, or a recovery code.',
};

/** The same in a form of what cannot be undone, for a session that gave the second factor a while ago. */
export const factorIfOld = ({ now }: Pick<Services, 'now'>, visitor: Visitor): readonly Field[] =>
  needsFactor(visitor, now()) ? [factorField] : [];

/** @throws FieldErrors if a form lacks the right code. */
export async function enterFactor(
  services: Services,
  visitor: Visitor,
  form: Form,
  isSetUp = false,
): Promise<void> {
  const { factor = '' } = form;
  if (!(await giveFactor(services, visitor, factor, isSetUp))) {
    const wrong = 'This code is wrong, or was used before. Wait for the next one.';
    throw new FieldErrors({ factor: factor === '' ? 'Enter a code of your second factor.' : wrong });
  }
}

/** Asks for the second factor again where {@link factorIfOld} does. @throws FieldErrors for a missing or wrong code. */
export async function requireFreshFactor(services: Services, context: SignedInContext): Promise<void> {
  const { visitor, form } = context.var;
  if (needsFactor(visitor, services.now())) {
    await enterFactor(services, visitor, form);
  }
}
