import type { GlobalModel } from '@parlance/client/types';
import { untilOffered } from './until-offered.ts';

const offering = (...models: readonly Partial<GlobalModel>[]) => ({ global_available_models: models as GlobalModel[] });

describe('a new model', () => {
  it('is waited for until every replica offers it', async () => {
    const answers = [offering(), offering({ id: 'new', available: false }), offering({ id: 'new', available: true })];
    const isOffered = await untilOffered(
      'new',
      async () => answers.shift()!,
      async () => undefined,
    );
    expect([isOffered, answers.length]).toEqual([true, 0]);
  });
  it('is not waited for without end', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return offering();
    };
    expect(await untilOffered('new', read, async () => undefined)).toBe(false);
    expect(reads).toBeLessThan(20);
  });
});
