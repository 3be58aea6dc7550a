import type { Command } from 'commander';
import { documentModes } from '../keys/documents.ts';
import { overlaps } from '../keys/rotate.ts';
import { tiers } from '../rate-limit/tiers.ts';
import { runChangeAccount, runChangeRole, runCreateAccount, runListAccounts } from './accounts.ts';
import { runAudit } from './audit.ts';
import type { CommandContext } from './command.ts';
import { runListDocuments, runPublishDocuments, runRemoveDocument } from './documents.ts';
import { examples } from './help.ts';
import {
  type CreateKeyOptions,
  runChangeKey,
  runCreateKey,
  runListKeys,
  runRevokeKey,
  runRotateKey,
  runSetKeyDocuments,
  runSetKeyTier,
} from './keys.ts';

/** Runs a command on the database of the environment; `yes` creates an embedded one without confirmation. */
export type WithDatabase = (
  run: (context: CommandContext) => Promise<void>,
  options?: { yes?: true },
) => Promise<void>;

type Json = { json?: true };
type Reason = { reason?: string };

/** Adds `keys`, `documents`, `accounts` and `audit` to the program. */
export function addAdministration(program: Command, withDatabase: WithDatabase): void {
  addKeys(
    program
      .command('keys')
      .description('create and manage API keys')
      .addHelpText('after', examples('revgate keys list', 'revgate help keys create')),
    withDatabase,
  );
  addDocuments(
    program
      .command('documents')
      .description('publish GraphQL documents that a key can run by id')
      .addHelpText('after', examples('revgate documents publish documents.json --key key_0123456789AB')),
    withDatabase,
  );
  addAccounts(
    program
      .command('accounts')
      .description('manage the accounts that own keys')
      .addHelpText('after', examples('revgate accounts list', 'revgate accounts promote ada@example.com')),
    withDatabase,
  );
  program
    .command('audit')
    .description('list all changes of keys, accounts and policy, and who made them, the latest first')
    .option('--limit <n>', 'number of entries to list', '50')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate audit --limit 10', 'revgate audit --json'))
    .action((options: { limit: string } & Json) => withDatabase((context) => runAudit(context, options)));
}

function addKeys(keys: Command, withDatabase: WithDatabase): void {
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
        'revgate keys create --name partner --tier standard --accept-policy \\',
        '  --account acc_0123456789AB --expires 2027-01-01',
        'revgate keys create --name "top startups" --tier standard --accept-policy \\',
        '  --embed --origin https://example.com',
      ),
    )
    .action((options: CreateKeyOptions) => withDatabase((context) => runCreateKey(context, options)));
  keys
    .command('list')
    .description('list all keys, without their secrets')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate keys list', 'revgate keys list --json'))
    .action((options: Json) => withDatabase((context) => runListKeys(context, options)));
  keys
    .command('rotate <id>')
    .description('create a key that replaces another one, and print it once')
    .option('--overlap <time>', `how long the old key still works: ${Object.keys(overlaps).join(', ')}`, '0')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys rotate key_0123456789AB --overlap 24h'))
    .action((id: string, options: { overlap: string } & Json) =>
      withDatabase((context) => runRotateKey(context, id, options)),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key permanently')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys revoke key_0123456789AB'))
    .action((id: string, options: { yes?: true } & Json) =>
      withDatabase((context) => runRevokeKey(context, id, options)),
    );
  keys
    .command('disable <id>')
    .description('block a key that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the holder can read it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys disable key_0123456789AB --reason "resold the data"'))
    .action((id: string, options: Reason & Json) =>
      withDatabase((context) => runChangeKey(context, 'disable', id, options)),
    );
  keys
    .command('enable <id>')
    .description('enable a disabled key')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys enable key_0123456789AB --reason "settled"'))
    .action((id: string, options: Reason & Json) =>
      withDatabase((context) => runChangeKey(context, 'enable', id, options)),
    );
  keys
    .command('tier <id> <tier>')
    .description('change the tier of a key')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys tier key_0123456789AB premium'))
    .action((id: string, tier: string, options: Json) =>
      withDatabase((context) => runSetKeyTier(context, id, tier, options)),
    );
  keys
    .command('documents <id> <mode>')
    .description(
      `allow a key to run any GraphQL document, or only published ones: ${documentModes.join(', ')}`,
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate keys documents key_0123456789AB trusted'))
    .action((id: string, mode: string, options: Json) =>
      withDatabase((context) => runSetKeyDocuments(context, id, mode, options)),
    );
}

function addDocuments(documents: Command, withDatabase: WithDatabase): void {
  documents
    .command('publish <file>')
    .description("publish the manifest of a client's build and print the ids; - is standard input")
    .requiredOption('--key <id>', 'the key that the documents belong to')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate documents publish documents.json --key key_0123456789AB'))
    .action((file: string, options: { key: string } & Json) =>
      withDatabase((context) => runPublishDocuments(context, file, options)),
    );
  documents
    .command('list')
    .description('list the documents of a key')
    .requiredOption('--key <id>', 'the key that the documents belong to')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate documents list --key key_0123456789AB'))
    .action((options: { key: string } & Json) =>
      withDatabase((context) => runListDocuments(context, options)),
    );
  documents
    .command('remove <hash>')
    .description('remove a document of a key')
    .requiredOption('--key <id>', 'the key that the document belongs to')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate documents remove sha256:0123… --key key_0123456789AB'))
    .action((hash: string, options: { key: string } & Json) =>
      withDatabase((context) => runRemoveDocument(context, hash, options)),
    );
}

function addAccounts(accounts: Command, withDatabase: WithDatabase): void {
  accounts
    .command('create')
    .description('create an account and print its id')
    .requiredOption('--name <name>', 'the name of its holder')
    .option('--email <address>', 'the e-mail address of its holder')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts create --name Ada --email ada@example.com'))
    .action((options: { name: string; email?: string } & Json) =>
      withDatabase((context) => runCreateAccount(context, options)),
    );
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate accounts list'))
    .action((options: Json) => withDatabase((context) => runListAccounts(context, options)));
  accounts
    .command('disable <id>')
    .description('block all keys of an account that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the holder can read it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts disable acc_0123456789AB --reason "resold the data"'))
    .action((id: string, options: Reason & Json) =>
      withDatabase((context) => runChangeAccount(context, 'disable', id, options)),
    );
  accounts
    .command('enable <id>')
    .description('enable a disabled account')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts enable acc_0123456789AB --reason "settled"'))
    .action((id: string, options: Reason & Json) =>
      withDatabase((context) => runChangeAccount(context, 'enable', id, options)),
    );
  accounts
    .command('promote <account>')
    .description('give an account, by its id or address, the operator role in the dashboard')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts promote ada@example.com'))
    .action((account: string, options: Json) =>
      withDatabase((context) => runChangeRole(context, 'promote', account, options)),
    );
  accounts
    .command('demote <account>')
    .description('remove the operator role from an account')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate accounts demote ada@example.com'))
    .action((account: string, options: Json) =>
      withDatabase((context) => runChangeRole(context, 'demote', account, options)),
    );
}
