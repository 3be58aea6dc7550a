import type { Context } from 'hono';
import { OperatorError, UnknownError } from '../../lib/errors.ts';
import type { Form, Page, SentForm } from './page.ts';

export type { SentForm } from './page.ts';

/** Thrown by an action for invalid fields: the message of each, by its name. */
export class FieldErrors extends Error {
  readonly fields: Form;

  constructor(fields: Form) {
    super('A form has invalid fields');
    this.fields = fields;
  }
}

type ShowForm<C> = (context: C, sent: SentForm) => Page | Promise<Page>;

/** Handles the GET of a page with a form. */
export function view<C extends Context>(show: ShowForm<C>) {
  return async (context: C): Promise<Response> =>
    context.render(await show(context, { values: {}, errors: {} }));
}

/**
 * Handles the POST of a form: acts, or shows its page again with what is wrong. That is a {@link FieldErrors}, or an
 * OperatorError, whose lines are shown above the page. Of what does not exist, there is no page.
 */
export function action<C extends Context>(show: ShowForm<C>, act: (context: C) => Promise<Response>) {
  return async (context: C): Promise<Response> => {
    const values: Form = context.var.form;
    try {
      return await act(context);
    } catch (error) {
      if (error instanceof FieldErrors) {
        return context.render({ ...(await show(context, { values, errors: error.fields })), status: 400 });
      }
      if (error instanceof OperatorError && !(error instanceof UnknownError)) {
        const page = await show(context, { values, errors: {} });
        return context.render({ ...page, errors: error.lines });
      }
      throw error;
    }
  };
}
