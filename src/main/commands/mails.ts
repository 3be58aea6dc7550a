import { releaseMails } from '../../access/mails/source.ts';
import { amount } from '../../lib/errors.ts';
import type { CommandContext, Result } from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';

export function addMails(program: RevgateCommand): void {
  const mails = program
    .command('mails')
    .description('manage emails to accounts')
    .examples('revgate mails release');
  mails
    .command('release')
    .description('send the emails that are held because this database is a copy')
    .examples('revgate mails release')
    .prints(runRelease);
}

async function runRelease(context: CommandContext): Promise<Result> {
  const released = await releaseMails(context, context.config.publicUrl);
  if (released === undefined) {
    return [{ released: false, waiting: 0, dropped: 0 }, 'No emails are held. Nothing was changed.'];
  }
  const { waiting, dropped } = released;
  return [
    { released: true, waiting, dropped },
    `Released. ${amount(waiting, 'email')} about keys can be sent; ${amount(dropped, 'email')} about what accounts saved ${dropped === 1 ? 'was' : 'were'} dropped.`,
  ];
}
