import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import fc from 'fast-check';
import { type AccountEvent, accounts, breaking, endAll, oracle, type Running, waitUntil, world, type World } from '../../test/accounts.ts';

afterEach(endAll);

/** Owners whose events fail. */
const broken = new Set<string>();
const parking = breaking((event) => 'owner' in event && broken.has(event.owner), { onError: 'park' });

describe('a projection that sets failing keys aside', () => {
  it.each([true, false])('continues with the other streams, and lets those that failed wait (during appends: %p)', async (inline) => {
    const { append, start } = await world();
    broken.add('poison');
    const { models, projector, failures } = await start([parking], { inline });
    for (const stream of ['a', 'b']) await append(stream, { type: 'Opened', owner: 'ann' });
    await append('a', { type: 'Deposited', amount: 1 }, { type: 'Renamed', owner: 'poison' });
    await append('a', { type: 'Deposited', amount: 2 });
    const position = await append('b', { type: 'Deposited', amount: 5 });
    expect(await projector.includes(position)).toEqual({ behind: [] });
    expect(await models.get(accounts, 'a')).toEqual({ owner: 'ann', balance: 0, names: ['ann'] });
    expect(await models.get(accounts, 'b')).toMatchObject({ balance: 5 });
    expect(await models.parked('accounts', 9)).toEqual([{ line: '', key: 'a', first: 2, last: 2, count: 1, reason: 'no such owner' }]);
    expect(await projector.lag()).toMatchObject([{ stopped: null, parked: 1, behind: 0 }]);
    expect(await projector.redrive('accounts')).toEqual({ applied: [], parked: ['a'] });
    expect(await models.get(accounts, 'a')).toMatchObject({ balance: 0 });
    broken.clear();
    expect(await projector.redrive('accounts', ['b'])).toEqual({ applied: [], parked: [] });
    expect(await projector.redrive('accounts', ['a'])).toEqual({ applied: ['a'], parked: [] });
    expect(await models.get(accounts, 'a')).toEqual({ owner: 'poison', balance: 3, names: ['ann', 'poison'] });
    await projector.includes(await append('a', { type: 'Deposited', amount: 4 }));
    expect(await models.get(accounts, 'a')).toMatchObject({ balance: 7 });
    expect(failures).toEqual([]);
  });

  it('keeps what is set aside across a restart, and sets nothing aside twice', async () => {
    const { append, start } = await world();
    broken.add('poison');
    const first = await start([parking]);
    await append('a', { type: 'Opened', owner: 'poison' });
    await first.projector.stop();
    await append('a', { type: 'Renamed', owner: 'bob' });
    const { models, projector } = await start([parking]);
    await append('a', { type: 'Renamed', owner: 'cid' });
    expect(await models.parked('accounts', 9)).toMatchObject([{ key: 'a', first: 1, count: 1 }]);
    broken.clear();
    await projector.redrive('accounts');
    expect(await models.get(accounts, 'a')).toEqual({ owner: 'cid', balance: 0, names: ['poison', 'bob', 'cid'] });
  });

  it('includes the events that follow a redrive by another process', async () => {
    const { append, start } = await world();
    broken.add('poison');
    const [one, other] = [await start([parking], { inline: false }), await start([parking], { inline: false })];
    const position = await append('a', { type: 'Opened', owner: 'poison' });
    for (const { projector } of [one, other]) expect(await projector.includes(position)).toEqual({ behind: [] });
    broken.clear();
    expect(await other.projector.redrive('accounts')).toEqual({ applied: ['a'], parked: [] });
    await other.projector.stop();
    expect(await one.projector.includes(await append('a', { type: 'Deposited', amount: 4 }))).toEqual({ behind: [] });
    expect(await one.models.get(accounts, 'a')).toMatchObject({ owner: 'poison', balance: 4 });
  });

  it.each([true, false])('loses no event that is appended during a redrive (during appends: %p)', async (inline) => {
    const { append, start, store } = await world();
    broken.add('poison');
    let during = async (): Promise<unknown> => undefined;
    const read: EventStore['read'] = (...args) => store.read(...args).finally(() => during());
    const { models, projector } = await start([parking], { inline, store: Object.create(store, { read: { value: read } }) });
    await projector.includes(await append('a', { type: 'Opened', owner: 'poison' }));
    broken.clear();
    during = () => {
      during = async () => undefined;
      return append('a', { type: 'Deposited', amount: 4 });
    };
    expect(await projector.redrive('accounts')).toEqual({ applied: ['a'], parked: [] });
    expect(await projector.includes(2)).toEqual({ behind: [] });
    expect(await models.get(accounts, 'a')).toMatchObject({ owner: 'poison', balance: 4 });
  });

  it.each([true, false])('has each event once when it is redriven twice at once in one process (during appends: %p)', async (inline) => {
    const { append, start, store } = await world();
    broken.add('poison');
    let reads = 0;
    const read: EventStore['read'] = async (...args) => {
      const page = await store.read(...args);
      // If the second redrive did not wait, what the first one has read would be old when it goes on.
      if ((reads += 1) === 1) for (let number = 0; number < 20; number += 1) await append(`other ${number}`, { type: 'Closed' });
      return page;
    };
    const { models, projector } = await start([parking], { inline, store: Object.create(store, { read: { value: read } }) });
    await append('a', { type: 'Opened', owner: 'ann' });
    await append('a', { type: 'Renamed', owner: 'poison' });
    await projector.includes(await append('a', { type: 'Deposited', amount: 1 }));
    broken.clear();
    const answers = await Promise.all([projector.redrive('accounts'), projector.redrive('accounts')]);
    expect(await models.get(accounts, 'a')).toEqual({ owner: 'poison', balance: 1, names: ['ann', 'poison'] });
    expect(answers).toEqual([
      { applied: ['a'], parked: [] },
      { applied: [], parked: [] },
    ]);
  });

  it.each([true, false])('includes appends to other streams while it redrives many (during appends: %p)', async (inline) => {
    const { append, start } = await world();
    broken.add('poison');
    const { models, projector } = await start([parking], { inline });
    const streams = Array.from({ length: 20 }, (_, number) => `s${number}`);
    const deposits = async (stream: string) => {
      await append(stream, { type: 'Opened', owner: 'poison' });
      for (let number = 0; number < 100; number += 1) await append(stream, { type: 'Deposited', amount: 1 });
    };
    await Promise.all(streams.map(deposits));
    await projector.includes(20 * 101);
    broken.clear();
    const redrive = { isOver: false };
    const redriven = projector.redrive('accounts').finally(() => (redrive.isOver = true));
    const position = await append('other', { type: 'Opened', owner: 'ann' }, { type: 'Deposited', amount: 5 });
    expect(await projector.includes(position)).toEqual({ behind: [] });
    expect([redrive.isOver, await models.get(accounts, 'other')]).toMatchObject([false, { balance: 5 }]);
    await append('s19', { type: 'Deposited', amount: 7 });
    expect(await redriven).toMatchObject({ applied: { length: 20 }, parked: [] });
    await projector.includes(await append('s0', { type: 'Deposited', amount: 9 }));
    const balances = [...(await models.getMany(accounts, streams)).values()].map(({ balance }) => balance);
    expect(balances.toSorted((one, other) => one - other)).toEqual([...Array(18).fill(100), 107, 109]);
    expect((await projector.verify('accounts')).differing).toEqual([]);
  });

  it('stops if too many keys have failed', async () => {
    const { append, start, store } = await world();
    broken.add('poison');
    await Promise.all(Array.from({ length: 1_001 }, (_, number) => append(`s${number}`, { type: 'Opened', owner: 'poison' })));
    const { projector, failures } = await start([parking]);
    await waitUntil(() => failures.length === 1);
    expect(await projector.lag()).toMatchObject([
      { parked: 1_000, position: 1_000, behind: (await store.head()) - 1_000, stopped: 'no such owner' },
    ]);
    broken.clear();
  });

  it('produces the same rows as a rebuild and an oracle, redriven in any order: 1,000 histories', async () => {
    const worlds = await Promise.all([true, false].map((inline) => begin(inline)));
    let number = 0;
    await fc.assert(
      fc.asyncProperty(actions, fc.shuffledSubarray(STREAMS, { minLength: STREAMS.length }), async (history, order) => {
        const here = worlds[number % 2]!;
        number += 1;
        await play(here, `${number}-`, history, order);
      }),
      { numRuns: 1_000 },
    );
    for (const { projector } of worlds) expect((await projector.verify('accounts')).differing).toEqual([]);
  }, 120_000);
});

const STREAMS = ['a', 'b', 'c'];

type Action =
  | { readonly do: 'append'; readonly stream: string; readonly event: AccountEvent }
  | { readonly do: 'break' }
  | { readonly do: 'repair' }
  | { readonly do: 'redrive'; readonly streams: readonly string[] };

const stream = fc.constantFrom(...STREAMS);
const owner = fc.constantFrom('ann', 'poison');
const event: fc.Arbitrary<AccountEvent> = fc.oneof(
  fc.record({ type: fc.constant('Opened' as const), owner }),
  fc.record({ type: fc.constant('Renamed' as const), owner }),
  fc.record({ type: fc.constant('Deposited' as const), amount: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ type: fc.constant('Closed' as const) }),
);
const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), stream, event }) },
    { weight: 1, arbitrary: fc.constantFrom<Action>({ do: 'break' }, { do: 'repair' }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('redrive' as const), streams: fc.subarray(STREAMS) }) },
  ),
  { maxLength: 20 },
);

async function begin(inline: boolean): Promise<World & Running> {
  const here = await world();
  return { ...here, ...(await here.start([parking], { inline })) };
}

async function play({ append, models, projector }: World & Running, prefix: string, history: readonly Action[], order: readonly string[]) {
  const names = (streams: readonly string[]) => streams.map((name) => prefix + name);
  const commits: { stream: string; events: AccountEvent[] }[] = [];
  let position = 0;
  broken.add('poison');
  for (const action of history) {
    if (action.do === 'break') broken.add('poison');
    else if (action.do === 'repair') broken.clear();
    else if (action.do === 'redrive') await projector.redrive('accounts', names(action.streams));
    else {
      const name = prefix + action.stream;
      commits.push({ stream: name, events: [action.event] });
      position = await append(name, action.event);
    }
  }
  expect(await projector.includes(position)).toEqual({ behind: [] });
  broken.clear();
  for (const name of names(order)) await projector.redrive('accounts', [name]);
  expect(await models.parked('accounts', 9)).toEqual([]);
  const rows = Object.fromEntries(await models.getMany(accounts, names(STREAMS)));
  expect(rows).toEqual((oracle(commits) as { accounts: object }).accounts);
}
