import { type Decider, Instant, refuse } from '@parlance/decider';
import { MAX_SHARED_OF_DAY, MAX_SHARES_OF_CONVERSATION, MAX_SHARES_OF_DAY, MAX_SHARES_OF_USER } from './share-limits.ts';
import { expiryPassed, shareNotFound, tooManySharesOfConversation, tooManySharesOfDay, tooManySharesOfUser } from './share-refusals.ts';

/** `public`: also anonymous callers who have the link, while the installation allows public links. */
export type ShareAudience = 'signed_in' | 'public';

export type EndOfShare = 'owner' | 'admin' | 'expired' | 'conversation_deleted' | 'user_erased';

/** The owner's settings of a share. */
export interface ShareTerms {
  readonly shareId: string;
  readonly conversationId: string;
  readonly botId: string | null;
  readonly audience: ShareAudience;
  readonly expiresAt: Instant | null;
  readonly includesAttachments: boolean;
  readonly includesSources: boolean;
}

/** The conversation as it was shown. It is sealed under the key of the conversation, and then under the key of the share. */
export interface Snapshot {
  readonly title: string;
  readonly messages: number;
  readonly pages: readonly string[];
}

export type SharesCommand =
  | ({ type: 'Share'; tokenHash: string; now: Instant } & ShareTerms & Snapshot)
  | { type: 'Revoke'; shareId: string; conversationId: string; by: 'owner' | 'admin' }
  | { type: 'Expire'; shareId: string; now: Instant }
  | { type: 'EndSharesOf'; conversationId: string }
  | { type: 'Erase' };

export type SharesEvent =
  /** `tokenHash`: SHA-256 of the token in the link. The oldest events have no `at`. */
  | ({ type: 'ConversationShared'; tokenHash: string; at?: Instant } & ShareTerms & Snapshot)
  /** The key of the snapshot is destroyed before this event or because of it. */
  | { type: 'ShareRevoked'; shareId: string; conversationId: string; audience: ShareAudience; pages: number; because: EndOfShare }
  /** The user is erased: nothing is shared from now on. */
  | { type: 'SharesErased'; shares: number };

export interface LiveShare {
  readonly conversationId: string;
  readonly audience: ShareAudience;
  readonly expiresAt: Instant | null;
  /** Pages of the snapshot. */
  readonly pages: number;
}

/** A user's shares in 24 hours. The next period begins with the first share after them. */
interface SharingDay {
  readonly since: Instant;
  readonly shares: number;
  /** Characters of the sealed snapshots. */
  readonly size: number;
}

const DAY_MILLIS = 86_400_000;

export interface Shares {
  /** One user's shares that have not ended, by ID. */
  readonly live: Readonly<Record<string, LiveShare>>;
  readonly isErased: boolean;
  /** Absent until the user shares a conversation. */
  readonly day?: SharingDay;
}

/** Whether the time of a share has passed. */
export const isOver = ({ expiresAt }: LiveShare, now: Instant): boolean => expiresAt !== null && expiresAt <= now;

export const shares: Decider<SharesCommand, SharesEvent, Shares> = {
  initialState: { live: {}, isErased: false },
  // After each commit, because a commit may have a snapshot of a conversation, and each read of a share loads this state.
  snapshots: { every: 1, shape: 'shares-2' },

  decide(command, { live, isErased, day }) {
    switch (command.type) {
      case 'Share': {
        const { now, type: _, ...shared } = command;
        if (isErased) return refuse('missing', 'user_not_found', 'This user was erased.');
        // A repeat of the request.
        if (live[shared.shareId]) return [];
        if (shared.expiresAt !== null && shared.expiresAt <= now) return expiryPassed();
        const others = Object.values(live);
        if (others.length >= MAX_SHARES_OF_USER) return tooManySharesOfUser();
        const ofSame = others.filter(({ conversationId }) => conversationId === shared.conversationId);
        if (ofSame.length >= MAX_SHARES_OF_CONVERSATION) return tooManySharesOfConversation();
        const today = day && isDay(day, now) ? day : null;
        if (today && (today.shares >= MAX_SHARES_OF_DAY || today.size + sizeOf(shared) > MAX_SHARED_OF_DAY))
          return tooManySharesOfDay(Instant.plus(today.since, DAY_MILLIS), now);
        return [{ type: 'ConversationShared', ...shared, at: now }];
      }
      case 'Revoke': {
        const share = live[command.shareId];
        if (share?.conversationId !== command.conversationId) return shareNotFound();
        return [revoked(command.shareId, share, command.by)];
      }
      case 'Expire': {
        const share = live[command.shareId];
        return share && isOver(share, command.now) ? [revoked(command.shareId, share, 'expired')] : [];
      }
      case 'EndSharesOf':
        return Object.entries(live)
          .filter(([, { conversationId }]) => conversationId === command.conversationId)
          .map(([shareId, share]) => revoked(shareId, share, 'conversation_deleted'));
      case 'Erase': {
        if (isErased) return [];
        const ended = Object.entries(live).map(([shareId, share]) => revoked(shareId, share, 'user_erased'));
        return [...ended, { type: 'SharesErased', shares: ended.length }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ConversationShared': {
        const { shareId, conversationId, audience, expiresAt, pages, at } = event;
        const live = { ...state.live, [shareId]: { conversationId, audience, expiresAt, pages: pages.length } };
        return { ...state, live, ...(at !== undefined && { day: dayWith(state.day, at, sizeOf(event)) }) };
      }
      case 'ShareRevoked': {
        const { [event.shareId]: _, ...live } = state.live;
        return { ...state, live };
      }
      case 'SharesErased':
        return { live: state.live, isErased: true };
    }
  },
};

const isDay = ({ since }: SharingDay, at: Instant): boolean => at < Instant.plus(since, DAY_MILLIS);

const sizeOf = ({ title, pages }: Snapshot): number => pages.reduce((sum, page) => sum + page.length, title.length);

function dayWith(day: SharingDay | undefined, at: Instant, size: number): SharingDay {
  return day && isDay(day, at) ? { since: day.since, shares: day.shares + 1, size: day.size + size } : { since: at, shares: 1, size };
}

const revoked = (shareId: string, { conversationId, audience, pages }: LiveShare, because: EndOfShare): SharesEvent => ({
  type: 'ShareRevoked',
  shareId,
  conversationId,
  audience,
  pages,
  because,
});

/** One stream for each user, so that the decider can enforce the limits of shares. */
export const sharesStream = (userId: string) => `shares-${userId}`;
