import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Projector } from '@parlance/read-models';
import { ExecuteBot, ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { botNotFound } from '../domain/bot.ts';
import type { Person } from '../domain/sharing.ts';
import { knowledge } from '../projections/knowledge/knowledge.ts';
import { SyncOf } from '../projections/knowledge/queries.ts';

/**
 * Reserves a bot for a publication. Two streams decide one after the other. The bot's stream checks that the user may publish the bot and that all
 * users see it. Then the stream of its knowledge checks that the knowledge was read. In between, the reserved bot refuses every change of its scope
 * and its knowledge, so all conditions are met at the second append.
 *
 * All three methods may be repeated. A call with the number of an earlier request has no effect.
 */
@Injectable()
export class PublicationReservation {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly projector: Projector,
  ) {}

  /**
   * Throws the refusals `bot_not_found`, `not_owner`, `bot_not_public`, `sync_not_succeeded`, `already_published` and
   * `publication_is_over`. The caller releases the bot after each of them, because the first of the two appends may have succeeded.
   */
  async reserve(botId: string, by: Person, number: number): Promise<void> {
    const { position } = await this.commands.execute(new ExecuteBot(botId, { type: 'ReserveForPublication', by, number }));
    // The row shows which version is to be read, so it must include all changes up to the reservation.
    if ((await this.projector.reached(knowledge.name)) < position)
      throw refuse('unavailable', 'read_model_behind', 'The state of the knowledge cannot be read now. Try again.', { retry_after: 1 });
    const sync = await this.queries.execute(new SyncOf(botId));
    if (!sync) throw botNotFound();
    await this.commands.execute(new ExecuteKnowledgeSync(botId, { type: 'ConfirmForPublication', number, wanted: sync.wanted }));
  }

  /** Throws the refusals `bot_not_found` and `publication_is_over`. */
  async complete(botId: string, number: number): Promise<void> {
    await this.commands.execute(new ExecuteBot(botId, { type: 'CompletePublication', number }));
  }

  async release(botId: string, number: number): Promise<void> {
    await this.commands.execute(new ExecuteBot(botId, { type: 'ReleaseFromPublication', number }));
  }
}
