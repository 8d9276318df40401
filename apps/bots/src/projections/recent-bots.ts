import type { ConversationImported, MessageSubmitted, UserErased } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { type Change, foreignProjection, put, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';

/** A recently used bot stays listed until its user has used this many others. */
export const MOST_RECENT = 100;

/** When a user last used each bot, in epoch seconds. The most recent ones only. */
interface RecentRow {
  user_id: string;
  bots: Readonly<Record<string, number>>;
  erased: boolean;
}

const recentRows = table<RecentRow>('recent_bots');

type Received =
  | CloudEvent<MessageSubmitted, 'parlance.inference.message-submitted.v1'>
  | CloudEvent<ConversationImported, 'parlance.inference.conversation-imported.v1'>
  | CloudEvent<UserErased, 'parlance.identity.user-erased.v1'>;

/** The order of the events makes no difference to the rows. */
export const recentBots = foreignProjection<Received>({
  name: 'recent-bots',
  version: 3,
  tables: [recentRows],
  on: {
    'parlance.inference.message-submitted.v1': ({ time, data: { bot_id, user_id, api_id } }) => {
      // A program's message belongs to the owner of the bot, who did not use the bot.
      if (bot_id === null || api_id !== undefined) return [];
      return [usedAt(time, user_id, bot_id)];
    },
    'parlance.inference.conversation-imported.v1': ({ data: { bot_id, user_id, messages, used_at } }) =>
      // An import without messages came from a program too.
      bot_id === null || messages === 0 ? [] : [usedAt(used_at, user_id, bot_id)],
    'parlance.identity.user-erased.v1': ({ data: { user_id } }) => [put(recentRows, user_id, { user_id, bots: {}, erased: true })],
  },
});

function usedAt(time: string, user_id: string, botId: string): Change {
  const at = Instant.toSeconds(Instant.parse(time));
  return update(recentRows, user_id, (row) => (row?.erased ? row : { user_id, bots: used(row?.bots ?? {}, botId, at), erased: false }));
}

function used(bots: RecentRow['bots'], botId: string, at: number): RecentRow['bots'] {
  const all = { ...bots, [botId]: Math.max(at, bots[botId] ?? 0) };
  return Object.fromEntries(mostRecentFirst(all).slice(0, MOST_RECENT));
}

const mostRecentFirst = (bots: RecentRow['bots']) =>
  Object.entries(bots).sort(([one, oneAt], [other, otherAt]) => otherAt - oneAt || (one < other ? 1 : -1));

/** When a user last used each bot, in epoch seconds; most recently used first. */
export const RecentUsesOf = query('RecentUsesOf', async (models, userId: string): Promise<ReadonlyMap<string, number>> => {
  const row = await models.get(recentRows, userId);
  return new Map(mostRecentFirst(row?.bots ?? {}));
});
