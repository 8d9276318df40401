import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { query } from '@parlance/foundation';
import { add, projection, put, remove, table } from '@parlance/read-models';
import { z } from 'zod';
import type { BotEvent } from '../domain/bot.ts';

export const BotRow = z.object({
  id: z.string(),
  owner_user_id: z.string(),
  title: z.string(),
  description: z.string(),
  instruction: z.string(),
  shared_scope: z.enum(['private', 'partial', 'all']),
  status: z.string().describe('Sharing status: unshared, shared or pinned@NNN.'),
  sync_status: z.enum(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED']),
  create_time: z.int().describe('Time in epoch seconds.'),
  version: z.int().describe('Version number, starting at 1. In quotes it is the ETag.'),
});
export type BotRow = z.infer<typeof BotRow>;

/** How many bots went with an owner who is erased: for the receipt, however often it is asked for. */
interface ErasedBotsRow {
  user_id: string;
  bots: number;
}

export const botRows = table<BotRow>('bots', { byOwner: ['owner_user_id'] });
export const erasedBotsRows = table<ErasedBotsRow>('erased_bots');

export const bots = projection<BotEvent>({
  name: 'bots',
  version: 2,
  tables: [botRows, erasedBotsRows],
  on: {
    BotCreated: (event, { stream, version, metadata }) => [
      put(botRows, idInStream(stream), {
        id: idInStream(stream),
        owner_user_id: event.ownerUserId,
        title: event.title,
        description: event.description,
        instruction: event.instruction,
        shared_scope: 'private',
        status: 'unshared',
        sync_status: 'SUCCEEDED',
        create_time: Instant.toSeconds(metadata.at),
        version,
      }),
    ],
    BotDeleted: (_, { stream }) => [remove(botRows, idInStream(stream))],
    BotDeletedWithOwner: (event, { stream }) => [
      remove(botRows, idInStream(stream)),
      add(erasedBotsRows, event.ownerUserId, { bots: 1 }, { user_id: event.ownerUserId }),
    ],
  },
});

/** The bot, if this user may see it: what may not be seen is as absent as what never was. */
export const BotSeenBy = query('BotSeenBy', async (models, botId: string, userId: string): Promise<BotRow | null> => {
  const row = await models.get(botRows, botId);
  return row && row.owner_user_id === userId ? row : null;
});
