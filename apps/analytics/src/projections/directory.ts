import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { BotCreated, UserRegistered } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { foreignProjection, put, ReadModels, table } from '@parlance/read-models';

/** Who and what the figures are about. What is deleted stays here by name, since it goes on being in the figures. */
export interface UserEntry {
  user_id: string;
  /** Sealed: with the user's key destroyed, nobody reads it any more. */
  email: string;
}

export interface BotEntry {
  bot_id: string;
  title: string;
  owner_user_id: string;
}

const userEntries = table<UserEntry>('known_users');
const botEntries = table<BotEntry>('known_bots');

type Heard = CloudEvent<UserRegistered, 'parlance.identity.user-registered.v1'> | CloudEvent<BotCreated, 'parlance.bots.bot-created.v1'>;

export const directory = foreignProjection<Heard>({
  name: 'directory',
  version: 1,
  tables: [userEntries, botEntries],
  on: {
    'parlance.identity.user-registered.v1': ({ data }) => [put(userEntries, data.user_id, { user_id: data.user_id, email: data.email })],
    'parlance.bots.bot-created.v1': ({ data }) => [put(botEntries, data.bot_id, { ...data })],
  },
});

export class DirectoryEntries extends Query<{ users: ReadonlyMap<string, UserEntry>; bots: ReadonlyMap<string, BotEntry> }> {
  constructor(
    readonly userIds: readonly string[],
    readonly botIds: readonly string[],
  ) {
    super();
  }
}

@QueryHandler(DirectoryEntries)
export class FindDirectoryEntries implements IQueryHandler<DirectoryEntries> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userIds, botIds }: DirectoryEntries) {
    const [users, bots] = await Promise.all([this.models.getMany(userEntries, userIds), this.models.getMany(botEntries, botIds)]);
    return { users, bots };
  }
}
