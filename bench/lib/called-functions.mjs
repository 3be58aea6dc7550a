// Loaded into a server with --import: tells its parent, when asked, which of the project's own functions have been called
// since it was last asked, and how often. V8 runs slower meanwhile.
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send !== undefined) {
  const own = pathToFileURL(`${process.cwd()}/dist/`).href;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('message', async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    process.send(
      result
        .filter(({ url }) => url.startsWith(own))
        .flatMap(({ url, functions }) =>
          functions.map(({ functionName, ranges: [{ count }] }) => ({
            file: url.slice(own.length),
            name: functionName,
            count,
          })),
        )
        .filter(({ count }) => count > 0),
    );
  });
  // Or the server could not end by itself.
  process.channel.unref();
}
