import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Instant, LONGEST_LEASE_MILLIS } from '@parlance/decider';
import { projection, put, table } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { findUnleased } from './unleased.ts';

interface Work {
  readonly owed: 0 | 1;
  readonly due: number;
}

const now = Instant.ofSeconds(1_750_000_000);
const works = table<Work>('works', { byDue: ['owed', 'due'] });
const projected = projection({ name: 'works', version: 1, tables: [works], on: {} });

it('finds work whose lease has ended, and then work with a lease that is longer than any', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'unleased-'));
  const file = await openSqliteFile(join(directory, 'rows.db'));
  const models = await openSqliteReadModels(file);
  await models.prepare([projected]);
  const offsets = [1, -1, 0, LONGEST_LEASE_MILLIS, LONGEST_LEASE_MILLIS + 1];
  const changes = offsets.map((offset) => put(works, String(offset), { owed: 1, due: now + offset }));
  const from = await models.progress('works');
  await models.apply({ from, steps: [{ changes: [...changes, put(works, 'done', { owed: 0, due: 0 })] }], reached: 1 });
  const find = async (limit: number) =>
    (await findUnleased(models, works, { index: 'byDue', where: { owed: 1 }, limit }, now)).rows.map(({ due }) => due - now);
  expect(await find(10)).toEqual([-1, 0, LONGEST_LEASE_MILLIS + 1]);
  expect(await find(2)).toEqual([-1, 0]);
  await file.close();
  await rm(directory, { recursive: true });
});
