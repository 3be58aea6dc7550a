// Loaded into a server with --import: tells its parent, when asked, the most CPU time that a turn of the event loop has
// taken since it was last asked, in ms. Unlike the time on the clock, it does not count what other processes took.
// Needs process.threadCpuUsage, which Node has from version 23.9.
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send !== undefined) {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let isMeasuring = false;
  let before = 0;
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
    if (isMeasuring) {
      setImmediate(turn);
    }
  };
  // Asked twice for each figure: measures from the first question to the second.
  process.on('message', () => {
    process.send(longest);
    longest = 0;
    isMeasuring = !isMeasuring;
    if (isMeasuring) {
      before = used();
      setImmediate(turn);
    }
  });
  // Or the server could not end by itself.
  process.channel.unref();
}
