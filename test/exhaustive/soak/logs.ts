import { isExplained, type Model } from './model.ts';
import type { SoakNode } from './nodes.ts';

const ERROR = 50;
/** What a node says of a database that fails. */
const explained = [
  'the database does not answer',
  'the use of keys could not be stored yet',
  'the catalogue could not be rebuilt',
  'old history could not be removed yet',
];

/** Lines of a node's log that no failure of the schedule explains. */
export function unexplainedLines(node: SoakNode, { databaseOutages }: Model): string[] {
  return node
    .log()
    .split('\n')
    .filter((line) => line !== '' && !isExpected(line, databaseOutages, [...node.clockOffsets]))
    .map((line) => `node ${node.name} has logged: ${line}`);
}

function isExpected(line: string, outages: Model['databaseOutages'], offsets: readonly number[]): boolean {
  try {
    const { level, time, msg } = JSON.parse(line);
    const isDuring = offsets.some((offset) => isExplained(outages, time - offset, time - offset));
    return level < ERROR || (explained.includes(msg) && isDuring);
  } catch {
    // It is not of the logger.
    return false;
  }
}
