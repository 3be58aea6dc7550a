// Makes the embedded engine's empty cluster once per engine version: initialising one at a first
// start would take seconds and hundreds of megabytes, unpacking it does not.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const version = dependencies['@electric-sql/pglite'];
const template = new URL('../dist/db/template.tar.gz', import.meta.url);
const stamp = new URL('../dist/db/template.version', import.meta.url);

if (!existsSync(template) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
  const db = await PGlite.create();
  const dump = await db.dumpDataDir('gzip');
  await db.close();
  const unfinished = new URL('template.unfinished', template);
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()));
  renameSync(unfinished, template);
  writeFileSync(stamp, version);
}
