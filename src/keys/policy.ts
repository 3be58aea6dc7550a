import { OperatorError } from '../errors.ts';

/** The acceptable-use policy as in its file. */
export interface Policy {
  /** The day from which this text applies, `YYYY-MM-DD`; a key records the version accepted. */
  readonly version: string;
  /** The whole text, Markdown. */
  readonly text: string;
}

const VERSION_LINE = /^Version: (\d{4}-\d{2}-\d{2})$/;
const HEAD_LINES = 5;

/**
 * Reads a policy from the text of its file, which has a line `Version: YYYY-MM-DD` near its top.
 *
 * @throws OperatorError if there is no such line: accepting an unnamed version proves nothing.
 */
export function loadPolicy(text: string): Policy {
  // Line endings depend on the checkout; the text is the same.
  const plain = text.replaceAll('\r\n', '\n');
  for (const line of plain.split('\n', HEAD_LINES)) {
    const version = VERSION_LINE.exec(line)?.[1];
    if (version !== undefined) {
      return { version, text: plain };
    }
  }
  throw new OperatorError(`The policy has no line "Version: YYYY-MM-DD" among its first ${HEAD_LINES}.`);
}
