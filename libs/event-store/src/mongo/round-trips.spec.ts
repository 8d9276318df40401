import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Decider } from '@parlance/decider';
import { type Database, database, missing, timersOf, waitFor } from '@parlance/testing';
import { Collection, type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { metadata, type Said, said, saying } from '../../test/contract/subject.ts';
import type { EventStore } from '../event-store.ts';
import { execute } from '../execute.ts';
import { openMongoEventStore } from './mongo-event-store.ts';
import { WATCHED_POLL_MILLIS } from './sequencing/poll-pace.ts';

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
  let sent: string[] = [];

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      // Another test counts the polls.
      const { filter = {}, collection, aggregate } = command as { filter?: { batch?: unknown }; collection?: string; aggregate?: string };
      const isPoll = filter.batch !== undefined || [collection, aggregate].includes('log_tail');
      // On the stand-in, each write of another test ends the wait for changes.
      const isWait = commandName === 'getMore' && collection === 'log_tail';
      if (!isWait) sent.push(isPoll ? 'poll' : commandName);
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
  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
  });

  /** The commands that some work sends, including rounds of the sequencer that continue after the answer. */
  async function sentBy(work: () => Promise<unknown>, atLeast: number): Promise<string[]> {
    sent = [];
    await work();
    const names = () => sent.filter((name) => name !== 'poll');
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

  it('are one for reading a page of the log, also one that is longer than the first batch of a server', async () => {
    const streams = Array.from({ length: 128 }, (_, index) => `s${index}`);
    await Promise.all(streams.map((stream) => store.append(saying('hello', { stream }))));
    await Promise.all(streams.map((stream) => store.positionOf(stream, 1)));
    const read = async () => expect(await store.readAll(0, 200)).toHaveLength(130);
    expect(await sentBy(read, 1)).toEqual(['find']);
  });

  it('are three for a command, even with names', async () => {
    const command = async (once?: string) => {
      const { version } = await execute(store, parrot, { stream: 'a', command: 'hello', metadata, ...(once && { once }) });
      await store.positionOf('a', version);
    };
    expect(await sentBy(() => command(), 3)).toEqual(['find', 'insert', 'bulkWrite']);
    expect(await sentBy(() => command('cause'), 3)).toEqual(['find', 'insert', 'bulkWrite']);
  });

  it('find commits by indexes, so that none reads the whole log', async () => {
    const finds: Document[] = [];
    const note = ({ command: { find, filter, sort } }: CommandStartedEvent) => {
      if (find === 'commits') finds.push({ find, filter, ...(sort && { sort }) });
    };
    client.on('commandStarted', note);
    await store.append(saying('third', { expected: 2, once: ['one', 'two'] }));
    await store.positionOf('a', 3);
    await Promise.all([store.read('a'), store.readAll(0, 10), store.earlier(['one', 'two'])]);
    const other = await openMongoEventStore(client.db(`${server.prefix}_${logs}`));
    await other.head();
    await other.close();
    client.off('commandStarted', note);
    // The plan of the stand-in does not show that it finds listed IDs directly. It reads everything for a range of IDs.
    const [byIds, others] = [finds.filter(({ filter }) => filter._id), finds.filter(({ filter }) => !filter._id)];
    expect(new Set(byIds.map(({ filter }) => Object.keys(filter._id as Document).join()))).toEqual(new Set(['$in']));
    expect(new Set(others.flatMap(({ filter }) => Object.keys(filter as Document)))).toEqual(new Set(['position', 'once', 'pending']));
    for (const explain of others) {
      const { queryPlanner } = await client.db(`${server.prefix}_${logs}`).command({ explain });
      expect([explain, JSON.stringify((queryPlanner as Document).winningPlan)]).toEqual([explain, expect.not.stringContaining('COLLSCAN')]);
    }
  });

  it('are one in ten seconds from an idle process, which still notices at once what another process appends', async () => {
    const { signal } = new AbortController();
    const waits = Array.from({ length: 5 }, () => store.grown(3, signal));
    await waitFor(() => store.noticesAtOnce(), { what: 'the stream of changes to begin' });
    const polls = timersOf(jest, WATCHED_POLL_MILLIS);
    const isIdle = () => waitFor(() => polls.running.length === 1, { what: 'the last round to end' });
    await store.append(saying('third', { expected: 2 }));
    await store.positionOf('a', 3);
    await isIdle();
    sent = [];
    await polls.elapse();
    await isIdle();
    expect(sent).toEqual(['poll']);
    expect(store.noticedHead()).toBe(3);
    const other = await openMongoEventStore(client.db(`${server.prefix}_${logs}`));
    try {
      await other.append(saying('fourth', { expected: 3 }));
      await Promise.all(waits);
      expect((await store.readAll(3, 1)).length).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('include one for the end of a log whose changes are not noticed, because revocations must not be missed', async () => {
    const watch = jest.spyOn(Collection.prototype, 'watch').mockImplementation(() => {
      throw new Error('the server offers no change streams');
    });
    const other = await openMongoEventStore(client.db(`${server.prefix}_${logs}`));
    try {
      await other.append(saying('third', { expected: 2 }));
      await other.positionOf('a', 3);
      expect([other.noticedHead(), await other.head()]).toEqual([null, 3]);
    } finally {
      watch.mockRestore();
      await other.close();
    }
  });
});
