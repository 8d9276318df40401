import { describe, expect, it } from '@jest/globals';
import type { Cursor, Query, ReadModels } from '@parlance/read-models';
import { builtInGroups } from '../domain/groups.ts';
import { AllGroups, type GroupRow } from './groups.ts';

const nameOf = (index: number) => `team ${String(index).padStart(5, '0')}`;
const stored = Array.from({ length: 12_000 }, (_, index): GroupRow => ({ name: nameOf(index), built_in: false, create_time: 0 }));
const limits: number[] = [];
// Pages end early where their rows are large.
const find = async (_: unknown, { limit, after }: Query & { readonly after?: Cursor }) => {
  limits.push(limit);
  const from = after ? stored.findIndex(({ name }) => name > String(after[0])) : 0;
  const rows = stored.slice(from, from + Math.min(limit, 700));
  return { rows, keys: [], next: from + rows.length < stored.length ? [rows.at(-1)!.name] : null };
};
const models = { find } as unknown as ReadModels;

describe('all groups', () => {
  it('include every one of many thousands, which are read a thousand at a time', async () => {
    const names = (await AllGroups.find(models, '')).map(({ name }) => name);
    expect(names).toEqual([...builtInGroups, ...stored.map(({ name }) => name)].toSorted());
    expect(Math.max(...limits)).toBeLessThanOrEqual(1_000);
  });
  it('are found by a prefix in any case, however late they come', async () => {
    expect((await AllGroups.find(models, 'TEAM 1199')).map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => nameOf(11_990 + index)),
    );
  });
});
