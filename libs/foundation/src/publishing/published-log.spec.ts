import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Commit, EventStore } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import type { Outgoing } from '@parlance/messaging';
import { openSqliteFile } from '@parlance/sqlite';
import { LocalPublishedLogs, PublishedLog, type PublishedPage } from './published-log.ts';

const metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};
/** Odd numbers are private. */
const publish = (commit: Commit): Outgoing[] =>
  commit.events.flatMap(({ id, event }) => {
    const { type, n } = event as { type: string; n: number };
    return n % 2 ? [] : [{ topic: 'parlance.test', key: commit.stream, event: { id, type, data: { n } } as unknown as Outgoing['event'] }];
  });

let store: EventStore;
let end: () => Promise<void>;

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'published-log-'));
  const file = await openSqliteFile(join(directory, 'log.db'));
  store = await openSqliteEventStore(file);
  end = async () => {
    await store.close();
    await file.close();
    await rm(directory, { recursive: true });
  };
});
afterEach(() => end());

const append = (n: number, body = '') =>
  store.append({ stream: `s-${n}`, expected: 0, events: [{ type: n % 4 ? 'Two' : 'Four', n, body } as { type: string }], metadata });
const numbers = ({ events }: PublishedPage) => events.map(({ data }) => (data as { n: number }).n);

describe('a published log', () => {
  it('returns the public events after a position, in log order, with the IDs of the published copies', async () => {
    const log = new PublishedLog(store, publish);
    for (let n = 1; n <= 8; n++) await append(n);
    const page = await log.after(2);
    expect(numbers(page)).toEqual([4, 6, 8]);
    expect([page.position, page.head]).toEqual([8, 8]);
    const [recorded] = (await store.readAll(7, 1))[0]!.events;
    expect(page.events.at(-1)?.id).toBe(recorded!.id);
  });

  it('returns events of the requested types, and skips the others', async () => {
    const log = new PublishedLog(store, publish);
    for (let n = 1; n <= 8; n++) await append(n);
    expect(numbers(await log.after(0, ['Four']))).toEqual([4, 8]);
    expect(await log.after(0, ['None'])).toEqual({ events: [], position: 8, head: 8 });
    expect(await log.after(8)).toEqual({ events: [], position: 8, head: 8 });
  });

  it('stops at a number of bytes, and returns the position where it stopped', async () => {
    const log = new PublishedLog(store, publish);
    for (let n = 2; n <= 8; n += 2) await append(n, 'x'.repeat(10_000));
    const first = await log.after(0, [], 15_000);
    expect([numbers(first), first.position, first.head]).toEqual([[2, 4], 2, 4]);
    expect(numbers(await log.after(first.position, [], 15_000))).toEqual([6, 8]);
  });

  describe('for a reader that comes again soon', () => {
    const read = async (position: number, noticed: number | null) => {
      for (let n = 1; n <= 8; n++) await append(n);
      store.noticedHead = () => noticed;
      const commits = jest.spyOn(store, 'readAll');
      const head = jest.spyOn(store, 'head');
      const page = await new PublishedLog(store, publish).after(position, [], 1_000_000, true);
      return { numbers: numbers(page), position: page.position, head: page.head, asks: commits.mock.calls.length + head.mock.calls.length };
    };

    it('does not ask the database at the end of the log that the process has noticed', async () =>
      expect(await read(6, 6)).toEqual({ numbers: [], position: 6, head: 6, asks: 0 }));

    it('does not send a reader back that has heard of newer events from another replica', async () =>
      expect(await read(7, 6)).toEqual({ numbers: [], position: 7, head: 7, asks: 0 }));

    it('reads the rest of the log before its end', async () =>
      expect(await read(5, 6)).toEqual({ numbers: [6, 8], position: 8, head: 8, asks: 2 }));

    it('asks the database if the process does not notice appends at once', async () =>
      expect(await read(8, null)).toEqual({ numbers: [], position: 8, head: 8, asks: 2 }));
  });
});

describe('a published log by time', () => {
  it('finds the first commit that is not older than an instant', async () => {
    const log = new PublishedLog(store, publish);
    for (let n = 1; n <= 5; n++)
      await store.append({
        stream: `s-${n}`,
        expected: 0,
        events: [{ type: 'Two' }],
        metadata: { ...metadata, at: Instant.ofMillis(10 * n) },
      });
    const found = [0, 10, 11, 50, 51].map((at) => log.positionAt(Instant.ofMillis(at)));
    expect(await Promise.all(found)).toEqual([1, 1, 2, 5, 6]);
  });
});

describe('the published logs of the services in one process', () => {
  const log = { after: async () => ({ events: [], position: 7, head: 7 }), positionAt: async () => 1 };

  it('waits for a service that has not started yet', async () => {
    const logs = new LocalPublishedLogs();
    logs.expect(['bots', 'inference']);
    const found = logs.of('inference');
    logs.enter('inference', log);
    expect(await found).toBe(log);
    expect(await logs.of('inference')).toBe(log);
  });

  it('does not wait for a service of another process', async () => {
    const logs = new LocalPublishedLogs();
    logs.expect(['bots']);
    expect(await logs.of('inference')).toBeUndefined();
  });

  it('gives up on a service that does not start in time, and finds it if it starts later', async () => {
    const logs = new LocalPublishedLogs(5);
    logs.expect(['inference']);
    expect(await logs.of('inference')).toBeUndefined();
    logs.enter('inference', log);
    expect(await logs.of('inference')).toBe(log);
  });
});
