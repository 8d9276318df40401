import { describe, expect, it } from '@jest/globals';
import { plan } from '../query.ts';
import type { Query } from '../read-models.ts';
import type { Table } from '../table.ts';
import { filtersOf } from './documents.ts';

const members: Table = { name: 'members', indexes: { due: ['due'], owned: ['owner', 'at'] } };
const filters = (query: Omit<Query, 'limit'>) => {
  const planned = plan(members, { ...query, limit: 10 });
  return planned.stretches.flatMap((stretch) => filtersOf(planned, stretch));
};

describe('the filter of a query in MongoDB', () => {
  it('has a lower limit wherever it has an upper one, which is exclusive', () => {
    expect(filters({ index: 'due', to: 'b' })).toEqual([{ 'r.due': { $gte: '', $lt: 'b\u0000' } }]);
    expect(filters({ index: 'owned', where: { owner: 'o' }, from: -2, to: -1 })).toEqual([
      { 'r.owner': 'o', 'r.at': { $gte: -2, $lt: -0.999_999_999_999_999_9 } },
    ]);
    expect(filters({ index: 'due', to: 0 })).toEqual([{ 'r.due': { $gte: -Infinity, $lt: Number.MIN_VALUE } }]);
    expect(filters({ index: 'due', to: false })).toEqual([{ 'r.due': { $gte: false, $lt: true } }]);
  });
  it('is one for each type that may follow the last row of a page, in their order', () => {
    expect(filters({ index: 'due', after: ['b', 'k'] })).toEqual([
      { 'r.due': 'b', _id: { $gt: 'k' } },
      { 'r.due': { $gt: 'b' } },
      { 'r.due': { $gte: false } },
    ]);
    expect(filters({ index: 'due', after: ['b', 'k'], order: 'desc' })).toEqual([
      { 'r.due': 'b', _id: { $gte: '', $lt: 'k' } },
      { 'r.due': { $gte: '', $lt: 'b' } },
      { 'r.due': { $gte: -Infinity } },
      { 'r.due': null },
    ]);
  });
});
