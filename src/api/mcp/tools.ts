import { readMarket, summarizeStartups } from './figure-tools.ts';
import { getStartup, listChanges, searchStartups } from './startup-tools.ts';
import type { Tool } from './tool.ts';

/** The tools of every key that may run any document. */
export const tools: readonly Tool[] = [
  searchStartups,
  getStartup,
  summarizeStartups,
  readMarket,
  listChanges,
];

// What the gateway uses of this folder, loaded by load.ts.
export { respond } from './protocol.ts';
export { failureOf } from './tool.ts';
