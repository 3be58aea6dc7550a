import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { only } from '../support/only.ts';
import { findProgram } from '../support/program.ts';
import { root } from '../support/suites.ts';

const promtool = findProgram('promtool');

only(promtool !== undefined, 'promtool: apt-get install prometheus').it(
  'alerts fire for what test/deploy/prometheus-rules.yaml says',
  async () => {
    const test = join(root, 'test/deploy/prometheus-rules.yaml');
    const { stdout } = await promisify(execFile)(promtool ?? '', ['test', 'rules', test]);
    expect(stdout).toContain('SUCCESS');
  },
);
