// Ends the process when its parent has died, even if the main thread is busy and sees no disconnect, or when it uses too much memory.
import { workerData } from 'node:worker_threads';

const INTERVAL_MILLIS = 100;

const { parent, memoryBytes } = workerData as { parent: number; memoryBytes: number };

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL');
}, INTERVAL_MILLIS);
