import { describe, expect, it } from '@jest/globals';
import type { ReadModels } from '@parlance/read-models';
import { PRIVATE } from '../domain/sharing.ts';
import { type BotRow, botRows, WholeBot } from './bots.ts';

describe('reading a bot with its content', () => {
  it('does not read the content of a bot that the user may not see', async () => {
    const { scope: shared_scope, userIds: allowed_user_ids } = PRIVATE;
    const row = { id: 'b1', owner_user_id: 'ann', shared_scope, allowed_user_ids } as Partial<BotRow>;
    const read: unknown[] = [];
    const get = async (table: unknown) => {
      read.push(table);
      return table === botRows ? row : null;
    };
    expect(await WholeBot.find({ get } as unknown as ReadModels, 'b1', { userId: 'eve', groups: [] })).toBeNull();
    expect(read).toEqual([botRows]);
  });
});
