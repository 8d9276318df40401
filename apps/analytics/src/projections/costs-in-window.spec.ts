import { describe, expect, it, jest } from '@jest/globals';
import type { Query, ReadModels } from '@parlance/read-models';
import { costsOfAll, KeptDays } from './costs-in-window.ts';

/** Days with two rows each, and how often one was read. */
function storedDays() {
  let reads = 0;
  const rows = ['large', 'small'].map((model) => ({ id: 'ann', model, nano_dollars: 3 }));
  const models = { find: async () => ((reads += 1), { rows, next: null }) } as unknown as ReadModels;
  return { models, reads: () => reads };
}

describe('the costs of days that were read before', () => {
  it('are not read again while the day has no further change', async () => {
    const { models, reads } = storedDays();
    const days = new KeptDays();
    for (let nth = 0; nth < 3; nth++)
      expect(await days.costsOf(models, 'user', '2026-11-21', 2)).toMatchObject({ ids: ['ann'], nanoDollars: Float64Array.of(6) });
    expect(reads()).toBe(1);
  });
  it('are read again after a change, and of each day and scope', async () => {
    const { models, reads } = storedDays();
    const days = new KeptDays();
    await days.costsOf(models, 'user', '2026-11-21', 2);
    await days.costsOf(models, 'user', '2026-11-21', 3);
    await days.costsOf(models, 'bot', '2026-11-21', 3);
    await days.costsOf(models, 'user', '2026-11-22', 3);
    expect(reads()).toBe(4);
  });
  it('are read again after some time, because a rebuild leaves the number of changes', async () => {
    const { models, reads } = storedDays();
    const days = new KeptDays(10, 0);
    for (let nth = 0; nth < 2; nth++) await days.costsOf(models, 'user', '2026-11-21', 2);
    expect(reads()).toBe(2);
  });
  it('are read again each time for a month whose days are gone', async () => {
    const { models, reads } = storedDays();
    const days = new KeptDays();
    for (let nth = 0; nth < 2; nth++) await days.costsOf(models, 'user', '2024-11');
    expect(reads()).toBe(2);
  });
  it('count an ID once that is charged between two pages of a month', async () => {
    const pages = [
      { rows: [{ id: 'ann', model: '', nano_dollars: 9 }], next: ['9', 'ann'] },
      { rows: [{ id: 'ann', model: '', nano_dollars: 10 }], next: null },
    ];
    const models = { find: async () => pages.shift()! } as unknown as ReadModels;
    expect(await new KeptDays().costsOf(models, 'user', '2026-11', 1)).toMatchObject({ ids: ['ann'], nanoDollars: Float64Array.of(10) });
  });
  it('are forgotten when there are too many', async () => {
    const { models, reads } = storedDays();
    const days = new KeptDays(2);
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-21']) await days.costsOf(models, 'user', day, 1);
    expect(reads()).toBe(4);
  });
});

describe('the costs of a long window', () => {
  it('are read again for the periods that have changed, not for the other months and days', async () => {
    let dayChanges = 2;
    const read: string[] = [];
    const changes = () => [
      { day: '2026-10-31', changes: 1 },
      { day: '2026-11-05', changes: 4 },
      { day: '2026-12-01', changes: dayChanges },
    ];
    const models = {
      find: async (_: object, { index, where, from = '', to = '' }: Query) => {
        if (index === 'ofOne') return { rows: changes().filter(({ day }) => day >= from && day <= to), next: null };
        read.push(String(where!['day'] ?? where!['month']));
        return { rows: [{ id: 'ann', nano_dollars: 3 }], next: null };
      },
    } as unknown as ReadModels;
    const days = new KeptDays();
    const costs = () => costsOfAll(models, days, 'user', { from: '2026-10-31T00', to: '2026-12-01T23' });
    expect(await costs()).toEqual(new Map([['ann', 9]]));
    expect(read.splice(0)).toEqual(['2026-10-31', '2026-11', '2026-12-01']);
    dayChanges = 3;
    expect(await costs()).toEqual(new Map([['ann', 9]]));
    expect(read).toEqual(['2026-12-01']);
  });
  it('are added up in turns of the event loop', async () => {
    const all = Array.from({ length: 28 }, (_, nth) => ({ day: `2026-11-${String(nth + 2).padStart(2, '0')}`, changes: 1 }));
    const models = {
      find: async (_: object, { index }: Query) => ({ rows: index === 'ofOne' ? all : [{ id: 'ann', nano_dollars: 1 }], next: null }),
    } as unknown as ReadModels;
    const [days, window] = [new KeptDays(), { from: '2026-11-02T00', to: '2026-11-29T23' }];
    await costsOfAll(models, days, 'user', window);
    // Each day takes a millisecond.
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 0.5));
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const costs = await costsOfAll(models, days, 'user', window);
    clearImmediate(next);
    expect(costs).toEqual(new Map([['ann', 28]]));
    expect(turns).toBeGreaterThanOrEqual(6);
  });
});
