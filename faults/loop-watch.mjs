// Loaded into the product first. Records the CPU time of its main thread between two turns of a 1 ms timer: the wait of other requests on
// an idle machine. Elapsed time would include the work of other programs.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

// Threads of the product load this too.
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

  // Answers with the longest time since the previous request. The port is written to a file.
  const server = createServer((_, res) => {
    res.end(String(longest));
    longest = 0;
  })
    .listen(0, '127.0.0.1', () => writeFileSync(process.env.LOOP_WATCH_FILE, `http://127.0.0.1:${server.address().port}/`))
    .unref();
}
