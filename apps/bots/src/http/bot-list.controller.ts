import { Controller, Delete, Get, HttpCode, Body, Patch, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { userSubject } from '@parlance/foundation';
import { Caller, IdParam, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Shredded, Vault } from '@parlance/privacy';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { ExecuteShelf } from '../commands/aggregates.ts';
import { userErased } from '../commands/bot-writer.ts';
import { type ShelfCommand, shelfId } from '../domain/shelf.ts';
import { BotList, LIST_KINDS } from '../projections/bots/bot-lists.ts';
import { BotItem, BotSummary, pageOf } from './answers.ts';
import { BotAnswers } from './bot-answers.ts';

class ListQuery extends PageQuery {
  /** The caller's own bots, other bots that the caller may see, or recently used bots. */
  @IsIn(LIST_KINDS) kind: 'private' | 'shared' | 'mixed' = 'private';
  @IsOptional() @IsBoolean() starred?: boolean;
}

class StarredBody {
  @IsBoolean() starred!: boolean;
}

@Controller('bot')
export class BotListController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly tokens: PageTokens,
    private readonly vault: Vault,
  ) {}

  @Get()
  @SignedIn()
  @Summary('List own bots (private), other bots that the caller may see (shared), or recently used bots (mixed).')
  @Answers(200, pageOf('bots', BotItem))
  @Refuses('invalid_next_token', 400)
  async list(@Caller() caller: Caller, @Query() { kind, starred, limit, next_token }: ListQuery) {
    const listId = { list: 'bots', user: caller.userId, kind, starred };
    const after = next_token === undefined ? null : this.tokens.open<string>(listId, next_token);
    const { bots, next } = await this.queries.execute(new BotList({ person: caller, kind, starred, limit, after }));
    return { bots: await this.answers.items(bots), next_token: next === null ? null : this.tokens.seal(listId, next) };
  }

  @Patch(':botId/starred')
  @SignedIn()
  @Summary('Star a bot, or remove the star. Only the caller sees it.')
  @Answers(200, BotSummary)
  @Refuses('bot_not_found', 404)
  async star(@Caller() caller: Caller, @IdParam('botId') botId: string, @Body() { starred }: StarredBody): Promise<BotSummary> {
    const seen = await this.answers.seen(botId, caller);
    await this.shelve(caller, botId, { type: starred ? 'Star' : 'Unstar' });
    return this.answers.summary(seen);
  }

  @Delete(':botId/recently-used')
  @SignedIn()
  @HttpCode(204)
  @Summary("Remove a bot from the caller's recently used bots, until it is used again.")
  @Answers(204)
  @Refuses('bot_not_found', 404)
  async removeFromRecent(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<void> {
    await this.answers.seen(botId, caller);
    await this.shelve(caller, botId, { type: 'RemoveFromRecent' });
  }

  /** Writes nothing about an erased user, whom the vault recognises by the destroyed key. */
  private async shelve({ userId }: Caller, botId: string, command: ShelfCommand): Promise<void> {
    try {
      await this.vault.sealing(userSubject(userId), () => this.commands.execute(new ExecuteShelf(shelfId(userId, botId), command)));
    } catch (error) {
      throw error instanceof Shredded ? userErased() : error;
    }
  }
}
