import { accessSync, constants } from 'node:fs';

/** Before tests in a browser: fails where there is none. */
export function setup(): void {
  const path = process.env.CHROMIUM ?? '/usr/bin/chromium';
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(
      `There is no Chromium at ${path}: install it (apt-get install chromium), or set CHROMIUM to its path.`,
    );
  }
}
