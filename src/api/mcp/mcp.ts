/** What the gateway uses of this folder, loaded by load.ts. */

export { respond } from './protocol.ts';
export { failureOf, resultOf } from './results.ts';
export { tools } from './tools.ts';
