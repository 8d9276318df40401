// Loaded into the product before anything else: notes the CPU time that its main thread takes between two turns of a timer of 1 ms,
// which is how long others wait on a machine that has nothing else to do. Waits as the clock has them also tell what other programs do.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

// Threads of the product load this, too.
if (isMainThread) watch();

function watch() {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = now();
  setInterval(() => {
    const at = now();
    longest = Math.max(longest, at - last);
    last = at;
  }, 1).unref();

  /** Tells the longest since it was asked the last time. It says in a file where it listens. */
  const server = createServer((_, res) => {
    res.end(String(longest));
    longest = 0;
  })
    .listen(0, '127.0.0.1', () => writeFileSync(process.env.LOOP_WATCH_FILE, `http://127.0.0.1:${server.address().port}/`))
    .unref();
}
