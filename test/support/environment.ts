import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';

// Vitest sets these, and dependencies look at them: better-auth checks neither the origin of a form nor its
// secret where TEST or NODE_ENV says that this is a test. Tests run as `npm start` does, with none of them.
for (const name of ['NODE_ENV', 'TEST', 'VITEST', 'DEV', 'PROD', 'SSR', 'MODE', 'BASE_URL']) {
  delete process.env[name];
}

// Engines live for seconds here: code of WebAssembly that is compiled quickly costs less than code that runs quickly.
setFlagsFromString('--liftoff-only');

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });
