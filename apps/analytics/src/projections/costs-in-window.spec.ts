import { describe, expect, it } from '@jest/globals';
import type { ReadModels } from '@parlance/read-models';
import { KeptDays } from './costs-in-window.ts';

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
  it('are forgotten when there are too many', async () => {
    const { models, reads } = storedDays();
    const days = new KeptDays(2);
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-21']) await days.costsOf(models, 'user', day, 1);
    expect(reads()).toBe(4);
  });
});
