import { OperatorError } from '../errors.ts';
import type { CommandEnvironment } from './command.ts';
import { paragraph } from './help.ts';
import type { RevgateCommand } from './revgate-command.ts';

const DEFAULT_URL = 'http://localhost:4000';

/** `revgate mcp` */
export function addMcp(program: RevgateCommand, environment: CommandEnvironment): void {
  program
    .command('mcp')
    .description(
      'connect an agent that starts a program with a running server, over standard input and output',
    )
    .addHelpText(
      'after',
      paragraph(
        `REVGATE_KEY is the API key, and REVGATE_URL the address of the server: ${DEFAULT_URL} by default.`,
      ),
    )
    .examples('REVGATE_URL=https://api.example.com REVGATE_KEY=rvg_… revgate mcp')
    .action(() => runMcp(environment));
}

async function runMcp({ env, stdin, stdout, signal }: CommandEnvironment): Promise<void> {
  const { REVGATE_KEY: key = '', REVGATE_URL: url = DEFAULT_URL } = env;
  if (key === '') {
    throw new OperatorError('REVGATE_KEY is not set: set it to an API key.');
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new OperatorError(
      `REVGATE_URL: got ${JSON.stringify(url)}, allowed: the address of a server such as ${DEFAULT_URL}.`,
    );
  }
  // The other commands start without it.
  const { forward } = await import('../mcp/stdio.ts');
  await forward({ url: new URL('/mcp', url).href, key, input: stdin, output: stdout, signal });
}
