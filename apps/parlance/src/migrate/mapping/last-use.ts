import type { SourceRecord } from '../source/records.ts';
import type { Note } from './note.ts';
import { millisOf } from './times.ts';

/**
 * A user's last use of a bot is imported with the user's conversations with it. Returns null if the export has such a conversation, or if the
 * bot was never used: the source records the creation as a use.
 */
export function lastUseLost({ kind, item }: SourceRecord, hasConversation: boolean): Note | null {
  const used = millisOf(item['LastUsedTime'] ?? item['LastBotUsed']);
  if (used === null || hasConversation || (kind === 'bot' && used === millisOf(item['CreateTime']))) return null;
  const at = new Date(used).toISOString();
  return { reason: 'last_used_time_not_taken', detail: `${at}: the export has no conversation of the user with the bot.` };
}
