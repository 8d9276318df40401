import type { Instant } from '@parlance/decider';
import { projection } from '@parlance/read-models';
import { FOREVER, lift, revocationRows, revoke } from '@parlance/revocation';
import { idOf } from '@parlance/service-kit';
import type { IdentityEvent } from '../domain/events.ts';

/** The longest that a deployment can let access tokens live, and what clocks may differ: all that a session's end has to outlast. */
const longestTokenMillis = 24 * 3_600_000 + 5 * 60_000;

const after = (at: Instant) => at + longestTokenMillis;

/** What of access tokens no longer holds, for the edges, which check them. */
export const revocations = projection<IdentityEvent>({
  name: 'revocations',
  version: 1,
  tables: [revocationRows],
  on: {
    SessionEnded: (_, { stream, position, metadata }) => [revoke(`session:${idOf(stream)}`, position, after(metadata.at))],
    UserDisabled: (_, { stream, position }) => [revoke(`user:${idOf(stream)}`, position, FOREVER)],
    UserEnabled: (_, { stream, position }) => [lift(`user:${idOf(stream)}`, position)],
    UserErased: (_, { stream, position, metadata }) => [revoke(`user:${idOf(stream)}`, position, after(metadata.at))],
  },
});
