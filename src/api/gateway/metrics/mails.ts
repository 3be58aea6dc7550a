import { Counter, type Registry } from 'prom-client';
import { type CountMail, mailKinds } from '../../../access/mails/kinds.ts';
import { mailOutcomes } from '../../../lib/mail/outcome.ts';

/** Counts what became of attempts to send emails. Every series begins at 0, so that the first failure is an increase. */
export function countMails(registry: Registry): CountMail {
  const counter = new Counter({
    name: 'revgate_mails_total',
    help: 'Attempts to send an email, by what it is about and what became of them.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  for (const kind of mailKinds) {
    for (const outcome of mailOutcomes) {
      counter.inc({ kind, outcome }, 0);
    }
  }
  return (kind, outcome) => counter.inc({ kind, outcome });
}
