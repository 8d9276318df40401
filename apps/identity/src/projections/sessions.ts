import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { patch, projection, put, ReadModels, remove, table } from '@parlance/read-models';
import { idOf } from '@parlance/service-kit';
import type { IdentityEvent } from '../domain/events.ts';

/** A session that goes on. */
export interface SessionRow {
  session_id: string;
  user_id: string;
  via: string;
  create_time: number;
  last_used_time: number;
  ip_address: string | null;
  user_agent: string | null;
}

export const sessionRows = table<SessionRow>('sessions', { byUser: ['user_id', 'create_time'] });

export const sessions = projection<IdentityEvent>({
  name: 'sessions',
  version: 1,
  tables: [sessionRows],
  on: {
    SessionStarted: ({ userId, via = 'password' }, { stream, metadata }) => [
      put(sessionRows, idOf(stream), {
        session_id: idOf(stream),
        user_id: userId,
        via,
        create_time: Instant.toSeconds(metadata.at),
        last_used_time: Instant.toSeconds(metadata.at),
        ip_address: metadata.ip,
        user_agent: metadata.userAgent,
      }),
    ],
    SessionRefreshed: (_, { stream, metadata }) => [
      patch(sessionRows, idOf(stream), {
        last_used_time: Instant.toSeconds(metadata.at),
        ip_address: metadata.ip,
        user_agent: metadata.userAgent,
      }),
    ],
    SessionEnded: (_, { stream }) => [remove(sessionRows, idOf(stream))],
  },
});

/** Newest first. */
export class SessionsOfUser extends Query<readonly SessionRow[]> {
  constructor(readonly userId: string) {
    super();
  }
}

const most = 10_000;

@QueryHandler(SessionsOfUser)
export class FindSessionsOfUser implements IQueryHandler<SessionsOfUser> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userId }: SessionsOfUser) {
    return (await this.models.find(sessionRows, { index: 'byUser', where: { user_id: userId }, order: 'desc', limit: most })).rows;
  }
}
