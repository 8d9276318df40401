import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type Cursor, type Page, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** An active session. */
export interface SessionRow {
  session_id: string;
  user_id: string;
  via: string;
  /** The user's epoch at the start of the session. In a later epoch the session is over. */
  epoch: number;
  expires_at: number;
  create_time: number;
  last_used_time: number;
  ip_address: string | null;
  user_agent: string | null;
}

export const sessionRows = table<SessionRow>('sessions', { byUser: ['user_id', 'create_time'], byExpiry: ['expires_at'] });

export const sessions = projection<IdentityEvent>({
  name: 'sessions',
  version: 1,
  tables: [sessionRows],
  on: {
    SessionStarted: ({ userId, via = 'password', epoch = 0, expiresAt }, { stream, metadata }) => [
      put(sessionRows, idInStream(stream), {
        session_id: idInStream(stream),
        user_id: userId,
        via,
        epoch,
        // Sessions of the first release cannot be refreshed. They end with their token, after a day at most.
        expires_at: Instant.toSeconds(expiresAt ?? Instant.plus(metadata.at, 86_400_000)),
        create_time: Instant.toSeconds(metadata.at),
        last_used_time: Instant.toSeconds(metadata.at),
        ip_address: metadata.ip,
        user_agent: metadata.userAgent,
      }),
    ],
    SessionRefreshed: (_, { stream, metadata }) => [
      patch(sessionRows, idInStream(stream), {
        last_used_time: Instant.toSeconds(metadata.at),
        ip_address: metadata.ip,
        user_agent: metadata.userAgent,
      }),
    ],
    SessionEnded: (_, { stream }) => [remove(sessionRows, idInStream(stream))],
  },
});

const PAGE_SIZE = 1_000;

/** Newest first. */
export const SessionsOfUser = query('SessionsOfUser', async (models, userId: string): Promise<readonly SessionRow[]> => {
  const rows: SessionRow[] = [];
  let after: Cursor | null = null;
  do {
    const found: Page<SessionRow> = await models.find(sessionRows, {
      index: 'byUser',
      where: { user_id: userId },
      order: 'desc',
      limit: PAGE_SIZE,
      ...(after && { after }),
    });
    rows.push(...found.rows);
    after = found.next;
  } while (after);
  return rows;
});

/** Some of the expired sessions. */
export const ExpiredSessions = query('ExpiredSessions', (models, now: Instant, after: Cursor | null): Promise<Page<SessionRow>> =>
  models.find(sessionRows, { index: 'byExpiry', to: Instant.toSeconds(now), limit: PAGE_SIZE, ...(after && { after }) }),
);
