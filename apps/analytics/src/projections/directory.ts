import type { BotCreated, UserEmailChanged, UserErased, UserRegistered } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { type Change, foreignProjection, put, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';

/**
 * A user's address. Events arrive in any order, even after the erasure. Then the row only records that there was an address. Titles of bots
 * are not stored here, because the bots service keeps them until their owners are erased.
 */
export interface UserEntry {
  user_id: string;
  /** Sealed. Null when the user is erased, absent until an event contains it. */
  email?: string | null;
  erased: boolean;
}

/** The owner of a bot. */
export interface BotEntry {
  bot_id: string;
  owner_user_id: string;
}

const userEntries = table<UserEntry>('known_users');
const botEntries = table<BotEntry>('known_bots');

type Received =
  | CloudEvent<UserRegistered, 'parlance.identity.user-registered.v1'>
  | CloudEvent<UserEmailChanged, 'parlance.identity.user-email-changed.v1'>
  | CloudEvent<UserErased, 'parlance.identity.user-erased.v1'>
  | CloudEvent<BotCreated, 'parlance.bots.bot-created.v1'>;

export const directory = foreignProjection<Received>({
  name: 'directory',
  version: 3,
  tables: [userEntries, botEntries],
  on: {
    'parlance.identity.user-registered.v1': ({ data }) => [withEmail(data)],
    'parlance.identity.user-email-changed.v1': ({ data }) => [withEmail(data)],
    'parlance.identity.user-erased.v1': ({ data }) => [changed(data.user_id, erased)],
    'parlance.bots.bot-created.v1': ({ data: { bot_id, owner_user_id } }) => [put(botEntries, bot_id, { bot_id, owner_user_id })],
  },
});

const withEmail = ({ user_id, email }: UserRegistered | UserEmailChanged) =>
  changed(user_id, (user) => ({ ...user, email: user.erased ? null : email }));

const erased = ({ user_id, email }: UserEntry): UserEntry => ({ user_id, ...(email !== undefined && { email: null }), erased: true });

function changed(userId: string, change: (user: UserEntry) => UserEntry): Change {
  return update(userEntries, userId, (row) => change(row ?? { user_id: userId, erased: false }));
}

/** The known addresses of users and owners of bots. */
export interface Names {
  readonly emails: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
}

export const NamesOf = query('NamesOf', async (models, userIds: readonly string[], botIds: readonly string[]): Promise<Names> => {
  const bots = await models.getMany(botEntries, botIds);
  const users = await models.getMany(userEntries, userIds);
  return {
    emails: new Map([...users].flatMap(([id, { email }]) => (typeof email === 'string' ? [[id, email] as const] : []))),
    owners: new Map([...bots].map(([id, { owner_user_id }]) => [id, owner_user_id])),
  };
});

/** Whether such a user or bot exists or has existed. Erased users and deleted bots keep their figures. */
export const WasThere = query('WasThere', async (models, kind: 'user' | 'bot', id: string): Promise<boolean> => {
  return (await (kind === 'user' ? models.get(userEntries, id) : models.get(botEntries, id))) !== null;
});

/** How many addresses were removed when a user was erased. */
export const NamesErasedOf = query('NamesErasedOf', async (models, userId: string): Promise<{ emails: number }> => {
  const user = await models.get(userEntries, userId);
  return { emails: user?.erased && user.email === null ? 1 : 0 };
});

/** Which of these users are erased. */
export const ErasedAmong = query('ErasedAmong', async (models, userIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const users = await models.getMany(userEntries, userIds);
  return new Set([...users].flatMap(([id, user]) => (user.erased ? [id] : [])));
});
