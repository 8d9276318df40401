import { describe, expect, it } from '@jest/globals';
import type { Query, ReadModels, Table } from '@parlance/read-models';
import { KeptFigures } from './kept-figures.ts';

const AMOUNTS = { nano_dollars: 6, corrections: 2, input_tokens: 10, output_tokens: 4 };

/** Periods with two rows each, and how often each was read. */
function stored() {
  let reads = 0;
  const { conversations, ...row } = { nano_dollars: 3, corrections: 1, input_tokens: 5, output_tokens: 2, conversations: 1 };
  const days = [
    { id: 'ann', ...row, conversations },
    { id: 'ann', ...row },
  ];
  const hours = ['large', 'small'].map((model) => ({ user_id: 'ann', bot_id: 'guide', model, ...row }));
  let generation = 0;
  const models = {
    find: async ({ name }: Table) => ((reads += 1), { rows: name === 'usage_hours' ? hours : days, next: null }),
    generation: () => generation,
  } as unknown as ReadModels;
  return { models, reads: () => reads, rebuild: () => (generation += 1) };
}

async function figuresOf(kept: KeptFigures, ...asked: Parameters<KeptFigures['of']>) {
  const sums = kept.sums();
  sums.add(await kept.of(...asked));
  return Object.fromEntries(sums.of(['ann', 'guide']));
}

describe('figures of periods that were read before', () => {
  it('are not read again while the day does not change', async () => {
    const { models, reads } = stored();
    const kept = new KeptFigures();
    for (let index = 0; index < 3; index++) expect(await figuresOf(kept, models, 'user', '2026-11-21', 2)).toEqual({ ann: AMOUNTS });
    expect(reads()).toBe(1);
  });
  it('are read again after a change, for each day and scope', async () => {
    const { models, reads } = stored();
    const kept = new KeptFigures();
    await kept.of(models, 'user', '2026-11-21', 2);
    await kept.of(models, 'user', '2026-11-21', 3);
    await kept.of(models, 'bot', '2026-11-21', 3);
    await kept.of(models, 'user', '2026-11-22', 3);
    expect(reads()).toBe(4);
  });
  it('are read again after a rebuild', async () => {
    const { models, reads, rebuild } = stored();
    const kept = new KeptFigures();
    await kept.of(models, 'user', '2026-11-21', 2);
    rebuild();
    for (let index = 0; index < 2; index++) await kept.of(models, 'user', '2026-11-21', 2);
    expect(reads()).toBe(2);
  });
  it('are read again after some time, because a reset can leave the same number of changes', async () => {
    const { models, reads } = stored();
    const kept = new KeptFigures(10, 0);
    for (let index = 0; index < 2; index++) await kept.of(models, 'user', '2026-11-21', 2);
    expect(reads()).toBe(2);
  });
  it('are read again each time for a month whose days are removed', async () => {
    const { models, reads } = stored();
    const kept = new KeptFigures();
    for (let index = 0; index < 2; index++) await kept.of(models, 'user', '2024-11');
    expect(reads()).toBe(2);
  });
  it('count an ID once if it is charged between two pages of a month', async () => {
    const pages = [
      { rows: [{ id: 'ann', model: '', nano_dollars: 9 }], next: ['9', 'ann'] },
      { rows: [{ id: 'ann', model: '', nano_dollars: 10 }], next: null },
    ];
    const models = { find: async () => pages.shift()!, generation: () => 0 } as unknown as ReadModels;
    expect(await figuresOf(new KeptFigures(), models, 'user', '2026-11', 1)).toMatchObject({ ann: { nano_dollars: 10 } });
  });
  it('cover the users or the bots of hours, for the newest sixteen stretches', async () => {
    const { models, reads } = stored();
    const kept = new KeptFigures();
    const until = (hour: number) => ({ from: '2026-11-21T03', to: `2026-11-21T${String(hour).padStart(2, '0')}` });
    expect(await figuresOf(kept, models, 'user', until(4), 7)).toEqual({ ann: AMOUNTS });
    expect(await figuresOf(kept, models, 'bot', until(4), 7)).toEqual({ guide: AMOUNTS });
    await kept.of(models, 'user', until(4), 7);
    expect(reads()).toBe(2);
    await kept.of(models, 'user', until(4), 8);
    expect(reads()).toBe(3);
    for (let hour = 5; hour < 20; hour++) await kept.of(models, 'user', until(hour), 8);
    await kept.of(models, 'user', until(4), 8);
    expect(reads()).toBe(18);
    await kept.of(models, 'user', until(20), 8);
    await kept.of(models, 'user', until(4), 8);
    expect(reads()).toBe(20);
  });
  it('are forgotten when there are too many', async () => {
    const { models, reads } = stored();
    const kept = new KeptFigures(2);
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-21']) await kept.of(models, 'user', day, 1);
    expect(reads()).toBe(4);
  });
  it('are forgotten when there are too many IDs, including those of periods that were not kept', async () => {
    let reads = 0;
    const models = {
      find: async () => ({ rows: [{ id: `user-${(reads += 1)}`, nano_dollars: 1 }], next: null }),
      generation: () => 0,
    } as unknown as ReadModels;
    const kept = new KeptFigures(2);
    for (let index = 0; index < 2; index++) await kept.of(models, 'user', '2024-11');
    for (let index = 0; index < 2; index++) await kept.of(models, 'user', '2026-11-21', 1);
    expect(reads).toBe(4);
    await kept.of(models, 'user', '2026-11-21', 1);
    expect(reads).toBe(4);
  });
  it('are added up with newly read ones after all others were forgotten', async () => {
    // On each day other users come first, so each of them has another number afterwards.
    const usersOf = (day: string) => (day === '2026-11-21' ? ['ann', 'ben'] : ['cid', 'ben', 'ann']);
    const models = {
      find: async (_: object, { where }: Query) => ({
        rows: usersOf(String(where!['day'])).map((id) => ({ id, nano_dollars: id === 'ann' ? 1 : 10 })),
        next: null,
      }),
      generation: () => 0,
    } as unknown as ReadModels;
    const kept = new KeptFigures(2);
    const sums = kept.sums();
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23']) sums.add(await kept.of(models, 'user', day, 1));
    expect(sums.each('nano_dollars')).toEqual(
      new Map([
        ['ann', 3],
        ['ben', 30],
        ['cid', 20],
      ]),
    );
  });
  it('are complete for more IDs than the initial capacity', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `user-${index}`);
    const rows = ids.map((id) => ({ id, nano_dollars: 2 }));
    const models = { find: async () => ({ rows, next: null }), generation: () => 0 } as unknown as ReadModels;
    const kept = new KeptFigures();
    const sums = kept.sums();
    for (const day of ['2026-11-21', '2026-11-22']) sums.add(await kept.of(models, 'user', day, 1));
    expect(sums.each('nano_dollars')).toEqual(new Map(ids.map((id) => [id, 4])));
  });
});
