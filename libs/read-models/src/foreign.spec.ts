import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { add, update } from './changes.ts';
import { OtherVersion } from './errors.ts';
import { applyForeign, applyOnce } from './foreign.ts';
import { type ForeignEvent, foreignProjection, type ForeignProjection } from './projection.ts';
import { Projector } from './projector.ts';
import { type ReadModels, table } from './read-models.ts';
import { openSqliteReadModels } from './sqlite.ts';

interface Joined extends ForeignEvent {
  readonly type: 'member-joined';
  readonly group: string;
  readonly member: string;
}

interface Group {
  readonly size: number;
}

const groups = table<Group>('groups');
const lists = table<{ members: readonly string[] }>('lists');
const members = foreignProjection<Joined>({
  name: 'members',
  version: 1,
  tables: [groups, lists],
  on: {
    'member-joined': ({ group, member }) => [
      add(groups, group, { size: 1 }, {}),
      update(lists, group, (row) => ({ members: [...(row?.members ?? []), member] })),
    ],
  },
});

function joined(number: number): Joined {
  return { id: `event-${number}`, type: 'member-joined', group: `g${number % 2}`, member: `m${number}` };
}

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A service that has heard some events, and a topic that has them (one of them twice, as a relay may send it). */
async function service(projection: ForeignProjection = members, topic: ForeignEvent[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'foreign-'));
  endings.push(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'service.db'));
  endings.push(() => file.close());
  const store = await openSqliteEventStore(file);
  const models = await openSqliteReadModels(file);
  const replay = async (handle: (event: ForeignEvent) => Promise<void>) => {
    for (const event of topic.slice()) await handle(event);
  };
  const start = async (version: ForeignProjection = projection, source = replay) => {
    const projector = new Projector({
      store,
      models,
      projections: [],
      foreign: [{ projection: version, replay: source }],
      onError: () => undefined,
    });
    endings.push(() => projector.stop());
    await projector.start();
    return projector;
  };
  return { models, file, topic, replay, start, projector: await start() };
}

async function hear(models: ReadModels, topic: ForeignEvent[], event: ForeignEvent): Promise<boolean> {
  topic.push(event);
  return applyForeign(models, members, event);
}

describe("a projection of other services' events", () => {
  it('has the effect of each delivery once, whatever comes again and at the same time', async () => {
    const { models, topic } = await service();
    const deliveries = Array.from({ length: 40 }, (_, number) => hear(models, topic, joined(number % 20)));
    expect((await Promise.all(deliveries)).filter((fresh) => fresh)).toHaveLength(20);
    expect(await models.get(groups, 'g0')).toEqual({ size: 10 });
    expect((await models.get(lists, 'g1'))?.members.toSorted()).toEqual(
      Array.from({ length: 10 }, (_, half) => `m${half * 2 + 1}`).toSorted(),
    );
  });

  it('takes changes that a policy made up itself', async () => {
    const { models } = await service();
    const change = () => [add(groups, 'g', { size: 3 }, {})];
    expect([await applyOnce(models, members, '1', change), await applyOnce(models, members, '1', change)]).toEqual([true, false]);
    expect(await models.get(groups, 'g')).toEqual({ size: 3 });
  });

  it('is rebuilt from its topics, and what differs is named', async () => {
    const { models, topic, file, projector } = await service();
    for (let number = 0; number < 30; number += 1) await hear(models, topic, joined(number));
    topic.push(joined(3));
    expect(await projector.rebuild('members')).toEqual({ rows: 4, differing: [] });
    await file.write([{ sql: `UPDATE "groups@2" SET row = '{"size":99}' WHERE key = 'g1'`, expect: 1 }]);
    expect(await projector.rebuild('members')).toEqual({ rows: 4, differing: ['groups/g1'] });
    expect(await models.get(groups, 'g1')).toEqual({ size: 15 });
    expect(await hear(models, topic, joined(3))).toBe(false);
  });

  it('misses and doubles nothing that is delivered while it is rebuilt', async () => {
    const { models, topic, projector } = await service();
    for (let number = 0; number < 200; number += 1) await hear(models, topic, joined(number));
    const progress = { over: false };
    const rebuilt = projector.rebuild('members').finally(() => (progress.over = true));
    let number = 200;
    for (; !progress.over; number += 1) await hear(models, topic, joined(number));
    expect(await rebuilt).toMatchObject({ differing: [] });
    const [even, odd] = [await models.get(lists, 'g0'), await models.get(lists, 'g1')];
    expect([...even!.members, ...odd!.members].toSorted()).toEqual(topic.map((event) => (event as Joined).member).toSorted());
    expect(even!.members).toEqual(topic.filter((event) => (event as Joined).group === 'g0').map((event) => (event as Joined).member));
    expect((await models.get(groups, 'g0'))!.size + (await models.get(groups, 'g1'))!.size).toBe(number);
  });

  it('leaves the living rows as they were when the topic can not be read to its end', async () => {
    const { models, topic, start, replay } = await service();
    await hear(models, topic, joined(1));
    const broken = await start(members, async (handle) => {
      await replay(handle);
      throw new Error('the broker is away');
    });
    await expect(broken.rebuild('members')).rejects.toThrow('the broker is away');
    expect(await models.get(groups, 'g1')).toEqual({ size: 1 });
    expect(await hear(models, topic, joined(2))).toBe(true);
  });

  it('follows a new version, and refuses deliveries to the wrong one until then', async () => {
    const { models, topic, start } = await service();
    await hear(models, topic, joined(1));
    const double = foreignProjection<Joined>({
      ...members,
      version: 2,
      on: { 'member-joined': ({ group }) => [add(groups, group, { size: 2 }, {})] },
    });
    await expect(applyForeign(models, double, joined(2))).rejects.toThrow(OtherVersion);
    await (await start(double)).upgraded();
    expect(await models.get(groups, 'g1')).toEqual({ size: 2 });
    await expect(applyForeign(models, members, joined(2))).rejects.toThrow(OtherVersion);
    expect(await applyForeign(models, double, joined(3))).toBe(true);
    expect(await models.get(groups, 'g1')).toEqual({ size: 4 });
  });
});
