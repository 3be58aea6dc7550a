import type { Command } from 'commander';
import {
  MAX_ACCOUNT_DOCUMENT_BYTES,
  MAX_ACCOUNT_DOCUMENTS,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
} from '../documents/publish.ts';
import { documentModes } from '../keys/change.ts';
import type { Policy } from '../keys/policy.ts';
import { DEFAULT_OVERLAP, overlaps } from '../keys/rotate.ts';
import { tiers } from '../rate-limit/tiers.ts';
import { amount } from '../text/amount.ts';
import {
  runChangeAccount,
  runChangeRole,
  runCreateAccount,
  runDeleteAccount,
  runListAccounts,
} from './accounts.ts';
import { runAudit } from './audit.ts';
import { type CommandContext, integer } from './command.ts';
import { runListDocuments, runPublishDocuments, runRemoveDocument } from './documents.ts';
import { examples } from './help.ts';
import {
  checkCreateKey,
  runChangeKey,
  runCreateKey,
  runListKeys,
  runRevokeKey,
  runRotateKey,
  runSetKeyDocuments,
  runSetKeyTier,
} from './keys.ts';

/**
 * The action of a command on the database of the environment, after `check`. A database that does not exist is created
 * only with `mayCreate`.
 */
export type OnDatabase = <Args extends unknown[]>(
  run: (context: CommandContext, ...args: Args) => Promise<void>,
  options?: { mayCreate?: true; check?: (policy: Policy, ...args: Args) => void },
) => (...args: Args) => Promise<void>;

/** Adds `keys`, `documents`, `accounts` and `audit` to the program. */
export function addAdministration(program: Command, onDatabase: OnDatabase): void {
  addKeys(
    program
      .command('keys')
      .description('create and manage API keys')
      .addHelpText('after', examples('revgate keys list', 'revgate help keys create')),
    onDatabase,
  );
  addDocuments(
    program
      .command('documents')
      .description('publish GraphQL documents that a key can run by id')
      .addHelpText('after', examples('revgate documents publish documents.json --key key_0123456789AB')),
    onDatabase,
  );
  addAccounts(
    program
      .command('accounts')
      .description('manage the accounts that own keys')
      .addHelpText('after', examples('revgate accounts list', 'revgate accounts promote ada@example.com')),
    onDatabase,
  );
  program
    .command('audit')
    .description('list all changes of keys, accounts and policy, and who made them, the latest first')
    .option('--limit <n>', 'number of entries to list', integer(1, 1_000_000), 50)
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate audit --limit 10', 'revgate audit --json'))
    .action(onDatabase(runAudit));
}

function addKeys(keys: Command, onDatabase: OnDatabase): void {
  keys
    .command('create')
    .description('create a key and print it once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--tier <tier>', tiers.join(' or '))
    .option('--accept-policy', 'accept the acceptable-use policy')
    .option('--expires <date>', 'ISO 8601 date, or date and time with an offset')
    .option('--account <id>', 'the account that owns the key')
    .option('--embed', 'a key for web pages, limited to its published documents')
    .option(
      '--origin <origin...>',
      'with --embed: origin of its pages, such as https://example.com; repeatable',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'revgate keys create --name "my dashboard" --tier premium --accept-policy',
        'revgate keys create --name partner --tier standard --accept-policy --account acc_0123456789AB --expires 2027-01-01',
        'revgate keys create --name "top startups" --tier standard --accept-policy --embed --origin https://example.com',
      ),
    )
    .action(onDatabase(runCreateKey, { mayCreate: true, check: checkCreateKey }));
  keys
    .command('list')
    .description('list all keys, without their secrets')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate keys list', 'revgate keys list --json'))
    .action(onDatabase(runListKeys));
  keys
    .command('rotate <id>')
    .description('create a key that replaces another one, and print it once')
    .option(
      '--overlap <time>',
      `how long the old key still works: ${Object.keys(overlaps).join(', ')}; with 0, it ends at once`,
      DEFAULT_OVERLAP,
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples('revgate keys rotate key_0123456789AB', 'revgate keys rotate key_0123456789AB --overlap 0'),
    )
    .action(onDatabase(runRotateKey));
  keys
    .command('revoke <id>')
    .description('revoke a key permanently')
    .option('--yes', 'do not ask for confirmation; it asks only on a terminal')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys revoke key_0123456789AB'))
    .action(onDatabase(runRevokeKey));
  keys
    .command('disable <id>')
    .description('block a key that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the holder can read it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys disable key_0123456789AB --reason "resold the data"'))
    .action(onDatabase(runChangeKey('disable')));
  keys
    .command('enable <id>')
    .description('enable a disabled key')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys enable key_0123456789AB --reason "settled"'))
    .action(onDatabase(runChangeKey('enable')));
  keys
    .command('tier <id> <tier>')
    .description('change the tier of a key')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys tier key_0123456789AB premium'))
    .action(onDatabase(runSetKeyTier));
  keys
    .command('documents <id> <mode>')
    .description(
      `allow a key to run any GraphQL document, or only published ones: ${documentModes.join(', ')}`,
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys documents key_0123456789AB trusted'))
    .action(onDatabase(runSetKeyDocuments));
}

const PUBLISH = 'publish the documents in a file and print their ids; - is standard input';

function addDocuments(documents: Command, onDatabase: OnDatabase): void {
  documents
    .command('publish <file>')
    .summary(PUBLISH)
    .description(
      `${PUBLISH}. Only an active key can publish. At most ${amount(MAX_DOCUMENTS, 'document')} of a key, ${amount(MAX_ACCOUNT_DOCUMENTS, 'document')} of an account, ${amount(MAX_DOCUMENT_BYTES, 'byte')} of a document and ${amount(MAX_ACCOUNT_DOCUMENT_BYTES, 'byte')} in total, comments included`,
    )
    .requiredOption('--key <id>', 'the key that the documents belong to')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate documents publish documents.json --key key_0123456789AB'))
    .action(onDatabase(runPublishDocuments));
  documents
    .command('list')
    .description('list the documents of a key')
    .requiredOption('--key <id>', 'the key that the documents belong to')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate documents list --key key_0123456789AB'))
    .action(onDatabase(runListDocuments));
  documents
    .command('remove <hash>')
    .description('remove a document of a key')
    .requiredOption('--key <id>', 'the key that the document belongs to')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate documents remove sha256:0123… --key key_0123456789AB'))
    .action(onDatabase(runRemoveDocument));
}

function addAccounts(accounts: Command, onDatabase: OnDatabase): void {
  accounts
    .command('create')
    .description('create an account and print its id')
    .requiredOption('--name <name>', 'the name of its holder')
    .option('--email <address>', 'the email address of its holder')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts create --name Ada --email ada@example.com'))
    .action(onDatabase(runCreateAccount, { mayCreate: true }));
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate accounts list'))
    .action(onDatabase(runListAccounts));
  accounts
    .command('disable <id>')
    .description('block all keys of an account that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the holder can read it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts disable acc_0123456789AB --reason "resold the data"'))
    .action(onDatabase(runChangeAccount('disable')));
  accounts
    .command('enable <id>')
    .description('enable a disabled account')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts enable acc_0123456789AB --reason "settled"'))
    .action(onDatabase(runChangeAccount('enable')));
  accounts
    .command('delete <account>')
    .description('delete an account, by its id or address, with its personal data, and revoke its keys')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts delete ada@example.com'))
    .action(onDatabase(runDeleteAccount));
  accounts
    .command('promote <account>')
    .description('give an account, by its id or address, the operator role in the dashboard')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts promote ada@example.com'))
    .action(onDatabase(runChangeRole('promote')));
  accounts
    .command('demote <account>')
    .description('remove the operator role from an account')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts demote ada@example.com'))
    .action(onDatabase(runChangeRole('demote')));
}
