import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { projection, put, ReadModels, remove, table } from '@parlance/read-models';
import { idOf } from '@parlance/service-kit';
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
}

export const botRows = table<BotRow>('bots');

export const bots = projection<BotEvent>({
  name: 'bots',
  version: 1,
  tables: [botRows],
  on: {
    BotCreated: (event, { stream, metadata }) => [
      put(botRows, idOf(stream), {
        id: idOf(stream),
        owner_user_id: event.ownerUserId,
        title: event.title,
        description: event.description,
        instruction: event.instruction,
        shared_scope: 'private',
        status: 'unshared',
        sync_status: 'SUCCEEDED',
        create_time: Instant.toSeconds(metadata.at),
      }),
    ],
    BotDeleted: (_, { stream }) => [remove(botRows, idOf(stream))],
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
