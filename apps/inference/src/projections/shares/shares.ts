import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type Cursor, projection, put, type Query, type ReadModels, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { ShareAudience, SharesEvent } from '../../domain/shares/shares.ts';

/** A share that has not ended. `title` is sealed. */
export interface ShareRow {
  readonly share_id: string;
  readonly conversation_id: string;
  readonly user_id: string;
  readonly bot_id: string | null;
  readonly audience: ShareAudience;
  readonly shared_at: Instant;
  readonly expires_at: Instant | null;
  readonly include_attachments: boolean;
  readonly include_sources: boolean;
  readonly title: string;
  readonly messages: number;
  readonly pages: number;
  readonly token_hash: string;
}

interface SharedPageRow {
  readonly sealed: string;
}

/** How many shares of a user were erased. */
interface ErasedSharesRow {
  readonly shares: number;
}

const shareRows = table<ShareRow>('shares', {
  byToken: ['token_hash'],
  byConversation: ['conversation_id'],
  byUser: ['user_id'],
  byExpiry: ['expires_at'],
});
const sharedPageRows = table<SharedPageRow>('shared_pages');
const erasedShareRows = table<ErasedSharesRow>('erased_shares');

const pageKey = (shareId: string, page: number) => `${shareId}/${String(page).padStart(4, '0')}`;
export const shareList = projection<SharesEvent>({
  name: 'shares',
  version: 1,
  tables: [shareRows, sharedPageRows, erasedShareRows],
  on: {
    ConversationShared: (event, { stream, metadata }) => [
      put(shareRows, event.shareId, {
        share_id: event.shareId,
        conversation_id: event.conversationId,
        user_id: idInStream(stream),
        bot_id: event.botId,
        audience: event.audience,
        shared_at: metadata.at,
        expires_at: event.expiresAt,
        include_attachments: event.includesAttachments,
        include_sources: event.includesSources,
        title: event.title,
        messages: event.messages,
        pages: event.pages.length,
        token_hash: event.tokenHash,
      }),
      ...event.pages.map((sealed, page) => put(sharedPageRows, pageKey(event.shareId, page), { sealed })),
    ],
    ShareRevoked: ({ shareId, pages }) => [
      remove(shareRows, shareId),
      ...Array.from({ length: pages }, (_, page) => remove(sharedPageRows, pageKey(shareId, page))),
    ],
    SharesErased: ({ shares }, { stream }) => (shares > 0 ? [add(erasedShareRows, idInStream(stream), { shares }, {})] : []),
  },
});

/** Expired shares that one round ends. */
export const ENDED_AT_ONCE = 100;

/** The share whose link has a token with this hash. Only its stream shows whether it has ended. */
export const ShareByToken = query('ShareByToken', async (models, tokenHash: string): Promise<ShareRow | null> => {
  const { rows } = await models.find(shareRows, { index: 'byToken', where: { token_hash: tokenHash }, limit: 1 });
  return rows[0] ?? null;
});

export const ShareById = query('ShareById', (models, shareId: string): Promise<ShareRow | null> => models.get(shareRows, shareId));

/** A sealed page of a snapshot. Null if the share has ended. */
export const SharedPage = query('SharedPage', async (models, shareId: string, page: number): Promise<string | null> => {
  return (await models.get(sharedPageRows, pageKey(shareId, page)))?.sealed ?? null;
});

export interface SharePage {
  readonly shares: readonly ShareRow[];
  readonly next: Cursor | null;
}

/** The next three queries return the newest first, and may include shares that have just expired. */
export const SharesOfConversation = query('SharesOfConversation', (models, conversationId: string, limit: number, after: Cursor | null) =>
  pageOf(models, { index: 'byConversation', where: { conversation_id: conversationId }, limit }, after),
);

export const SharesOfUser = query('SharesOfUser', (models, userId: string, limit: number, after: Cursor | null) =>
  pageOf(models, { index: 'byUser', where: { user_id: userId }, limit }, after),
);

export const AllShares = query('AllShares', (models, limit: number, after: Cursor | null) =>
  pageOf(models, { index: 'key', limit }, after),
);

/** Expired shares, the earliest expiry first. */
export const SharesExpiredAt = query('SharesExpiredAt', async (models, now: Instant, after: Cursor | null): Promise<SharePage> => {
  const search = { index: 'byExpiry', from: 0, to: now, limit: ENDED_AT_ONCE, ...(after && { after }) } as const;
  const { rows: shares, next } = await models.find(shareRows, search);
  return { shares, next };
});

export const ErasedSharesOf = query('ErasedSharesOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedShareRows, userId))?.shares ?? 0;
});

async function pageOf(models: ReadModels, search: Query, after: Cursor | null): Promise<SharePage> {
  const { rows: shares, next } = await models.find(shareRows, { ...search, order: 'desc', ...(after && { after }) });
  return { shares, next };
}
