// Adds up the JSON reports of Vitest in a directory, and prints the sum in one line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.argv[2];
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(directory).sort()) {
  const report = JSON.parse(readFileSync(join(directory, name), 'utf8'));
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + report.numTodoTests;
}
console.log(`tests: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
