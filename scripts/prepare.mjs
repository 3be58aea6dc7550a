// Builds after npm ci and npm install. `npx revgate` in a clone runs this too, and would build for a minute in silence
// what is there already.
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isBuilt = existsSync(new URL('../dist/main/main.js', import.meta.url));
if (process.env.npm_command !== 'exec' || !isBuilt) {
  execSync('npm run build', { stdio: 'inherit' });
}
