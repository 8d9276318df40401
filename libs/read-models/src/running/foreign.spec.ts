import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile, WriteFailed } from '@parlance/sqlite';
import fc from 'fast-check';
import { atEnd, endAll, waitUntil } from '../../test/accounts.ts';
import { Neighbour, TOPIC } from '../../test/topics.ts';
import { add, put, update } from '../changes.ts';
import { type Failure, ProjectionStopped, ReadModelBuilding } from '../errors.ts';
import { foreignProjection, type ForeignProjection } from '../projection.ts';
import { Projector } from './projector.ts';
import type { Following } from '../published.ts';
import { openSqliteReadModels } from '../sqlite/sqlite-read-models.ts';
import { table } from '../table.ts';

interface Joined {
  readonly id: string;
  readonly type: 'joined' | 'unheard';
  readonly subject: string;
  readonly member: string;
}

const groups = table<{ readonly size: number }>('groups');
const lists = table<{ readonly members: readonly string[] }>('lists');

/** Members whose events fail. */
const broken = new Set<string>();
const members = foreignProjection<Joined & { readonly type: 'joined' }>({
  name: 'members',
  version: 1,
  tables: [groups, lists],
  on: {
    joined: ({ subject, member }) => {
      if (broken.has(member)) throw new Error('no such member');
      return [add(groups, 'all', { size: 1 }, {}), update(lists, subject, (row) => ({ members: [...(row?.members ?? []), member] }))];
    },
  },
});
const parking: ForeignProjection = { ...members, onError: 'park' };
const GROUP = 'analytics.members.v1';

afterEach(endAll);

async function service() {
  const directory = await mkdtemp(join(tmpdir(), 'foreign-'));
  atEnd(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'service.db'), { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const store = await openSqliteEventStore(file);
  const neighbour = new Neighbour();
  let said = 0;
  return {
    file,
    neighbour,
    join(subject: string, ...names: readonly string[]) {
      neighbour.say(subject, ...names.map((member) => ({ id: `e${(said += 1)}`, type: 'joined', member })));
    },
    async start(projection: ForeignProjection = members) {
      const models = await openSqliteReadModels(file);
      const failures: Failure[] = [];
      const projector = new Projector({
        store,
        models,
        projections: [],
        foreign: { service: 'analytics', projections: [projection], topics: neighbour, published: neighbour.published },
        onError: (failure) => failures.push(failure),
      });
      atEnd(() => projector.stop());
      await projector.start();
      const rows = async () => {
        const { keys, rows: found } = await models.find(lists, { index: 'key', limit: 1_000 });
        return Object.fromEntries(keys.map((key, place) => [key, found[place]!.members]));
      };
      return { models, projector, failures, rows, isReady: () => projector.ready().length === 0 };
    },
  };
}

function bySubject(neighbour: Neighbour): Record<string, string[]> {
  const rows: Record<string, string[]> = {};
  for (const event of neighbour.log as unknown as readonly Joined[]) {
    if (event.type === 'joined') (rows[event.subject] ??= []).push(event.member);
  }
  return rows;
}

describe("a projection of other services' events", () => {
  it('that is new in a release sees all history, and goes on with what its topics deliver', async () => {
    const { join: joins, neighbour, start } = await service();
    for (let number = 0; number < 1_300; number += 1) joins(`s${number % 7}`, `m${number}`);
    // The topic has kept the last of them only.
    neighbour.topic = neighbour.topic.map((events) => events.slice(-10));
    const { models, rows, projector, isReady } = await start();
    expect(projector.ready()).toHaveLength(1);
    await expect(models.get(groups, 'all')).rejects.toThrow(ReadModelBuilding);
    await waitUntil(isReady);
    joins('s1', 'late', 'later');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual(bySubject(neighbour));
    expect(await models.get(groups, 'all')).toEqual({ size: 1_302 });
    expect(await projector.lag()).toEqual([
      { projection: 'members', version: 1, position: null, behind: 0, group: GROUP, ready: true, progress: 1, stopped: null, parked: 0 },
    ]);
    expect((await projector.verify('members')).differing).toEqual([]);
  });

  it('tells up to where nothing is missing: less than its newest event while a partition lags', async () => {
    const { join: joins, neighbour, start } = await service();
    const { projector, isReady } = await start();
    await waitUntil(isReady);
    joins('a', 'm1');
    joins('b', 'm2');
    await waitUntil(() => neighbour.isDelivered);
    const newest = { position: 4, time: 'T4' };
    expect(await projector.complete('members', { position: 2, time: 'T2' })).toEqual({ position: 2, time: 'T2' });
    neighbour.stalled = 'a'.charCodeAt(0) % 3;
    joins('a', 'm3');
    joins('b', 'm4');
    await waitUntil(() => neighbour.offsets.get(GROUP)!['b'.charCodeAt(0) % 3] === 2);
    expect(await projector.complete('members', newest)).toEqual({ position: 1, time: 'T1' });
    const { lagging } = neighbour;
    neighbour.lagging = () => Promise.reject(new Error('the broker is away'));
    expect((await projector.complete('members', newest)).position).toBeLessThan(2);
    neighbour.lagging = async () => [{ topic: TOPIC, partition: 99, behind: 1 }];
    expect((await projector.complete('members', newest)).position).toBeLessThan(2);
    neighbour.lagging = lagging;
    neighbour.stalled = null;
    neighbour.send([]);
    await waitUntil(() => neighbour.isDelivered);
    expect(await projector.complete('members', newest)).toEqual(newest);
  });

  it('has the effect of each event once, whatever is delivered again, in whichever batches, over restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), fc.nat({ max: 10 }), async (history, begin) => {
        const { join: joins, neighbour, start } = await service();
        let running = history.length === 0 ? await start() : null;
        for (const [number, one] of history.entries()) {
          if (number === begin) running = await start();
          if (one.do === 'join') joins(one.subject, ...one.members);
          if (one.do === 'send') neighbour.send(neighbour.log.slice(-one.count));
          if (one.do === 'rewind') neighbour.rewind(GROUP, one.count);
          if (one.do === 'restart' && running) {
            await running.projector.stop();
            running = await start();
          }
          if (one.do === 'wait' && running) await waitUntil(running.isReady);
        }
        running ??= await start();
        await waitUntil(running.isReady);
        await waitUntil(() => neighbour.isDelivered);
        expect(await running.rows()).toEqual(bySubject(neighbour));
        expect((await running.models.get(groups, 'all'))?.size ?? 0).toBe(neighbour.log.length);
        await endAll();
      }),
      { numRuns: 60 },
    );
  });

  it('goes on from where its catch-up was killed', async () => {
    const { join: joins, neighbour, start } = await service();
    for (let number = 0; number < 1_800; number += 1) joins(`s${number % 7}`, `m${number}`);
    const read = neighbour.published.after.bind(neighbour.published);
    neighbour.published.after = async (source, position, limit) => {
      if (position >= 1_000) throw new Error('identity is away');
      return read(source, position, limit);
    };
    const first = await start();
    await waitUntil(() => first.failures.length > 0);
    expect(first.projector.ready()[0]!.progress).toBeGreaterThan(0.5);
    await first.projector.stop();
    neighbour.published.after = read;
    neighbour.reads = [];
    const { rows, isReady } = await start();
    await waitUntil(isReady);
    expect(neighbour.reads[0]).toBe(1_000);
    expect(await rows()).toEqual(bySubject(neighbour));
  });

  it('is built in a new version beside the old one, and the old one can come back', async () => {
    const { join: joins, neighbour, start } = await service();
    joins('s', 'a', 'b');
    const old = await start();
    await waitUntil(old.isReady);
    const raised = await start({ ...members, version: 2, changes: (event) => [put(lists, (event as Joined).member, { members: [] })] });
    await waitUntil(raised.isReady);
    joins('s', 'c');
    await waitUntil(() => neighbour.isDelivered);
    expect(Object.keys(await raised.rows())).toEqual(['a', 'b', 'c']);
    expect(await old.rows()).toEqual({ s: ['a', 'b', 'c'] });
    await old.projector.stop();
    joins('s', 'd');
    const back = await start();
    await waitUntil(() => neighbour.isDelivered);
    expect(await back.rows()).toEqual({ s: ['a', 'b', 'c', 'd'] });
  });

  it('refuses another number of partitions than it has read, and is built again after a reset', async () => {
    const { join: joins, neighbour, start } = await service();
    joins('s', 'a');
    const first = await start();
    await waitUntil(first.isReady);
    await first.projector.stop();
    neighbour.topic.push([], []);
    const { projector, failures, isReady, rows } = await start();
    await waitUntil(() => failures.length > 0);
    expect(failures).toEqual([{ projection: 'members', error: expect.any(Error), stopped: true }]);
    expect((failures[0]!.error as Error).message).toBe(
      `topic ${TOPIC} has 5 partitions and had 3: run "parlance replay analytics members --reset"`,
    );
    expect((await projector.lag())[0]!.stopped).toContain('has 5 partitions');
    await projector.reset('members');
    await waitUntil(isReady);
    joins('t', 'b');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a'], t: ['b'] });
  });

  it('is built again from the logs when the topic has lost what it had not had', async () => {
    const { join: joins, neighbour, start } = await service();
    joins('s', 'a');
    const first = await start();
    await waitUntil(first.isReady);
    await waitUntil(() => neighbour.isDelivered);
    await first.projector.stop();
    for (let number = 0; number < 20; number += 1) joins('s', `m${number}`);
    neighbour.topic = neighbour.topic.map((events) => events.slice(-2));
    const trimmed = neighbour.subscribe.bind(neighbour);
    let isTrimmed = true;
    neighbour.subscribe = async (following) => {
      if (isTrimmed) void following.onTrimmed();
      isTrimmed = false;
      return trimmed(following);
    };
    const { rows, isReady } = await start();
    await waitUntil(() => !isTrimmed);
    await waitUntil(isReady);
    joins('s', 'last');
    await waitUntil(() => neighbour.isDelivered);
    await waitUntil(isReady);
    expect(await rows()).toEqual(bySubject(neighbour));
  });

  it('is built again also when the database was away as it was told of the loss, and the process ended', async () => {
    const { file, join: joins, neighbour, start } = await service();
    joins('s', 'a');
    const first = await start();
    await waitUntil(first.isReady);
    await waitUntil(() => neighbour.isDelivered);
    await first.projector.stop();
    joins('s', 'lost');
    neighbour.topic = neighbour.topic.map(() => []);
    neighbour.offsets.clear();
    const subscribe = neighbour.subscribe.bind(neighbour);
    const isTaken = Promise.withResolvers<boolean>();
    neighbour.subscribe = async ({ onTrimmed }) => {
      setTimeout(async () => {
        const write = file.write.bind(file);
        file.write = () => Promise.reject(new WriteFailed('the disk is full'));
        isTaken.resolve(
          await onTrimmed().then(
            () => true,
            () => false,
          ),
        );
        file.write = write;
      });
      return { stop: () => Promise.resolve() };
    };
    const second = await start();
    // A broker tells it again, before it delivers anything, unless the first time succeeded.
    const isToldAgain = !(await isTaken.promise);
    await second.projector.stop();
    neighbour.subscribe = async (following) => {
      if (isToldAgain) setTimeout(() => void following.onTrimmed());
      neighbour.subscribe = subscribe;
      return isToldAgain ? { stop: () => Promise.resolve() } : subscribe(following);
    };
    joins('s', 'last');
    const { rows, isReady } = await start();
    await waitUntil(() => neighbour.isDelivered);
    await waitUntil(isReady);
    expect(await rows()).toEqual(bySubject(neighbour));
  });

  it('stops at an event that fails, before it, and goes on after a redrive', async () => {
    const { join: joins, neighbour, start } = await service();
    broken.add('poison');
    const { models, projector, failures, isReady, rows } = await start();
    await waitUntil(isReady);
    joins('s', 'a', 'b', 'poison', 'c');
    await waitUntil(() => failures.length > 0);
    expect(await rows()).toEqual({ s: ['a', 'b'] });
    expect((await projector.lag())[0]!.stopped).toBe('no such member');
    broken.clear();
    await projector.redrive('members');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a', 'b', 'poison', 'c'] });
    expect(await models.get(groups, 'all')).toEqual({ size: 4 });
  });

  it('sets the key of an event that fails aside, in the topic and in the log, and redrives it in order', async () => {
    const { join: joins, neighbour, start } = await service();
    broken.add('poison');
    joins('s', 'a', 'poison', 'b');
    joins('t', 'x');
    const { models, projector, isReady, rows } = await start(parking);
    await waitUntil(isReady);
    joins('s', 'c');
    joins('u', 'poison', 'd');
    joins('t', 'y');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a'], t: ['x', 'y'] });
    expect(await models.parked('members', 9)).toMatchObject([
      { line: '', key: 's', count: 2, reason: 'no such member' },
      { key: 'u', count: 2, reason: 'no such member' },
      { key: 's', count: 1, reason: '' },
    ]);
    expect(await projector.redrive('members')).toEqual({ applied: [], parked: ['s', 'u'] });
    broken.clear();
    expect(await projector.redrive('members', ['s'])).toEqual({ applied: ['s'], parked: [] });
    joins('s', 'e');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a', 'poison', 'b', 'c', 'e'], t: ['x', 'y'] });
    expect(await projector.redrive('members')).toEqual({ applied: ['u'], parked: [] });
    expect(await rows()).toEqual(bySubject(neighbour));
  });

  it('takes nothing of any partition while it is stopped', async () => {
    const { join: joins, neighbour, start } = await service();
    broken.add('poison');
    let handle: Following['handle'] | undefined;
    const subscribe = neighbour.subscribe.bind(neighbour);
    neighbour.subscribe = (following) => subscribe((({ handle } = following), following));
    const { failures, isReady, rows } = await start();
    await waitUntil(isReady);
    joins('s', 'a', 'poison');
    await waitUntil(() => failures.length > 0);
    const event = { id: 'e', type: 'joined', subject: 't', sequence: '9.0', time: 'T9', member: 'b' };
    await expect(handle!([{ topic: TOPIC, partition: 2, event }])).rejects.toThrow(ProjectionStopped);
    expect(await rows()).toEqual({ s: ['a'] });
    broken.clear();
  });

  it('stops when it has set aside too many events of one key', async () => {
    const { join: joins, start } = await service();
    broken.add('poison');
    joins('s', 'poison', ...Array.from({ length: 1_100 }, (_, number) => `m${number}`));
    const { models, failures } = await start(parking);
    await waitUntil(() => failures.length > 0);
    expect(failures[0]!.error).toEqual(new Error('too many events of s are set aside'));
    expect(await models.parked('members', 9)).toMatchObject([{ key: 's', count: 1_000 }]);
    broken.clear();
  });

  it('applies what comes after a redrive of what its catch-up had set aside', async () => {
    const { join: joins, neighbour, start } = await service();
    broken.add('poison');
    joins('s', 'a', 'poison');
    const { projector, isReady, rows } = await start(parking);
    await waitUntil(isReady);
    // Of the same partition, so that the place in it is known to the process.
    joins('v', 'x');
    await waitUntil(() => neighbour.isDelivered);
    broken.clear();
    expect(await projector.redrive('members')).toEqual({ applied: ['s'], parked: [] });
    joins('s', 'b');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a', 'poison', 'b'], v: ['x'] });
  });

  it('goes on within a commit of the log, when its catch-up stopped there', async () => {
    const { join: joins, start } = await service();
    broken.add('poison');
    joins('s', 'a', 'poison', 'b');
    const { projector, failures, isReady, rows } = await start();
    await waitUntil(() => failures.length > 0);
    broken.clear();
    await projector.redrive('members');
    await waitUntil(isReady);
    expect(await rows()).toEqual({ s: ['a', 'poison', 'b'] });
  });

  it('is built again when another process has reset it', async () => {
    const { join: joins, neighbour, start, file } = await service();
    joins('s', 'a');
    const { rows, isReady } = await start();
    await waitUntil(isReady);
    await waitUntil(() => neighbour.isDelivered);
    const other = await openSqliteReadModels(file);
    await other.prepare([members]);
    await other.drop('members');
    await other.prepare([members]);
    joins('s', 'b');
    await waitUntil(() => neighbour.isDelivered);
    await waitUntil(isReady);
    expect(await rows()).toEqual({ s: ['a', 'b'] });
  });

  it('can be told of an event before it is delivered', async () => {
    const { start } = await service();
    const known = foreignProjection<Joined>({
      name: 'members',
      version: 1,
      tables: [lists],
      on: { joined: ({ member }) => [put(lists, member, { members: [] })] },
    });
    const { projector, isReady, rows } = await start(known);
    await waitUntil(isReady);
    await projector.anticipate('members', { id: 'e', type: 'joined', member: 'a' } as never);
    expect(await rows()).toEqual({ a: [] });
  });
});

type Action =
  | { readonly do: 'join'; readonly subject: string; readonly members: readonly string[] }
  | { readonly do: 'send' | 'rewind'; readonly count: number }
  | { readonly do: 'restart' | 'wait' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      subject: fc.constantFrom('r', 's', 't', 'u'),
      members: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('send' as const, 'rewind' as const), count: fc.nat({ max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'wait' as const) }) },
);
