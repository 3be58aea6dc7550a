import { createReadStream } from 'node:fs';
import { OperatorError } from '../../../lib/errors.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import { type CommandEnvironment, requireFile } from '../../command-line/command.ts';

/**
 * A file of a command line, or standard input (`-`), to be imported.
 *
 * @param names of the files so far, by what identifies them; receives that of this one.
 * @throws OperatorError for a file that cannot be read, or is among them.
 */
export function openInput(
  surroundings: CommandEnvironment,
  file: string,
  names = new Map<string, string>(),
): ImportInput {
  const isStdin = file === '-';
  const { path, stats } = isStdin ? { path: '-' } : requireFile(surroundings, file);
  const identity = stats === undefined ? path : `${stats.dev} ${stats.ino}`;
  const other = names.get(identity);
  if (other !== undefined) {
    const what = other === file ? 'is given twice' : `is the same file as ${other}`;
    throw new OperatorError(`${isStdin ? 'Standard input (-)' : file} ${what}: specify each file once.`);
  }
  names.set(identity, file);
  return isStdin
    ? { name: '-', open: () => surroundings.stdin }
    : {
        name: file,
        open: () => createReadStream(path),
        ...(stats?.isFile() ? { bytes: stats.size } : {}),
      };
}
