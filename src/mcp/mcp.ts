/** What the gateway loads when the first agent connects. */

export { respond } from './protocol.ts';
export { failureOf, resultOf } from './results.ts';
export { tools } from './tools.ts';
