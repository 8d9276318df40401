import { type Instant, refuse } from '@parlance/decider';
import {
  MAX_SHARED_MESSAGES,
  MAX_SHARES_OF_CONVERSATION,
  MAX_SHARES_OF_DAY,
  MAX_SHARES_OF_USER,
  MAX_SNAPSHOT_BYTES,
} from './share-limits.ts';

/** The same answer for a share that never existed, that has ended, or that the caller may not see. */
export const shareNotFound = () => refuse('missing', 'share_not_found', 'There is no such share, or it is not shared with you.');

export const expiryPassed = () =>
  refuse('invalid', 'expiry_passed', 'The time in `expires_at` has passed. Choose a later one.', {
    errors: [{ path: 'expires_at', message: 'must be in the future' }],
  });

export const tooManySharesOfConversation = () =>
  refuse('conflict', 'too_many_shares', `A conversation has at most ${MAX_SHARES_OF_CONVERSATION} shares. Revoke one first.`);

export const tooManySharesOfUser = () =>
  refuse('conflict', 'too_many_shares', `You can have at most ${MAX_SHARES_OF_USER} shares. Revoke one first.`);

/** `until`: the end of the day. */
export const tooManySharesOfDay = (until: Instant, now: Instant) =>
  refuse(
    'limited',
    'too_many_shares_today',
    `You can create at most ${MAX_SHARES_OF_DAY} shares in 24 hours, and fewer if they are large. Revoked shares count too. Try again later.`,
    { retry_after: Math.ceil((until - now) / 1000) },
  );

export const publicLinksOff = () =>
  refuse('forbidden', 'public_links_disabled', 'Links without sign-in are switched off here. Share it with signed-in users instead.');

export const shareTooLarge = () =>
  refuse(
    'too_large',
    'share_too_large',
    `A shared conversation has at most ${MAX_SHARED_MESSAGES} messages and ${MAX_SNAPSHOT_BYTES / 1024 / 1024} MiB. This one has more.`,
  );
