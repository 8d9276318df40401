import { percentile } from '../measure/figures.mjs';

export const WRITERS = 64;

/** Metadata as the services record it. */
export const metadata = {
  at: 1_790_000_000_000,
  actor: 'user:01JB3V5QK8ZC2D4E6F8G0H2J4K',
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  requestId: '01JB3V5QK8ZC2D4E6F8G0H2J4M',
  correlationId: '01JB3V5QK8ZC2D4E6F8G0H2J4M',
  causationId: null,
};

/** An event about as large as a conversation's. */
export const event = {
  type: 'MessageSubmitted',
  messageId: '01JB3V5QK8ZC2D4E6F8G0H2J4N',
  replyId: '01JB3V5QK8ZC2D4E6F8G0H2J4P',
  parentId: null,
  content: 'v1.'.padEnd(160, 'c2VhbGVk'),
  model: 'local-extractive',
};

/** The same event in the form in which a store keeps it. */
export const recorded = JSON.stringify([{ id: '01JB3V5QK8ZC2D4E6F8G0H2J4Q', schema: 1, event }]);

/** Runs 64 writers with one stream each. A writer appends again as soon as its event is on disk. */
export async function keepWriting(append, { warmSeconds, seconds }) {
  const times = [];
  const start = performance.now();
  const measureFrom = start + warmSeconds * 1_000;
  const end = measureFrom + seconds * 1_000;
  let cpu;
  let appended = 0;
  const write = async (_, writer) => {
    for (let version = 0; ; version++) {
      const before = performance.now();
      if (before >= end) return;
      if (before >= measureFrom) cpu ??= process.cpuUsage();
      await append(`conversation-${writer}`, version);
      appended++;
      if (before >= measureFrom) times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = (performance.now() - measureFrom) / 1_000;
  return {
    appended,
    seconds: (performance.now() - start) / 1_000,
    perSecond: times.length / elapsed,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpuMicros: (user + system) / times.length,
  };
}
