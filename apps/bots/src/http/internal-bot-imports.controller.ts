import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { BodyLimit, Caller, Internal, IsUlid } from '@parlance/http';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { BotWriter } from '../commands/bot-writer.ts';
import { SyncRuns } from '../workflows/sync-runs.ts';
import { CreateBotBody } from './bodies/bot-bodies.ts';
import { MOST_BOT_BYTES } from './bot.controller.ts';
import { configurationOf } from './configurations.ts';
import { KnowledgeChecks } from './knowledge-checks.ts';

const NEWEST_MILLIS = 8_640_000_000_000;

class BotImportBody {
  @IsUlid() id!: string;
  /** When the other product created the bot, in epoch milliseconds. */
  @IsOptional() @IsInt() @Min(0) @Max(NEWEST_MILLIS) created_at?: number;
  @ValidateNested() @Type(() => CreateBotBody) bot!: CreateBotBody;
}

/** For `parlance migrate`. */
@Controller('internal/imports/bots')
@Internal()
export class InternalBotImportsController {
  constructor(
    private readonly writer: BotWriter,
    private readonly knowledge: KnowledgeChecks,
    private readonly syncs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  /** Creates a bot of the caller as `POST /bot` does. An existing bot is not changed. */
  @Post()
  @HttpCode(204)
  @BodyLimit(MOST_BOT_BYTES)
  async take(@Caller() { userId }: Caller, @Body() { id, created_at, bot }: BotImportBody): Promise<void> {
    const { texts, settings } = configurationOf(bot, this.clock.now());
    await this.knowledge.require(id, { base: settings.bedrock_knowledge_base, sources: texts.knowledge });
    const createdAt = created_at === undefined ? undefined : Instant.ofMillis(created_at);
    await this.writer.create(id, userId, texts, settings, createdAt);
    if (texts.knowledge !== '') this.syncs.wake();
  }
}
