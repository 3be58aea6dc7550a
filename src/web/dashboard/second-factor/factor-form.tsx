import { giveFactor, needsFactor } from '../../../access/accounts/second-factor.ts';
import type { Visitor } from '../../../access/accounts/sign-in/auth.ts';
import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import type { Html } from '../../shared/jsx.ts';
import { field } from '../forms.tsx';
import { type Field, FieldErrors, type Form, type SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';

type FactorServices = Pick<Services, 'prisma' | 'auth' | 'now'>;

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

/** The same field, as a form that is not a page's shows it. */
export const factorFieldIfOld = ({ now }: Pick<Services, 'now'>, visitor: Visitor): Html | null =>
  needsFactor(visitor, now()) ? field(factorField) : null;

/** @throws FieldErrors if a form lacks the right code. */
export async function enterFactor(
  services: FactorServices,
  request: GatewayRequest,
  visitor: Visitor,
  form: Form,
  isSetUp = false,
): Promise<void> {
  const { factor = '' } = form;
  if (!(await giveFactor(services, request, visitor, factor, isSetUp))) {
    const wrong = 'This code is wrong, or was used before. Wait for the next one.';
    throw new FieldErrors({ factor: factor === '' ? 'Enter a code of your second factor.' : wrong });
  }
}

/** Asks for the second factor again where {@link factorIfOld} does. @throws FieldErrors for a missing or wrong code. */
export async function requireFreshFactor(services: FactorServices, context: SignedInContext): Promise<void> {
  const { visitor, form } = context.var;
  if (needsFactor(visitor, services.now())) {
    await enterFactor(services, context.env.request, visitor, form);
  }
}
