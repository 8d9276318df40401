import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { projection } from '@parlance/read-models';
import { FOREVER, lift, revocationRows, revoke } from '@parlance/revocation';
import { CLOCK_MARGIN_MILLIS, LONGEST_TOKEN_MINUTES } from '@parlance/config';
import type { IdentityEvent } from '../domain/events.ts';

/** The time when all access tokens issued before this time have expired. Revocations are kept until then. */
const after = (at: Instant) => at + LONGEST_TOKEN_MINUTES * 60_000 + CLOCK_MARGIN_MILLIS;

/** Revoked sessions and users, for the edges, which check access tokens. */
export const revocations = projection<IdentityEvent>({
  name: 'revocations',
  version: 1,
  tables: [revocationRows],
  on: {
    SessionEnded: (_, { stream, position, metadata }) => [revoke(`session:${idInStream(stream)}`, position, after(metadata.at))],
    UserDisabled: (_, { stream, position }) => [revoke(`user:${idInStream(stream)}`, position, FOREVER)],
    UserEnabled: (_, { stream, position }) => [lift(`user:${idInStream(stream)}`, position)],
    UserErased: (_, { stream, position, metadata }) => [revoke(`user:${idInStream(stream)}`, position, after(metadata.at))],
  },
});
