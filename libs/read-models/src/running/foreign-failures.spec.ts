import { afterEach, describe, expect, it } from '@jest/globals';
import { endAll, waitUntil } from '../../test/accounts.ts';
import { TOPIC } from '../../test/topics.ts';
import { put } from '../changes.ts';
import { ProjectionStopped } from '../errors.ts';
import { foreignProjection } from '../projection.ts';
import type { Following } from '../published.ts';
import { openSqliteReadModels } from '../sqlite/sqlite-read-models.ts';
import { type Joined, groups, lists, broken, members, parking, service, bySubject } from '../../test/members.ts';

afterEach(endAll);

describe("a projection of other services' events", () => {
  it('misses no event that was trimmed after a kill at the end of its catch-up, before the broker knew its group', async () => {
    const { join: joins, neighbour, start } = await service();
    joins('s', 'a');
    const subscribe = neighbour.subscribe.bind(neighbour);
    const killed = Promise.withResolvers<void>();
    neighbour.subscribe = async () => {
      killed.resolve();
      throw new Error('killed');
    };
    const { projector } = await start();
    await killed.promise;
    await projector.stop();
    joins('s', 'b');
    joins('t', 'c');
    // All other groups have read them.
    neighbour.topic = neighbour.topic.map(() => []);
    neighbour.subscribe = subscribe;
    const { rows, isReady } = await start();
    joins('s', 'd');
    await waitUntil(() => isReady() && neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a', 'b', 'd'], t: ['c'] });
  });

  it('refuses deliveries and reports of trimmed events until the end of its catch-up is recorded', async () => {
    const { join: joins, neighbour, start } = await service();
    joins('s', 'a');
    const subscribe = neighbour.subscribe.bind(neighbour);
    const early: unknown[] = [];
    neighbour.subscribe = async (following) => {
      const event = { id: 'e', type: 'joined', subject: 's', sequence: '9.0', time: 'T9', member: 'b' };
      const tries = [following.handle([{ topic: TOPIC, partition: 0, event }]), following.onTrimmed()];
      early.push(...(await Promise.allSettled(tries)).map((one) => one.status === 'rejected' && (one.reason as Error).message));
      return subscribe(following);
    };
    const { rows, isReady, failures } = await start();
    await waitUntil(() => isReady() && neighbour.isDelivered);
    expect(early).toEqual(Array(2).fill('read model members is still being built'));
    expect(failures).toEqual([]);
    expect(await rows()).toEqual({ s: ['a'] });
  });

  it('stops before an event that fails, and continues after a redrive', async () => {
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

  it('sets aside the key of an event that fails, in the topic and in the log, and redrives it in order', async () => {
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

  it('accepts nothing from any partition while it is stopped', async () => {
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

  it('applies later events after a redrive of those that its catch-up had set aside', async () => {
    const { join: joins, neighbour, start } = await service();
    broken.add('poison');
    joins('s', 'a', 'poison');
    const { projector, isReady, rows } = await start(parking);
    await waitUntil(isReady);
    // An event of the same partition, so that the process knows its offset there.
    joins('v', 'x');
    await waitUntil(() => neighbour.isDelivered);
    broken.clear();
    expect(await projector.redrive('members')).toEqual({ applied: ['s'], parked: [] });
    joins('s', 'b');
    await waitUntil(() => neighbour.isDelivered);
    expect(await rows()).toEqual({ s: ['a', 'poison', 'b'], v: ['x'] });
  });

  it('continues in the middle of a commit if its catch-up stopped there', async () => {
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

  it('is built again after another process has reset it', async () => {
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

  it('can be waited for, including an event that is not delivered yet', async () => {
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
