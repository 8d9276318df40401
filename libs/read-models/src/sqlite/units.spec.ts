import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FileClosed, openSqliteFile } from '@parlance/sqlite';
import { atEnd, endAll } from '../../test/accounts.ts';
import { heard, others } from '../../test/contract/stage.ts';
import { add, put, update } from '../changes.ts';
import { ChangeRefused } from '../errors.ts';
import type { Change } from '../table.ts';
import { openSqliteReadModels } from './sqlite-read-models.ts';

const none = { name: 'n', count: 0, cost: 0 };
const counted = (key = 'all') => add(others, key, { count: 1 }, none);
const LINES = ['t/0', 't/1', 't/2', 't/3'];

async function partitions() {
  const directory = await mkdtemp(join(tmpdir(), 'units-'));
  atEnd(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'models.db'), { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const models = await openSqliteReadModels(file);
  await models.prepare([heard]);
  const lines = Object.fromEntries(LINES.map((line) => [line, '1.0']));
  await models.apply({ from: await models.progress('heard'), steps: [], reached: 1, lines });
  const records = await Promise.all(LINES.map((line) => models.progress('heard', line)));
  const write = jest.spyOn(file, 'write');
  return {
    file,
    models,
    units: () => write.mock.calls.length,
    /** Moves each partition on, with changes of its own, at the same time. */
    apply: (changesOf: (line: string) => Change[]) =>
      Promise.allSettled(records.map((from) => models.apply({ from, steps: [{ to: '2.0', changes: changesOf(from.line) }] }))),
    count: async (key = 'all') => (await models.get(others, key))?.count,
    places: async () => [...(await models.lines('heard')).values()],
  };
}

const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);

describe('batches of several partitions that wait', () => {
  afterEach(endAll);

  it('are written in one unit of work', async () => {
    const { apply, count, places, units } = await partitions();
    // The time of a unit is not over, however slow the machine is.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const outcomes = await apply(() => [counted()]);
    clock.mockRestore();
    expect(statuses(outcomes)).toEqual(Array(4).fill('fulfilled'));
    expect([units(), await count(), await places()]).toEqual([1, 4, Array(4).fill('2.0')]);
  });

  it('get units of their own if one of them cannot be written', async () => {
    const { apply, count, places } = await partitions();
    const refused = add(others, 'full', { count: 1 }, none);
    const outcomes = await apply((line) => [
      counted(),
      counted(line),
      ...(line === 't/2' ? [put(others, 'full', { ...none, count: Number.MAX_SAFE_INTEGER }), refused] : []),
    ]);
    expect(statuses(outcomes)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[2] as PromiseRejectedResult).reason).toBeInstanceOf(ChangeRefused);
    expect([await count(), await count('t/2'), await count('full')]).toEqual([3, undefined, undefined]);
    expect(await places()).toEqual(['2.0', '2.0', '1.0', '2.0']);
  });

  it('wait for another unit if the time of one is used up', async () => {
    const { apply, count, places, units } = await partitions();
    const slow = update(others, 'all', (row) => {
      for (const until = performance.now() + 6; performance.now() < until;);
      return { ...none, count: (row?.count ?? 0) + 1 };
    });
    expect(statuses(await apply(() => [slow]))).toEqual(Array(4).fill('fulfilled'));
    expect(units()).toBeGreaterThan(1);
    expect([await count(), await places()]).toEqual([4, Array(4).fill('2.0')]);
  });

  it('are all refused by a file that is closed', async () => {
    const { apply, file } = await partitions();
    await file.close();
    // Also those that come after a refused unit.
    for (const outcome of [...(await apply(() => [counted()])), ...(await apply(() => [counted()]))])
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(FileClosed);
  });
});
