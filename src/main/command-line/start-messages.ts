import { randomBytes } from 'node:crypto';
import { createSetupLink } from '../../access/accounts/links.ts';
import type { Database } from '../../db/open.ts';
import type { Config } from '../settings/config.ts';
import { type CommandEnvironment, CREATE_KEY, line } from './command.ts';

// What a start says to its operator.

/** Fewer startups are read within a second. */
const MANY_STARTUPS = 20_000;

/** Says how many startups a start reads, if there are many. */
export async function announceReading({ background }: Database, { stdout }: CommandEnvironment) {
  const { rows } = await background.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM startups',
  );
  const count = rows[0]?.count ?? 0;
  if (count >= MANY_STARTUPS) {
    line(stdout, `Reading ${count.toLocaleString('en')} startups …`);
  }
}

/** The link to set up the first operator, if there is none. Nothing is created if nobody could read it. */
export async function describeSetup(
  { now, isDiscarded }: CommandEnvironment,
  { prisma }: Database,
  { operators }: Config,
  url: string,
): Promise<string[]> {
  const path = isDiscarded ? undefined : await createSetupLink({ prisma, now, randomBytes }, operators);
  return path === undefined
    ? []
    : [
        'There is no operator yet. To set one up, open this link within an hour. It works once:',
        `  ${url}${path}`,
      ];
}

/** The missing data that clients need, and the commands to add it. */
export async function findNextSteps({ background }: Database): Promise<string[]> {
  const { rows } = await background.query<{ startups: boolean; keys: boolean }>(
    'SELECT EXISTS (SELECT FROM startups) AS startups, EXISTS (SELECT FROM api_keys) AS keys',
  );
  const { startups, keys } = rows[0] ?? { startups: true, keys: true };
  return [
    ...(startups ? [] : ['There are no startups yet. To import some:', '  npx revgate import FILE']),
    ...(keys ? [] : ['There are no keys yet. To create one:', `  ${CREATE_KEY}`]),
  ];
}
