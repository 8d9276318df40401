import type { BotCreated, UserEmailChanged, UserErased, UserRegistered } from '@parlance/contracts';
import { query } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { type Change, foreignProjection, put, table, update } from '@parlance/read-models';

/**
 * A user's address and the titles of their bots, in one row, so that an erasure removes all of it. Events come in any order, also after
 * the erasure: then the row says only that there was an address or a title.
 */
export interface UserEntry {
  user_id: string;
  /** Sealed. Null when the user is erased, absent until an event gives it. */
  email?: string | null;
  /** By bot. Titles of deleted bots stay, because figures still name them. */
  titles: Readonly<Record<string, string | null>>;
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
  version: 2,
  tables: [userEntries, botEntries],
  on: {
    'parlance.identity.user-registered.v1': ({ data }) => [withEmail(data)],
    'parlance.identity.user-email-changed.v1': ({ data }) => [withEmail(data)],
    'parlance.identity.user-erased.v1': ({ data }) => [changed(data.user_id, erased)],
    'parlance.bots.bot-created.v1': ({ data: { bot_id, owner_user_id, title } }) => [
      put(botEntries, bot_id, { bot_id, owner_user_id }),
      changed(owner_user_id, (user) => ({ ...user, titles: { ...user.titles, [bot_id]: user.erased ? null : title } })),
    ],
  },
});

const withEmail = ({ user_id, email }: UserRegistered | UserEmailChanged) =>
  changed(user_id, (user) => ({ ...user, email: user.erased ? null : email }));

const erased = ({ user_id, email, titles }: UserEntry): UserEntry => ({
  user_id,
  ...(email !== undefined && { email: null }),
  titles: Object.fromEntries(Object.keys(titles).map((bot) => [bot, null])),
  erased: true,
});

function changed(userId: string, change: (user: UserEntry) => UserEntry): Change {
  return update(userEntries, userId, (row) => change(row ?? { user_id: userId, titles: {}, erased: false }));
}

/** Users' addresses and bots' titles and owners, as far as they are known. */
export interface Names {
  readonly emails: ReadonlyMap<string, string>;
  readonly bots: ReadonlyMap<string, { readonly title: string | null; readonly owner_user_id: string }>;
}

export const NamesOf = query('NamesOf', async (models, userIds: readonly string[], botIds: readonly string[]): Promise<Names> => {
  const bots = await models.getMany(botEntries, botIds);
  const owners = [...bots.values()].map((bot) => bot.owner_user_id);
  const users = await models.getMany(userEntries, [...new Set([...userIds, ...owners])]);
  return {
    emails: new Map([...users].flatMap(([id, { email }]) => (typeof email === 'string' ? [[id, email] as const] : []))),
    bots: new Map([...bots].map(([id, { owner_user_id }]) => [id, { owner_user_id, title: users.get(owner_user_id)?.titles[id] ?? null }])),
  };
});

/** How many addresses and titles the erasure of a user removed. */
export const NamesErasedOf = query('NamesErasedOf', async (models, userId: string): Promise<{ emails: number; bot_titles: number }> => {
  const user = await models.get(userEntries, userId);
  return user?.erased ? { emails: user.email === null ? 1 : 0, bot_titles: Object.keys(user.titles).length } : { emails: 0, bot_titles: 0 };
});
