import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { patch, projection, put, ReadModels, table } from '@parlance/read-models';
import { idOf } from '@parlance/service-kit';
import type { IdentityEvent } from '../domain/events.ts';

/** Personal content stays sealed here too: it is opened when somebody is answered. */
export interface UserRow {
  user_id: string;
  email: string;
  first_name: string;
  last_name: string;
  groups: readonly string[];
  enabled: boolean;
  create_time: number;
  last_sign_in_time: number | null;
}

export const userRows = table<UserRow>('users');

export const users = projection<IdentityEvent>({
  name: 'users',
  version: 1,
  tables: [userRows],
  on: {
    UserRegistered: (event, { stream, metadata }) => [
      put(userRows, idOf(stream), {
        user_id: idOf(stream),
        email: event.email,
        first_name: event.firstName,
        last_name: event.lastName,
        groups: event.groups,
        enabled: true,
        create_time: Instant.toSeconds(metadata.at),
        last_sign_in_time: null,
      }),
    ],
    SessionStarted: (event, { metadata }) => [patch(userRows, event.userId, { last_sign_in_time: Instant.toSeconds(metadata.at) })],
  },
});

export class UserById extends Query<UserRow | null> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(UserById)
export class FindUserById implements IQueryHandler<UserById> {
  constructor(private readonly models: ReadModels) {}

  execute({ userId }: UserById) {
    return this.models.get(userRows, userId);
  }
}
