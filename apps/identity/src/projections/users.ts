import type { QueryBus } from '@nestjs/cqrs';
import { Person } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import {
  type At,
  type Change,
  type Cursor,
  type Page,
  patch,
  projection,
  type ProjectionSpec,
  put,
  remove,
  table,
  update,
} from '@parlance/read-models';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';
import { LANGUAGES } from '../domain/language.ts';
import { profileRow } from '../domain/profile.ts';

/** A user as only the user sees it. */
export const OwnPerson = Person.extend({
  language: z
    .enum(LANGUAGES)
    .nullable()
    .describe(
      "Language of the web console and of mails to the user. With null, the console is in the browser's language, and mails in the installation's.",
    ),
  notification_mails: z
    .boolean()
    .nullable()
    .describe('Whether the user gets mails about notifications. Null if the installation has no mail server.'),
});
export type OwnPerson = z.infer<typeof OwnPerson>;

nameSchemas({ User: Person, OwnUser: OwnPerson });

/** The stored form: address and names are sealed, and opened for an answer. */
export interface UserRow extends OwnPerson {
  /** The ID that a provisioning client gave the user; sealed. */
  external_id: string | null;
  update_time: number;
  /** The version of the user's stream: the ETag. */
  version: number;
  /** The position of the newest event in the row. A reader that keeps a copy requests later changes. */
  position: number;
}

/** Lets readers with a copy of the users know that this user was erased. */
export interface ErasedUserRow {
  user_id: string;
  position: number;
  /** When the user was erased, in milliseconds, until all services have erased the user once more. */
  open_since?: number;
}

export const userRows = table<UserRow>('users', { byPosition: ['position'] });
/** The users who have chosen mails about notifications. */
export const mailReaderRows = table<{ user_id: string }>('mail_readers');
export const erasedUserRows = table<ErasedUserRow>('erased_users', { byPosition: ['position'], byOpen: ['open_since'] });

const changed = ({ stream, version, position, metadata }: At, fields: Partial<UserRow>): Change[] => [
  patch(userRows, idInStream(stream), { ...fields, version, position, update_time: Instant.toSeconds(metadata.at) }),
];

const inGroups = (at: At, change: (groups: readonly string[]) => readonly string[]): Change[] => [
  ...changed(at, {}),
  update(userRows, idInStream(at.stream), (row) => row && { ...row, groups: change(row.groups) }),
];

const changes: ProjectionSpec<IdentityEvent>['on'] = {
  UserRenamed: (event, at) => changed(at, profileRow(event)),
  LanguageChosen: (event, at) => changed(at, { language: event.language }),
  NotificationMailsChosen: ({ wanted }, at) => {
    const user_id = idInStream(at.stream);
    const reader = wanted ? put(mailReaderRows, user_id, { user_id }) : remove(mailReaderRows, user_id);
    return [...changed(at, { notification_mails: wanted }), reader];
  },
  UserEmailChanged: (event, at) => changed(at, { email: event.email, email_verified: event.emailVerified }),
  EmailVerified: (_, at) => changed(at, { email_verified: true }),
  EmailConfirmed: (_, at) => changed(at, { email_verified: true }),
  UserDisabled: (_, at) => changed(at, { enabled: false }),
  UserEnabled: (_, at) => changed(at, { enabled: true }),
  UserJoinedGroup: ({ group }, at) => inGroups(at, (groups) => [...groups, group]),
  UserLeftGroup: ({ group }, at) => inGroups(at, (groups) => groups.filter((other) => other !== group)),
  PasswordChanged: (_, at) => changed(at, {}),
  PasswordResetOffered: (_, at) => changed(at, {}),
  IdentityLinked: (_, at) => changed(at, { email_verified: true }),
  ExternalIdSet: (event, at) => changed(at, { external_id: event.externalId }),
  AdminConfirmed: (_, at) => changed(at, {}),
  UserHeld: (_, at) => changed(at, {}),
  UserHoldEnded: (_, at) => changed(at, {}),
};

/** The events that change a user and the user's version. */
export const userChanges = Object.keys(changes);

export const users = projection<IdentityEvent>({
  name: 'users',
  version: 7,
  tables: [userRows, erasedUserRows, mailReaderRows],
  on: {
    UserRegistered: (event, { stream, version, position, metadata }) => [
      put(userRows, idInStream(stream), {
        user_id: idInStream(stream),
        email: event.email,
        email_verified: event.emailVerified,
        ...profileRow(event),
        groups: event.groups,
        enabled: true,
        create_time: Instant.toSeconds(metadata.at),
        last_sign_in_time: null,
        external_id: null,
        language: null,
        notification_mails: false,
        update_time: Instant.toSeconds(metadata.at),
        version,
        position,
      }),
    ],
    ...changes,
    UserErased: (_, { stream, position, metadata }) => [
      remove(userRows, idInStream(stream)),
      remove(mailReaderRows, idInStream(stream)),
      put(erasedUserRows, idInStream(stream), { user_id: idInStream(stream), position, open_since: metadata.at }),
    ],
    ErasureEnded: (_, { stream }) => [
      update(erasedUserRows, idInStream(stream), (row) => row && { user_id: row.user_id, position: row.position }),
    ],
    SessionStarted: (event, { position, metadata }) => [
      patch(userRows, event.userId, { last_sign_in_time: Instant.toSeconds(metadata.at), position }),
    ],
  },
});

export const UserById = query('UserById', async (models, userId: string): Promise<UserRow | null> => {
  return models.get(userRows, userId);
});

/** The users among these IDs that exist. */
export const UsersById = query('UsersById', async (models, userIds: readonly string[]): Promise<readonly UserRow[]> => {
  return [...(await models.getMany(userRows, userIds)).values()];
});

/** Users that were erased before a time and must be erased once more, the earliest first. */
export const OpenErasures = query(
  'OpenErasures',
  (models, before: Instant, after: Cursor | null, limit: number): Promise<Page<ErasedUserRow>> =>
    models.find(erasedUserRows, { index: 'byOpen', from: 0, to: before, limit, ...(after && { after }) }),
);

const PAGE_SIZE = 500;

/** Users that were changed or erased after a position of the log, in the order of the changes. */
export const UsersChangedAfter = query(
  'UsersChangedAfter',
  async (models, position: number): Promise<{ rows: readonly UserRow[]; erased: readonly string[]; upTo: number }> => {
    const wanted = { index: 'byPosition', from: position + 1, limit: PAGE_SIZE } as const;
    const erased = (await models.find(erasedUserRows, wanted)).rows;
    const rows = (await models.find(userRows, wanted)).rows;
    const ends = [rows, erased].map((found) => (found.length === PAGE_SIZE ? (found.at(-1)?.position ?? 0) : Number.MAX_SAFE_INTEGER));
    // If one list has more pages, the other counts only up to the end of that list's page.
    const upTo = Math.min(...ends, Math.max(position, rows.at(-1)?.position ?? 0, erased.at(-1)?.position ?? 0));
    return {
      rows: rows.filter((row) => row.position <= upTo),
      erased: erased.filter((row) => row.position <= upTo).map((row) => row.user_id),
      upTo,
    };
  },
);

/** The users after a user ID, in the order of their IDs. */
export const UsersAfter = query('UsersAfter', async (models, userId: string | null, limit: number): Promise<readonly UserRow[]> => {
  return (await models.find(userRows, { index: 'key', limit, ...(userId !== null && { after: [userId] }) })).rows;
});

/** All users in the order of their IDs, a page at a time. */
export async function* pagesOfUsers(queries: QueryBus): AsyncGenerator<readonly UserRow[]> {
  let rows: readonly UserRow[] = [];
  do {
    rows = await queries.execute(new UsersAfter(rows.at(-1)?.user_id ?? null, PAGE_SIZE));
    yield rows;
  } while (rows.length === PAGE_SIZE);
}
