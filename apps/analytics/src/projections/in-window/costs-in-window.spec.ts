import { describe, expect, it, jest } from '@jest/globals';
import type { Query, ReadModels } from '@parlance/read-models';
import { costsOfAll } from './costs-in-window.ts';
import { KeptFigures } from './kept-figures.ts';

describe('the costs of a long window', () => {
  it('are read again for the changed periods only, not for the other months and days', async () => {
    let dayChanges = 2;
    const read: string[] = [];
    const changes = () => [
      { day: '2026-10-31', changes: 1 },
      { day: '2026-11-05', changes: 4 },
      { day: '2026-12-01', changes: dayChanges },
    ];
    const models = {
      generation: () => 0,
      find: async (_: object, { index, where, from = '', to = '' }: Query) => {
        if (index === 'ofOne') return { rows: changes().filter(({ day }) => day >= from && day <= to), next: null };
        read.push(String(where!['day'] ?? where!['month']));
        return { rows: [{ id: 'ann', nano_dollars: 3 }], next: null };
      },
    } as unknown as ReadModels;
    const kept = new KeptFigures();
    const costs = () => costsOfAll(models, kept, 'user', { from: '2026-10-31T00', to: '2026-12-01T23' });
    expect(await costs()).toEqual(new Map([['ann', 9]]));
    expect(read.splice(0)).toEqual(['2026-10-31', '2026-11', '2026-12-01']);
    dayChanges = 3;
    expect(await costs()).toEqual(new Map([['ann', 9]]));
    expect(read).toEqual(['2026-12-01']);
  });
  it('are summed in slices, between which the event loop runs', async () => {
    const all = Array.from({ length: 28 }, (_, index) => ({ day: `2026-11-${String(index + 2).padStart(2, '0')}`, changes: 1 }));
    const models = {
      generation: () => 0,
      find: async (_: object, { index }: Query) => ({ rows: index === 'ofOne' ? all : [{ id: 'ann', nano_dollars: 1 }], next: null }),
    } as unknown as ReadModels;
    const [kept, window] = [new KeptFigures(), { from: '2026-11-02T00', to: '2026-11-29T23' }];
    await costsOfAll(models, kept, 'user', window);
    // Each day takes a millisecond.
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 0.5));
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const costs = await costsOfAll(models, kept, 'user', window);
    clearImmediate(next);
    expect(costs).toEqual(new Map([['ann', 28]]));
    expect(turns).toBeGreaterThanOrEqual(6);
  });
});
