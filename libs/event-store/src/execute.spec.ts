import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fold, refuse, Refusal, type Snapshots, UnknownEvent } from '@parlance/decider';
import fc from 'fast-check';
import { account, type AccountCommand, type AccountEvent, deposit, withdraw } from '../test/account.ts';
import { onSqlite } from '../test/contract/on-sqlite.ts';
import { log, metadata } from '../test/contract/subject.ts';
import { type Companion, VersionConflict } from './append.ts';
import type { EventStore } from './event-store.ts';
import { execute, type Execution } from './execute.ts';
import { stateOf } from './state.ts';

describe('executing a command', () => {
  let subject: Awaited<ReturnType<typeof onSqlite>>;
  let store: EventStore;
  const order = (
    command: AccountCommand,
    { snapshots, ...more }: Partial<Execution<AccountCommand>> & { snapshots?: Snapshots } = {},
    on = store,
  ) => execute(on, { ...account, ...(snapshots && { snapshots }) }, { stream: 'a', command, metadata, ...more });

  beforeEach(async () => {
    subject = await onSqlite();
    store = subject.store;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await subject.end();
  });

  it('refuses a missing stream before it compares a version, so that a hidden stream does not reveal its version', async () => {
    await order(deposit(1));
    const hidden = { ...account, decide: () => refuse('missing', 'not_there', 'There is no such account.') };
    const accepts = (version: number) => {
      throw refuse('stale', 'version_stale', `The version is ${version}.`);
    };
    const tried = execute(store, hidden, { stream: 'a', command: withdraw(1), metadata, accepts });
    await expect(tried).rejects.toMatchObject({ code: 'not_there' });
    await expect(order(withdraw(5), { accepts })).rejects.toMatchObject({ code: 'version_stale' });
  });
  it('decides on the history of the stream and appends the resulting events', async () => {
    await order(deposit(5));
    expect(await order(withdraw(3))).toMatchObject({
      state: 2,
      version: 2,
      written: true,
      events: [{ event: { type: 'Withdrawn', amount: 3 } }],
    });
  });

  it('writes neither events nor a snapshot on a stream with an event that only a newer release knows', async () => {
    const newer = { type: 'Frozen', amount: 0 } as never;
    await store.append({ stream: 'a', expected: 0, events: [{ type: 'Deposited', amount: 5 } as never, newer], metadata });
    const knowing = {
      ...account,
      evolve: (balance: number, event: AccountEvent) => (event.type === newer['type'] ? undefined! : account.evolve(balance, event)),
    };
    const older = { ...knowing, snapshots: { every: 1, shape: 'v1' } };
    for (const decider of [knowing, older]) {
      await expect(execute(store, decider, { stream: 'a', command: deposit(1), metadata })).rejects.toThrow(UnknownEvent);
      await expect(stateOf(store, decider, 'a')).rejects.toThrow(UnknownEvent);
    }
    expect([await store.head(), await store.loadSnapshot('a', 'v1')]).toEqual([1, null]);
  });

  it('throws a refusal and writes nothing', async () => {
    await expect(order(withdraw(1))).rejects.toThrow(Refusal);
    expect(await store.head()).toBe(0);
  });

  it('returns the state of the stream if there is nothing to do', async () => {
    await order(deposit(5));
    expect(await order(deposit(0))).toEqual({ state: 5, version: 1, position: 1, events: [], written: false, earlier: [] });
  });

  it('applies a named effect once, and answers a repeat with the state of its stream', async () => {
    await order(deposit(5), { once: 'payday' });
    await order(deposit(1));
    const earlier = [{ name: 'payday', stream: 'a', version: 1, position: 1 }];
    const done = { events: [], written: false, earlier };
    expect(await order(deposit(5), { once: 'payday' })).toEqual({ state: 6, version: 2, position: 2, ...done });
    expect(await order(deposit(5), { once: 'payday', stream: 'b' })).toEqual({ state: 0, version: 0, position: 0, ...done });
  });

  it('answers a repeat as done although the decider would refuse it now, and reads only once', async () => {
    await order(deposit(5));
    await order(withdraw(5), { once: 'rent' });
    const earlier = jest.spyOn(store, 'earlier');
    expect(await order(withdraw(5), { once: ['rent'] })).toMatchObject({ state: 0, version: 2, written: false });
    await expect(order(withdraw(5), { once: 'other' })).rejects.toMatchObject({ code: 'overdrawn' });
    await expect(order(withdraw(5))).rejects.toMatchObject({ code: 'overdrawn' });
    expect(earlier.mock.calls).toEqual([[['rent']], [['other']]]);
  });

  it('decides again on the new state if an append of another process came first', async () => {
    await order(deposit(5));
    const elsewhere = await subject.again();
    const [append, read] = [store.append.bind(store), jest.spyOn(store, 'read')];
    jest.spyOn(store, 'append').mockImplementationOnce(async (what) => {
      await execute(elsewhere, account, { stream: 'a', command: withdraw(3), metadata });
      return append(what);
    });
    await expect(order(withdraw(3))).rejects.toMatchObject({ code: 'overdrawn' });
    expect(read.mock.calls).toEqual([
      ['a', 0],
      ['a', 1],
    ]);
  });

  it('executes commands on one stream in the order of the calls, however many come at once, with one append each', async () => {
    const append = jest.spyOn(store, 'append');
    const amounts = Array.from({ length: 105 }, (_, number) => number + 1);
    const results = await Promise.all(amounts.map((amount) => order(deposit(amount))));
    expect(results.map(({ version }) => version)).toEqual(amounts);
    expect(append).toHaveBeenCalledTimes(105);
  });

  it('does not block commands on other streams, or later ones on this stream, after a command failed', async () => {
    const { promise: held, resolve: fail } = Promise.withResolvers<void>();
    jest.spyOn(store, 'append').mockImplementationOnce(async () => {
      await held;
      throw new Error('disk full');
    });
    const failing = order(deposit(1));
    const waiting = order(deposit(2));
    expect(await order(deposit(3), { stream: 'b' })).toMatchObject({ state: 3 });
    fail();
    await expect(failing).rejects.toThrow('disk full');
    expect(await waiting).toMatchObject({ state: 2, version: 1 });
  });

  it('reads nothing of a stream that is declared new', async () => {
    const reads = [jest.spyOn(store, 'read'), jest.spyOn(store, 'loadSnapshot')];
    const snapshots = { every: 2, shape: 'v1' };
    expect(await order(deposit(5), { isNew: true, snapshots })).toMatchObject({ state: 5, version: 1, written: true });
    for (const read of reads) expect(read).not.toHaveBeenCalled();
  });

  it('decides again on a stream that exists although it is declared new', async () => {
    await order(deposit(5), { once: 'payday' });
    expect(await order(withdraw(3), { isNew: true })).toMatchObject({ state: 2, version: 2, written: true });
    await expect(order(withdraw(3), { isNew: true })).rejects.toMatchObject({ code: 'overdrawn' });
    expect(await order(deposit(1), { isNew: true })).toMatchObject({ state: 3, version: 3, written: true });
    expect(await order(deposit(5), { isNew: true, once: 'payday' })).toMatchObject({ state: 3, version: 3, written: false });
    expect(await order(deposit(0), { isNew: true })).toMatchObject({ state: 3, version: 3, written: false });
  });

  it('gives up on a stream that changes during every attempt', async () => {
    const append = jest.spyOn(store, 'append').mockImplementation(async ({ stream, expected }) => {
      throw new VersionConflict(stream, expected);
    });
    await expect(order(deposit(1), { attempts: 5 })).rejects.toMatchObject({ kind: 'unavailable', code: 'stream_busy' });
    expect(append).toHaveBeenCalledTimes(5);
  });

  it('writes companions with the append', async () => {
    const companion: Companion = () => undefined;
    const append = jest.spyOn(store, 'append');
    await order(deposit(1), { companions: [companion] });
    await order(deposit(1));
    expect(append.mock.calls.map(([{ companions }]) => companions)).toEqual([[companion], undefined]);
  });

  it("rejects with the store's error", async () => {
    jest.spyOn(store, 'append').mockRejectedValue(new Error('disk full'));
    await expect(order(deposit(1))).rejects.toThrow('disk full');
  });

  it('gives the same results as sequential execution, for any concurrent commands', async () => {
    const command = fc.record({
      type: fc.constantFrom<AccountCommand['type']>('Deposit', 'Withdraw'),
      amount: fc.integer({ min: 0, max: 5 }),
    });
    const step = fc.record({
      stream: fc.constantFrom('x', 'y'),
      command,
      once: fc.option(fc.constantFrom('p', 'q', 'r'), { nil: undefined, freq: 3 }),
      snapshots: fc.constantFrom(undefined, { every: 2, shape: 'v1' }),
    });
    // Half of the writers do not wait for the others, as if they were in another process.
    const elsewhere = Object.create(store) as EventStore;
    const writers = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(writers, async (programs) => {
        const name = (stream: string) => `${run}.${stream}`;
        run++;
        let appends = 0;
        await Promise.all(
          programs.map(async (steps, number) => {
            const own = number % 2 === 0 ? store : elsewhere;
            for (const { stream, command: ordered, once, snapshots } of steps) {
              const more = {
                stream: name(stream),
                attempts: 100,
                ...(once && { once: `${run}.${once}` }),
                ...(snapshots && { snapshots }),
              };
              const result = await order(ordered, more, own).catch((error: unknown) => {
                if (!(error instanceof Refusal) || error.code !== 'overdrawn') throw error;
              });
              if (result?.written) appends++;
            }
          }),
        );
        const commits = (await log(store)).filter(({ stream }) => stream.startsWith(`${run}.`));
        expect(commits).toHaveLength(appends);
        for (const stream of ['x', 'y'].map(name)) {
          const own = commits.filter((commit) => commit.stream === stream);
          expect(own.map(({ version }) => version)).toEqual(own.map((_, index) => index + 1));
          const events = own.flatMap((commit) => commit.events.map(({ event }) => event as AccountEvent));
          const { state, version } = await order(deposit(0), { stream, snapshots: { every: 2, shape: 'v1' } });
          expect([state, version]).toEqual([fold(account, events), own.length]);
          let balance = 0;
          for (const event of events) expect((balance = account.evolve(balance, event))).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 60 },
    );
    expect((await log(store)).every(({ position }, index) => position === index + 1)).toBe(true);
  });
});
