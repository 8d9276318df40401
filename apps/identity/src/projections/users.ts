import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { type At, type Change, patch, projection, put, ReadModels, remove, table, update } from '@parlance/read-models';
import { idOf } from '@parlance/service-kit';
import type { IdentityEvent } from '../domain/events.ts';

/** Personal content stays sealed here too: it is opened for an answer. */
export interface UserRow {
  user_id: string;
  email: string;
  email_verified: boolean;
  first_name: string;
  last_name: string;
  groups: readonly string[];
  enabled: boolean;
  create_time: number;
  last_sign_in_time: number | null;
  /** What a provisioning client calls the user; sealed. */
  external_id: string | null;
  update_time: number;
  /** Of the user's stream: the ETag. */
  version: number;
  /** Of the newest event in the row: who keeps a copy asks for what came after. */
  position: number;
}

/** That there was a user, for services that keep a copy. */
export interface ErasedUserRow {
  user_id: string;
  position: number;
}

export const userRows = table<UserRow>('users', { byPosition: ['position'] });
export const erasedUserRows = table<ErasedUserRow>('erased_users', { byPosition: ['position'] });

const changed = ({ stream, version, position, metadata }: At, fields: Partial<UserRow>): Change[] => [
  patch(userRows, idOf(stream), { ...fields, version, position, update_time: Instant.toSeconds(metadata.at) }),
];

const inGroups = (at: At, change: (groups: readonly string[]) => readonly string[]): Change[] => [
  ...changed(at, {}),
  update(userRows, idOf(at.stream), (row) => row && { ...row, groups: change(row.groups) }),
];

export const users = projection<IdentityEvent>({
  name: 'users',
  version: 3,
  tables: [userRows, erasedUserRows],
  on: {
    UserRegistered: (event, { stream, version, position, metadata }) => [
      put(userRows, idOf(stream), {
        user_id: idOf(stream),
        email: event.email,
        email_verified: event.emailVerified,
        first_name: event.firstName,
        last_name: event.lastName,
        groups: event.groups,
        enabled: true,
        create_time: Instant.toSeconds(metadata.at),
        last_sign_in_time: null,
        external_id: null,
        update_time: Instant.toSeconds(metadata.at),
        version,
        position,
      }),
    ],
    UserRenamed: (event, at) => changed(at, { first_name: event.firstName, last_name: event.lastName }),
    UserEmailChanged: (event, at) => changed(at, { email: event.email, email_verified: event.emailVerified }),
    EmailVerified: (_, at) => changed(at, { email_verified: true }),
    UserDisabled: (_, at) => changed(at, { enabled: false }),
    UserEnabled: (_, at) => changed(at, { enabled: true }),
    UserJoinedGroup: ({ group }, at) => inGroups(at, (groups) => [...groups, group]),
    UserLeftGroup: ({ group }, at) => inGroups(at, (groups) => groups.filter((other) => other !== group)),
    PasswordChanged: (_, at) => changed(at, {}),
    PasswordResetOffered: (_, at) => changed(at, {}),
    IdentityLinked: (_, at) => changed(at, { email_verified: true }),
    ExternalIdSet: (event, at) => changed(at, { external_id: event.externalId }),
    AdminConfirmed: (_, at) => changed(at, {}),
    UserErased: (_, { stream, position }) => [
      remove(userRows, idOf(stream)),
      put(erasedUserRows, idOf(stream), { user_id: idOf(stream), position }),
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

/** The users that have changed after a place in the log, and those who are gone since: in the order of the changes. */
export class UsersChangedAfter extends Query<{ rows: readonly UserRow[]; erased: readonly string[]; upTo: number }> {
  constructor(readonly position: number) {
    super();
  }
}

const page = 500;

@QueryHandler(UsersChangedAfter)
export class FindUsersChangedAfter implements IQueryHandler<UsersChangedAfter> {
  constructor(private readonly models: ReadModels) {}

  async execute({ position }: UsersChangedAfter) {
    const query = { index: 'byPosition', from: position + 1, limit: page } as const;
    const erased = (await this.models.find(erasedUserRows, query)).rows;
    const rows = (await this.models.find(userRows, query)).rows;
    const ends = [rows, erased].map((found) => (found.length === page ? (found.at(-1)?.position ?? 0) : Number.MAX_SAFE_INTEGER));
    // Where one of the lists goes on behind its page, the other counts no further than that.
    const upTo = Math.min(...ends, Math.max(position, rows.at(-1)?.position ?? 0, erased.at(-1)?.position ?? 0));
    return {
      rows: rows.filter((row) => row.position <= upTo),
      erased: erased.filter((row) => row.position <= upTo).map((row) => row.user_id),
      upTo,
    };
  }
}

/** All users in the order of their making, for provisioning clients. */
export class UsersAfter extends Query<readonly UserRow[]> {
  constructor(
    readonly userId: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(UsersAfter)
export class FindUsersAfter implements IQueryHandler<UsersAfter> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userId, limit }: UsersAfter) {
    return (await this.models.find(userRows, { index: 'key', limit, ...(userId !== null && { after: [userId] }) })).rows;
  }
}
