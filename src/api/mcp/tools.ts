import type { OwnField } from '../../startups/model/own-fields.ts';
import { readMarket, summarizeStartups } from './figure-tools.ts';
import { getStartup, listChanges, searchStartups } from './startup-tools.ts';
import type { Tool } from './tool.ts';

const createTools = (own: readonly OwnField[]): readonly Tool[] => [
  searchStartups(own),
  getStartup(own),
  summarizeStartups(own),
  readMarket,
  listChanges,
];

const ofNone = createTools([]);
const known = new WeakMap<readonly OwnField[], readonly Tool[]>();

/** The tools of every key that may run any document, with declared fields; made once for each edition. */
export function toolsWith(own: readonly OwnField[]): readonly Tool[] {
  const made = known.get(own) ?? (own.length === 0 ? ofNone : createTools(own));
  known.set(own, made);
  return made;
}

// What the gateway uses of this folder, loaded by load.ts.
export { respond } from './protocol.ts';
export { failureOf } from './tool.ts';
