import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Decider } from '@parlance/decider';
import { type Database, database, missing } from '@parlance/testing';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { metadata, type Said, said, saying } from '../../test/contract/subject.ts';
import type { EventStore } from '../event-store.ts';
import { execute } from '../execute.ts';
import { openMongoEventStore } from './mongo-event-store.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

const parrot: Decider<string, Said, number> = {
  initialState: 0,
  decide: (word) => [said(word)],
  evolve: (count) => count + 1,
};

describeMongo('commands that the event store sends to MongoDB', () => {
  let server: Database;
  let client: MongoClient;
  let store: EventStore;
  let logs = 0;
  let sent: { readonly name: string; readonly at: number }[] = [];

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      // Another test counts the polls.
      const { filter = {} } = command as { filter?: { batch?: unknown } };
      sent.push({ name: filter.batch === undefined ? commandName : 'poll', at: performance.now() });
    });
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    store = await openMongoEventStore(client.db(`${server.prefix}_${++logs}`));
    // Counting begins when the store knows the tail of the log.
    await store.append(saying('first'));
    await store.positionOf('a', 1);
    await store.append(saying('second', { expected: 1 }));
    await store.positionOf('a', 2);
  });
  afterEach(() => store.close());

  /** The commands that some work sends, including rounds of the sequencer that continue after the answer. */
  async function sentBy(work: () => Promise<unknown>, atLeast: number): Promise<string[]> {
    sent = [];
    await work();
    const names = () => sent.map(({ name }) => name).filter((name) => name !== 'poll');
    while (names().length < atLeast) await new Promise(setImmediate);
    return names();
  }

  it('are two for an append including its position', async () => {
    const appended = async () => {
      await store.append(saying('third', { expected: 2 }));
      await store.positionOf('a', 3);
    };
    expect(await sentBy(appended, 2)).toEqual(['insert', 'bulkWrite']);
  });

  it('are two for 64 concurrent appends', async () => {
    const all = async () => {
      await Promise.all(Array.from({ length: 64 }, (_, i) => store.append(saying('hello', { stream: `s${i}` }))));
      await Promise.all(Array.from({ length: 64 }, (_, i) => store.positionOf(`s${i}`, 1)));
    };
    expect(await sentBy(all, 2)).toEqual(['insert', 'bulkWrite']);
  });

  it('are one for reading a page of a stream', async () => {
    expect(await sentBy(() => store.read('a'), 1)).toEqual(['find']);
  });

  it('are three for a command, even with names', async () => {
    const command = async (once?: string) => {
      const { version } = await execute(store, parrot, { stream: 'a', command: 'hello', metadata, ...(once && { once }) });
      await store.positionOf('a', version);
    };
    expect(await sentBy(() => command(), 3)).toEqual(['find', 'insert', 'bulkWrite']);
    expect(await sentBy(() => command('cause'), 3)).toEqual(['find', 'insert', 'bulkWrite']);
  });

  it('are at most two polls a second from an idle process, even while readers wait for the log to grow', async () => {
    const { signal } = new AbortController();
    const waits = Array.from({ length: 5 }, () => store.grown(10, signal));
    sent = [];
    while (sent.length < 6) await new Promise((resolve) => setTimeout(resolve, 50));
    const [first, ...others] = sent;
    expect(new Set(sent.map(({ name }) => name))).toEqual(new Set(['poll']));
    // A slow machine sends fewer.
    expect(others.at(-1)!.at - first!.at).toBeGreaterThan(others.length * 490);
    await store.close();
    await Promise.all(waits);
  });
});
