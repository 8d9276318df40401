import type { BotItemPage } from '@parlance/client/types';
import { parlance } from '../../../session/parlance.ts';

export const BOT_KINDS = ['mine', 'shared', 'starred', 'recent'] as const;
export type BotKind = (typeof BOT_KINDS)[number];

const ROWS = 50;
/** The server lists starred own and starred shared bots separately, so they are shown on one page. */
const STARRED_ROWS = 500;

/** A page of the bots in a tab. */
export async function botsOf(kind: BotKind, page: string | undefined): Promise<BotItemPage> {
  const list = (query: { kind: 'private' | 'shared' | 'mixed'; limit: number; starred?: boolean; next_token?: string }) =>
    parlance.api.get('/bot', { query });
  if (kind === 'starred') {
    const pages = await Promise.all([
      list({ kind: 'private', starred: true, limit: STARRED_ROWS }),
      list({ kind: 'shared', starred: true, limit: STARRED_ROWS }),
    ]);
    return { bots: pages.flatMap(({ bots }) => bots), next_token: null };
  }
  const apiKind = ({ mine: 'private', shared: 'shared', recent: 'mixed' } as const)[kind];
  return list({ kind: apiKind, limit: ROWS, ...(page !== undefined && { next_token: page }) });
}
