// Loaded into a node with --import: at SIGUSR2 its clock is set by as many ms as the file SOAK_CLOCK says.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.SOAK_CLOCK !== undefined) {
  const SystemDate = Date;
  let offset = 0;
  globalThis.Date = class extends SystemDate {
    constructor(...parts) {
      super(...(parts.length === 0 ? [SystemDate.now() + offset] : parts));
    }

    static now() {
      return SystemDate.now() + offset;
    }
  };
  process.on('SIGUSR2', () => {
    offset = Number(readFileSync(process.env.SOAK_CLOCK, 'utf8'));
  });
}
