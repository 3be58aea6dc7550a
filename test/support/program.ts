import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where a program is; undefined where it is not installed. Debian puts those of servers where only root looks. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}
