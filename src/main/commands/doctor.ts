import { OperatorError } from '../../lib/errors.ts';
import {
  type CommandEnvironment,
  type JsonOption,
  line,
  mayColor,
  printJson,
} from '../command-line/command.ts';
import { wrap } from '../command-line/table.ts';
import { type Check, runChecks, type Verdict, verdicts } from './doctor-checks.ts';

/** Green, yellow and red, of a terminal. */
const colors: Readonly<Record<Verdict, string>> = { ok: '32', warning: '33', error: '31' };
/** Of the widest verdict and the widest name of a check, each with the space behind it. */
const [VERDICT_WIDTH, CHECK_WIDTH] = [9, 10];

/**
 * `revgate doctor`: checks everything that a gateway needs.
 *
 * @throws OperatorError if a check failed, after all were printed.
 */
export async function runDoctor(environment: CommandEnvironment, { json }: JsonOption): Promise<void> {
  const { stdout, columns, env } = environment;
  const checks = await runChecks(environment);
  const worst = verdicts.findLast((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'ok';
  if (json === true) {
    printJson(stdout, { verdict: worst, checks });
  } else {
    const isColored = mayColor(columns !== undefined, env);
    for (const check of checks) {
      for (const text of linesOf(check, columns, isColored)) {
        line(stdout, text);
      }
    }
  }
  const errors = checks.filter(({ verdict }) => verdict === 'error').length;
  if (errors > 0) {
    throw new OperatorError(`${errors} ${errors === 1 ? 'check' : 'checks'} failed.`);
  }
}

function linesOf(
  { verdict, check, message, fix }: Check,
  columns: number | undefined,
  isColored: boolean,
): string[] {
  const indent = ' '.repeat(VERDICT_WIDTH + CHECK_WIDTH);
  const texts = [...message.split('\n'), ...(fix === null ? [] : `Fix: ${fix}`.split('\n'))];
  const wrapped = texts.flatMap((text) =>
    columns === undefined ? [text] : wrap(text, columns - indent.length),
  );
  const padded = verdict.padEnd(VERDICT_WIDTH);
  const colored = isColored ? `\u001b[${colors[verdict]}m${padded}\u001b[0m` : padded;
  const [first = '', ...others] = wrapped;
  return [colored + check.padEnd(CHECK_WIDTH) + first, ...others.map((text) => indent + text)];
}
