import { Instant } from '@parlance/decider';
import { findUnleased } from '@parlance/foundation';
import type { Cursor, Page } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { BotText } from '../../domain/configuration.ts';
import type { SyncWarnings } from '../../domain/knowledge/source-warnings.ts';
import { type SyncRow, syncRows, sourcesRows, warningsRows, causesRows, removedRows } from './rows.ts';

/** The states of several bots' knowledge, by bot. */
export const SyncsOf = query('SyncsOf', async (models, botIds: readonly string[]): Promise<ReadonlyMap<string, SyncRow>> => {
  const rows = await models.getMany(syncRows, botIds);
  return new Map([...rows].filter(([, { left_by }]) => left_by === undefined));
});

export const SyncOf = query('SyncOf', async (models, botId: string): Promise<SyncRow | null> => {
  const row = await models.get(syncRows, botId);
  return row?.left_by === undefined ? row : null;
});

const LEFT_AT_ONCE = 100;

/** Some of a user's deleted bots whose knowledge is not removed yet. */
export const KnowledgeLeftBy = query('KnowledgeLeftBy', async (models, userId: string): Promise<readonly string[]> => {
  return (await models.find(syncRows, { index: 'byLeft', where: { left_by: userId }, limit: LEFT_AT_ONCE })).keys;
});

/** The sealed sources of a bot; null if it has none. */
export const SourcesOf = query('SourcesOf', async (models, botId: string): Promise<BotText | null> => {
  return (await models.get(sourcesRows, botId))?.sources ?? null;
});

export const WarningsOf = query('WarningsOf', (models, botId: string): Promise<SyncWarnings | null> => models.get(warningsRows, botId));

/** The sealed parts of the newest reason; null if there are none. The reason may no longer apply. */
export const CauseOf = query('CauseOf', async (models, botId: string): Promise<string | null> => {
  return (await models.get(causesRows, botId))?.cause ?? null;
});

/** Runs that are to start, or whose worker's lease has ended, longest waiting first. */
export const SyncsDue = query('SyncsDue', async (models, now: Instant, limit: number): Promise<readonly SyncRow[]> => {
  return (await findUnleased(models, syncRows, { index: 'byDue', where: { owed: 1 }, limit }, now)).rows;
});

/** Bots whose schedule is due. */
export const SchedulesDue = query('SchedulesDue', (models, now: Instant, from: Cursor | null, limit: number): Promise<Page<SyncRow>> =>
  models.find(syncRows, { index: 'bySchedule', from: 0, to: now, limit, ...(from && { after: from }) }),
);

/** How much of the knowledge of this user's bots was removed. */
export const KnowledgeRemovedOf = query(
  'KnowledgeRemovedOf',
  async (models, userId: string): Promise<{ files: number; chunks: number }> => {
    const { files = 0, chunks = 0 } = (await models.get(removedRows, userId)) ?? {};
    return { files, chunks };
  },
);
