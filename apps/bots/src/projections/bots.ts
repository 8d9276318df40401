import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, projection, put, ReadModels, remove, table } from '@parlance/read-models';
import type { BotEvent } from '../domain/bot.ts';

export interface BotRow {
  id: string;
  owner_user_id: string;
  title: string;
  description: string;
  instruction: string;
  shared_scope: 'private' | 'partial' | 'all';
  status: string;
  sync_status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  create_time: number;
  /** Of the bot's stream: its ETag too. */
  version: number;
}

/** How many bots went with an owner who is erased: for the receipt, however often it is asked for. */
interface ErasedBotsRow {
  user_id: string;
  bots: number;
}

export const botRows = table<BotRow>('bots', { byOwner: ['owner_user_id'] });
const erasedBotsRows = table<ErasedBotsRow>('erased_bots');

export const bots = projection<BotEvent>({
  name: 'bots',
  version: 2,
  tables: [botRows, erasedBotsRows],
  on: {
    BotCreated: (event, { stream, version, metadata }) => [
      put(botRows, idInStream(stream), {
        id: idInStream(stream),
        owner_user_id: event.ownerUserId,
        title: event.title,
        description: event.description,
        instruction: event.instruction,
        shared_scope: 'private',
        status: 'unshared',
        sync_status: 'SUCCEEDED',
        create_time: Instant.toSeconds(metadata.at),
        version,
      }),
    ],
    BotDeleted: (_, { stream }) => [remove(botRows, idInStream(stream))],
    BotDeletedWithOwner: (event, { stream }) => [
      remove(botRows, idInStream(stream)),
      add(erasedBotsRows, event.ownerUserId, { bots: 1 }, { user_id: event.ownerUserId }),
    ],
  },
});

/** The bot, if this user may see it: what may not be seen is as absent as what never was. */
export class BotSeenBy extends Query<BotRow | null> {
  constructor(
    readonly botId: string,
    readonly userId: string,
  ) {
    super();
  }
}

@QueryHandler(BotSeenBy)
export class FindBotSeenBy implements IQueryHandler<BotSeenBy> {
  constructor(private readonly models: ReadModels) {}

  async execute({ botId, userId }: BotSeenBy) {
    const row = await this.models.get(botRows, botId);
    return row && row.owner_user_id === userId ? row : null;
  }
}

/** Ids of some of a user's bots. Instructions are long, so a page is limited in bytes. */
export class BotsOf extends Query<readonly string[]> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(BotsOf)
export class FindBotsOf implements IQueryHandler<BotsOf> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userId }: BotsOf) {
    const query = { index: 'byOwner', where: { owner_user_id: userId }, limit: 1_000, bytes: 1024 * 1024 };
    return (await this.models.find(botRows, query)).rows.map((row) => row.id);
  }
}

/** How many bots went with this user. */
export class BotsErasedOf extends Query<number> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(BotsErasedOf)
export class CountBotsErasedOf implements IQueryHandler<BotsErasedOf> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userId }: BotsErasedOf) {
    return (await this.models.get(erasedBotsRows, userId))?.bots ?? 0;
  }
}
