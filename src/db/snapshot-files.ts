import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'snapshots';
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-([0-9a-f]{8})\.backup\.gz$/;

export function snapshotFolder(dataDirectory: string): string {
  return join(dataDirectory, FOLDER);
}

/** The file of a snapshot made at `now`, in ms since 1970. Names sort by age. */
export function snapshotPath(dataDirectory: string, database: string, now: number): string {
  const time = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  return join(snapshotFolder(dataDirectory), `${time}-${database}.backup.gz`);
}

/** The snapshots in a data directory, each with the database that it is of: the directory may have held several. */
export function listSnapshots(dataDirectory: string): { path: string; database: string }[] {
  let names: string[];
  try {
    names = readdirSync(snapshotFolder(dataDirectory)).sort();
  } catch {
    // No snapshot exists yet.
    return [];
  }
  return names.flatMap((name) => {
    const database = NAME.exec(name)?.[1];
    return database === undefined ? [] : { path: join(snapshotFolder(dataDirectory), name), database };
  });
}
