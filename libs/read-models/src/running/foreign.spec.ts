import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { WriteFailed } from '@parlance/sqlite';
import fc from 'fast-check';
import { endAll, waitUntil } from '../../test/accounts.ts';
import { TOPIC } from '../../test/topics.ts';
import { put } from '../changes.ts';
import { ReadModelBuilding } from '../errors.ts';
import { type Joined, groups, lists, members, GROUP, service, bySubject, action } from '../../test/members.ts';

afterEach(endAll);

describe("a projection of other services' events", () => {
  it('that is new in a release sees all history, and continues with what its topics deliver', async () => {
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

  it('does not block the service where it is not awaited, and its rows are refused until they are built', async () => {
    const { join: joins, neighbour, start } = await service();
    for (let number = 0; number < 1_300; number += 1) joins(`s${number % 7}`, `m${number}`);
    neighbour.topic = neighbour.topic.map((events) => events.slice(-10));
    const { models, projector, isReady } = await start({ ...members, isAwaited: false });
    expect([projector.ready(), isReady()]).toEqual([[], true]);
    await expect(models.get(groups, 'all')).rejects.toThrow(ReadModelBuilding);
    await waitUntil(() => models.built('members') === 1);
    expect(await models.get(groups, 'all')).toEqual({ size: 1_300 });
  });

  it('includes in a read what its topics have postponed', async () => {
    const { join: joins, neighbour, start } = await service();
    const subscribe = neighbour.subscribe.bind(neighbour);
    const flush = jest.fn(async () => {
      neighbour.stalled = null;
      neighbour.send([]);
      await waitUntil(() => neighbour.isDelivered);
    });
    neighbour.subscribe = async (following) => ({ ...(await subscribe(following)), flush });
    const { models, projector, isReady } = await start();
    await waitUntil(isReady);
    const reads = [
      async () => (await models.get(groups, 'all'))?.size,
      async () => (await models.getMany(groups, ['all', 'none'])).get('all')?.size,
      async () => (await models.find(groups, { index: 'key', limit: 1 })).rows[0]?.size,
    ];
    for (const [at, size] of reads.entries()) {
      neighbour.stalled = 'a'.charCodeAt(0) % 3;
      joins('a', `m${at}`);
      expect(await size()).toBe(at + 1);
    }
    await projector.stop();
    expect(await reads[0]!()).toBe(3);
    expect(flush).toHaveBeenCalledTimes(3);
  });

  it('reports how far it is complete: not up to its newest event while a partition lags', async () => {
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
    neighbour.lagging = () => Promise.reject(new Error('the broker is unavailable'));
    expect((await projector.complete('members', newest)).position).toBeLessThan(2);
    neighbour.lagging = async () => [{ topic: TOPIC, partition: 99, behind: 1 }];
    expect((await projector.complete('members', newest)).position).toBeLessThan(2);
    neighbour.lagging = lagging;
    neighbour.stalled = null;
    neighbour.send([]);
    await waitUntil(() => neighbour.isDelivered);
    expect(await projector.complete('members', newest)).toEqual(newest);
  });

  it('reports this with one read of the log and without waiting for a write, however many partitions lag', async () => {
    const { file, join: joins, neighbour, start } = await service();
    const { projector, isReady } = await start();
    await waitUntil(isReady);
    for (const subject of ['a', 'b', 'c']) joins(subject, `of-${subject}`);
    await waitUntil(() => neighbour.isDelivered);
    neighbour.lagging = () => Promise.reject(new Error('the broker is unavailable'));
    neighbour.reads = [];
    const writes = jest.spyOn(file, 'write');
    expect(await projector.complete('members', { position: 9, time: 'T9' })).toEqual({ position: 1, time: 'T1' });
    expect([neighbour.reads, writes.mock.calls]).toEqual([[0], []]);
  });

  it('applies each event once, whatever is redelivered, in any batches, across restarts', async () => {
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

  it('continues from where its catch-up was killed', async () => {
    const { join: joins, neighbour, start } = await service();
    for (let number = 0; number < 1_800; number += 1) joins(`s${number % 7}`, `m${number}`);
    const read = neighbour.published.after.bind(neighbour.published);
    neighbour.published.after = async (source, position, limit) => {
      if (position >= 1_000) throw new Error('identity is unavailable');
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

  it('is built in a new version beside the old one, which can still be used again', async () => {
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

  it('stops if the number of partitions has changed, and is built again after a reset', async () => {
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
    expect((await projector.lag())[0]!.stopped).toBeNull();
    await waitUntil(isReady);
    joins('t', 'b');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a'], t: ['b'] });
  });

  it('is rebuilt from the logs when the topic has dropped events that it had not read', async () => {
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

  it('is rebuilt even if the database was unavailable when the loss was reported, and the process ended', async () => {
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
    // A broker repeats the report, before it delivers anything, unless the first one succeeded.
    const isReportedAgain = !(await isTaken.promise);
    await second.projector.stop();
    neighbour.subscribe = async (following) => {
      if (isReportedAgain) setTimeout(() => void following.onTrimmed());
      neighbour.subscribe = subscribe;
      return isReportedAgain ? { stop: () => Promise.resolve() } : subscribe(following);
    };
    joins('s', 'last');
    const { rows, isReady } = await start();
    await waitUntil(() => neighbour.isDelivered);
    await waitUntil(isReady);
    expect(await rows()).toEqual(bySubject(neighbour));
  });
});
