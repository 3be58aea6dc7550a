import { giveFactor, needsFactor } from '../../../access/accounts/second-factor/check.ts';
import type { Visitor } from '../../../access/accounts/sign-in/visitor.ts';
import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import type { Html } from '../../shared/jsx.ts';
import { field } from '../forms.tsx';
import { FieldErrors, type Form, type SentForm, type SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';

type FactorServices = Pick<Services, 'prisma' | 'auth' | 'now'>;

/** The field of a code. */
export function factorField(sent: SentForm | undefined, isFirst = false): Html {
  return field({
    name: 'factor',
    label: 'Code',
    // Not shown again: a code works once.
    sent: sent && { ...sent, values: {} },
    isFirst,
    autocomplete: 'one-time-code',
    maxLength: 40,
    hint: 'From your authenticator app, or a recovery code.',
  });
}

/** The same in a form of what cannot be undone, for a session that gave the second factor a while ago. */
export function factorFieldIfOld(
  { now }: Pick<Services, 'now'>,
  visitor: Visitor,
  sent?: SentForm,
): Html | null {
  return needsFactor(visitor, now()) ? factorField(sent) : null;
}

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

/** Asks for the second factor again where {@link factorFieldIfOld} does. @throws FieldErrors for a missing or wrong code. */
export async function requireFreshFactor(services: FactorServices, context: SignedInContext): Promise<void> {
  const { visitor, form } = context.var;
  if (needsFactor(visitor, services.now())) {
    await enterFactor(services, context.env.request, visitor, form);
  }
}
