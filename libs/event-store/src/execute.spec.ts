import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Decider, fold, refuse, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { onSqlite } from './contract/on-sqlite.ts';
import { log, metadata } from './contract/subject.ts';
import { type EventStore, VersionConflict } from './event-store.ts';
import { execute, type Execution } from './execute.ts';

type Command = { type: 'Deposit' | 'Withdraw'; amount: number };
type Event = { type: 'Deposited' | 'Withdrawn'; amount: number };

const account: Decider<Command, Event, number> = {
  initialState: 0,
  decide(command, balance) {
    if (command.amount === 0) return [];
    if (command.type === 'Deposit') return [{ type: 'Deposited', amount: command.amount }];
    return command.amount > balance ? refuse('conflict', 'overdrawn') : [{ type: 'Withdrawn', amount: command.amount }];
  },
  evolve: (balance, { type, amount }) => (type === 'Deposited' ? balance + amount : balance - amount),
};

const deposit = (amount: number): Command => ({ type: 'Deposit', amount });
const withdraw = (amount: number): Command => ({ type: 'Withdraw', amount });

describe('executing a command', () => {
  let subject: Awaited<ReturnType<typeof onSqlite>>;
  let store: EventStore;
  const order = (command: Command, more: Partial<Execution<Command>> = {}) =>
    execute(store, account, { stream: 'a', command, metadata, ...more });

  beforeEach(async () => {
    subject = await onSqlite();
    store = subject.store;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await subject.end();
  });

  it('decides on the history of the stream and appends what was decided', async () => {
    await order(deposit(5));
    expect(await order(withdraw(3))).toMatchObject({
      state: 2,
      version: 2,
      written: true,
      events: [{ event: { type: 'Withdrawn', amount: 3 } }],
    });
  });

  it('throws a refusal and writes nothing', async () => {
    await expect(order(withdraw(1))).rejects.toThrow(Refusal);
    expect(await store.head()).toBe(0);
  });

  it('answers where the stream is when nothing is to be done', async () => {
    await order(deposit(5));
    expect(await order(deposit(0))).toEqual({ state: 5, version: 1, events: [], written: false });
  });

  it('does a named thing once, and answers a repeat with the state of its stream', async () => {
    await order(deposit(5), { once: 'payday' });
    await order(deposit(1));
    expect(await order(deposit(5), { once: 'payday' })).toEqual({ state: 6, version: 2, events: [], written: false });
    expect(await order(deposit(5), { once: 'payday', stream: 'b' })).toEqual({ state: 0, version: 0, events: [], written: false });
  });

  it('decides again, on what is new, when somebody was quicker', async () => {
    await order(deposit(5));
    const read = jest.spyOn(store, 'read');
    const results = await Promise.allSettled([order(withdraw(3)), order(withdraw(3))]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'overdrawn' } });
    expect(read.mock.calls).toEqual([
      ['a', 0],
      ['a', 0],
      ['a', 1],
    ]);
  });

  it('gives up on a stream that never rests', async () => {
    const append = jest.spyOn(store, 'append').mockImplementation(async ({ stream, expected }) => {
      throw new VersionConflict(stream, expected);
    });
    await expect(order(deposit(1), { attempts: 5 })).rejects.toMatchObject({ kind: 'unavailable', code: 'stream_busy' });
    expect(append).toHaveBeenCalledTimes(5);
  });

  it('passes on what the store could not do', async () => {
    jest.spyOn(store, 'append').mockRejectedValue(new Error('disk full'));
    await expect(order(deposit(1))).rejects.toThrow('disk full');
  });

  describe('with snapshots', () => {
    const snapshots = { every: 3, shape: 'v1' };

    it('saves one every so many appends, and reads on from there', async () => {
      const save = jest.spyOn(store, 'saveSnapshot');
      for (let i = 0; i < 7; i++) await order(deposit(1), { snapshots });
      expect(save.mock.calls.map(([, { version, state }]) => [version, state])).toEqual([
        [3, 3],
        [6, 6],
      ]);
      const read = jest.spyOn(store, 'read');
      expect(await order(deposit(1), { snapshots })).toMatchObject({ state: 8, version: 8 });
      expect(read.mock.calls).toEqual([['a', 6]]);
    });

    it('is none the worse when one cannot be saved', async () => {
      jest.spyOn(store, 'saveSnapshot').mockRejectedValue(new Error('disk full'));
      for (let i = 0; i < 4; i++) await order(deposit(1), { snapshots });
      expect(await order(deposit(1), { snapshots })).toMatchObject({ state: 5, version: 5 });
    });

    it('folds from the beginning when the shape of the state has changed, and saves the new one', async () => {
      for (let i = 0; i < 4; i++) await order(deposit(1), { snapshots });
      expect(await order(deposit(1), { snapshots: { every: 3, shape: 'v2' } })).toMatchObject({ state: 5 });
      await order(deposit(1), { snapshots: { every: 3, shape: 'v2' } });
      await order(deposit(1));
      expect(await store.loadSnapshot('a')).toMatchObject({ version: 6, shape: 'v2', state: 6 });
    });
  });

  it('comes, whatever the race, to what the log says one after the other', async () => {
    const command = fc.record({ type: fc.constantFrom<Command['type']>('Deposit', 'Withdraw'), amount: fc.integer({ min: 0, max: 5 }) });
    const step = fc.record({
      stream: fc.constantFrom('x', 'y'),
      command,
      once: fc.option(fc.constantFrom('p', 'q', 'r'), { nil: undefined, freq: 3 }),
      snapshots: fc.constantFrom(undefined, { every: 2, shape: 'v1' }),
    });
    const writers = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(writers, async (programs) => {
        const name = (stream: string) => `${run}.${stream}`;
        run++;
        let appends = 0;
        await Promise.all(
          programs.map(async (steps) => {
            for (const { stream, command: ordered, once, snapshots } of steps) {
              const more = {
                stream: name(stream),
                attempts: 100,
                ...(once && { once: `${run}.${once}` }),
                ...(snapshots && { snapshots }),
              };
              const result = await order(ordered, more).catch((error: unknown) => {
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
          const events = own.flatMap((commit) => commit.events.map(({ event }) => event as Event));
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
