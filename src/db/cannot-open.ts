import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { listSnapshots } from './snapshot-files.ts';

/**
 * The error for a data directory that cannot be opened, with the commands that restore its newest snapshot.
 * The damaged files are kept, as more of them may be recoverable.
 */
export function cannotOpen(dataDirectory: string, reason: string): OperatorError {
  const first = `The embedded database in ${dataDirectory} does not open (${reason.trim().replace(/\s+/g, ' ')}). Nothing in it was removed.`;
  const newest = listSnapshots(dataDirectory).at(-1);
  const aside = `mv ${quote(join(dataDirectory, 'pg'))} ${quote(findFreeName(join(dataDirectory, 'pg.damaged')))}`;
  if (newest === undefined) {
    return new OperatorError(
      first,
      `There is no snapshot of it in ${join(dataDirectory, 'snapshots')}. To restore a backup, if you have one, or else to start with an empty database:`,
      `  ${aside}`,
      `  DATA_DIR=${quote(dataDirectory)} revgate restore FILE`,
    );
  }
  return new OperatorError(
    first,
    `Its newest snapshot is ${newest.path}. To go back to that:`,
    `  ${aside}`,
    `  DATA_DIR=${quote(dataDirectory)} revgate restore ${quote(newest.path)}`,
  );
}

function findFreeName(path: string): string {
  let name = path;
  for (let number = 2; existsSync(name); number += 1) {
    name = `${path}-${number}`;
  }
  return name;
}

/** Quotes a word for a shell. */
function quote(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
