import { describe, expect, it } from '@jest/globals';
import type { ServiceCalls } from '@parlance/calls';
import { refuse } from '@parlance/decider';
import { SubjectNames } from './subject-names.ts';
import type { UserListing } from './user-listing.ts';

const away = refuse('unavailable', 'service_unavailable', 'It does not answer.');

describe('the names of the subjects of a list', () => {
  const titles: object[] = [];
  const namesWhere = (identity: () => Promise<void>, bots: () => Promise<void>) => {
    const persons = async (ids: readonly string[]) => {
      await identity();
      return new Map(ids.map((id) => [id, { user_id: id, first_name: 'Ada', last_name: id, email: '' }]));
    };
    const post = async (_: string, __: string, { bot_ids }: { bot_ids: readonly string[] }) => {
      titles.push(bot_ids);
      await bots();
      return { titles: Object.fromEntries(bot_ids.map((id) => [id, `Bot ${id}`])) };
    };
    return new SubjectNames({ post } as unknown as ServiceCalls, { persons } as unknown as UserListing);
  };

  it('are requested from both services at the same time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const names = namesWhere(
      () => promise,
      async () => resolve(),
    );
    const { user, bot } = await names.known({ users: ['u'], bots: ['b'] });
    expect([[...user], [...bot]]).toEqual([[['u', 'Ada u']], [['b', 'Bot b']]]);
  });

  it('are left out if their service is unavailable, while the names of the other service are present', async () => {
    const names = namesWhere(
      () => Promise.reject(away),
      async () => undefined,
    );
    const { user, bot } = await names.known({ users: ['u'], bots: ['b'] });
    expect([user.size, bot.get('b')]).toEqual([0, 'Bot b']);
  });

  it('are requested in chunks of a thousand', async () => {
    titles.length = 0;
    const ids = Array.from({ length: 1_001 }, (_, index) => `${index}`);
    const { bot } = await namesWhere(
      async () => undefined,
      async () => undefined,
    ).known({ users: [], bots: ids });
    expect([bot.size, titles.map((each) => (each as string[]).length)]).toEqual([1_001, [1_000, 1]]);
  });
});
