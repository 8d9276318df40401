import { isDeepStrictEqual } from 'node:util';
import type { ConfigurationChange } from '../../domain/configuration.ts';
import type { BotContentRow } from './bot-rows.ts';
import { LONGEST_UPLOAD_MILLIS } from '../uploads.ts';

/** Until when files may arrive: of the user to whom the newest upload address was issued, and of others. In milliseconds. */
export interface Uploaders {
  readonly by: string;
  readonly until: number;
  readonly others_until: number;
}

/** Whether the model may now be asked for something else, or read something else. A restored version also contains unchanged fields. */
export function isSteered(row: BotContentRow, { instruction, quickStarters, knowledge, settings }: ConfigurationChange): boolean {
  const fields = [
    [instruction, row.instruction],
    [quickStarters, row.quick_starters],
    [settings?.tools, row.settings.tools],
    [settings?.bedrock_knowledge_base, row.settings.bedrock_knowledge_base],
  ];
  return knowledge !== undefined || fields.some(([now, before]) => now !== undefined && !isDeepStrictEqual(now, before));
}

/** The user who answers for a bot that `by` changed now. */
export const answeredBy = ({ uploads }: BotContentRow, by: string, now: number): string | null =>
  othersUntil(uploads, by) > now ? null : by;

/** An upload replaces a file of the same name, and the next run reads it. So an upload address counts as a change of the knowledge. */
export const uploadedBy = (row: BotContentRow, by: string, now: number): BotContentRow => ({
  ...row,
  configured_by: answeredBy(row, by, now),
  uploads: { by, until: now + LONGEST_UPLOAD_MILLIS, others_until: othersUntil(row.uploads, by) },
});

/** Until when files of users other than `by` may arrive. */
function othersUntil(uploads: Uploaders | undefined, by: string): number {
  if (!uploads) return 0;
  return by === uploads.by ? uploads.others_until : Math.max(uploads.until, uploads.others_until);
}
