import { jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Commit } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openEmbeddedBroker } from '../src/embedded/embedded-broker.ts';
import type { EmbeddedHarnesses } from './contract/embedded-harness.ts';
import { contractRetry, eventOf, type Recorder } from './contract/harness.ts';

export const topic = 'parlance.counting';
export const [counted, other] = [`${topic}.counted.v1`, `${topic}.other.v1`];

/** A service whose log has `n` in each commit, and a broker whose clocks the spec moves. */
export async function countingWorld(harnesses: EmbeddedHarnesses) {
  const [logFile, file] = [await harnesses.file(), await harnesses.file()];
  const store = await openSqliteEventStore(logFile);
  let passed = 0;
  const clock = { now: () => Date.now() + passed, steady: () => performance.now() + passed };
  const map = jest.fn(({ position, events }: Commit) =>
    events.map(({ event }, index) => {
      const { type, n, text } = event as unknown as { type: string; n: number; text: string };
      return { topic, key: 'k', event: { ...eventOf(topic, 'k', n), type, sequence: `${position}.${index}`, data: { n, text } } };
    }),
  );
  let version = 0;
  return {
    file,
    logFile,
    map,
    pass: (ms: number) => void (passed += ms),
    append: (type: string, n: number, text = '') => {
      const at = Instant.ofMillis(clock.now());
      const metadata = { at, actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'r', causationId: null };
      return store.append({ stream: 'k', expected: version++, events: [{ type, n, text } as { type: string }], metadata });
    },
    open: (retry = contractRetry) => openEmbeddedBroker(file, { retry, tendEveryMs: 5, clock }),
    counting: { name: 'counting', topic, store, publish: map, relayed: async () => 0 },
  };
}

export const numbers = ({ deliveries }: Recorder) => deliveries.map(({ event }) => (event.data as { n: number }).n);
export const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, at) => from + at);
