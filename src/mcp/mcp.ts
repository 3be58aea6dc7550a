/** What the gateway loads when the first agent connects. */

export { respond } from './protocol.ts';
export { publishedTools } from './published-tools.ts';
export { failureOf, resultOf } from './results.ts';
export { tools } from './tools.ts';
