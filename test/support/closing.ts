import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Closes what is opened: after the test that opens it, or after all tests of a file or
 * `describe` that opens it at its top level.
 * What was opened last is closed first.
 */
export function closeAfterwards(close: () => unknown): void {
  const closing = async (): Promise<void> => {
    await close();
  };
  if (TestRunner.getCurrentTest() === undefined) {
    afterAll(closing);
  } else {
    onTestFinished(closing);
  }
}
