import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { nextTurn } from '@parlance/event-loop';
import { Internal } from '@parlance/http';
import { IsOptional, Length } from 'class-validator';
import { botNotFound } from '../../domain/bot.ts';
import { OwnBotIds } from '../../projections/bots/bot-queries.ts';
import { FileListing } from '../../workflows/transfer/file-listing.ts';
import { BotAnswers } from '../bot-answers.ts';
import { botFileOf, sourcesIn } from './bot-file.ts';

class ExportedBody {
  @Length(1, 128) user_id!: string;
  /** The last bot of the previous page. */
  @IsOptional() @Length(1, 128) after?: string;
}

interface BotFile {
  readonly bot_id: string;
  readonly yaml: string;
}

/** Characters and file names of a page. A single bot may exceed them. */
const PAGE_LENGTH = 1024 * 1024;
const PAGE_FILES = 1_000;

/** The bots of a user as files, for exporting the user's own data. */
@Controller('internal/bots/exported')
@Internal()
export class InternalBotFilesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly listing: FileListing,
  ) {}

  /** As `GET /bot/{botId}/export` returns them, without checksums. A bot that is being deleted is left out. */
  @Post()
  @HttpCode(200)
  async exported(@Body() { user_id, after }: ExportedBody): Promise<{ bots: readonly BotFile[]; next: string | null }> {
    const { ids, next } = await this.queries.execute(new OwnBotIds(user_id, after ?? null));
    const bots: BotFile[] = [];
    let [length, files] = [0, 0];
    for (const bot_id of ids) {
      await nextTurn();
      const found = await this.file(user_id, bot_id);
      if (found) {
        bots.push({ bot_id, yaml: found.yaml });
        length += found.yaml.length;
        files += found.files;
      }
      if (length >= PAGE_LENGTH || files >= PAGE_FILES) return { bots, next: bot_id };
    }
    return { bots, next };
  }

  private async file(userId: string, botId: string): Promise<{ readonly yaml: string; readonly files: number } | null> {
    try {
      const configuration = await this.answers.plain(await this.answers.seen(botId, { userId, groups: [] }));
      const { filenames } = sourcesIn(configuration.texts);
      const listed = filenames.length === 0 ? [] : await this.listing.of({ ownerUserId: userId, botId }, filenames);
      const entries = listed.map(({ name, stored }) => ({ name, ...(stored && { bytes: stored.size, content_type: stored.contentType }) }));
      return { yaml: botFileOf(configuration, entries), files: filenames.length };
    } catch (error) {
      if (error instanceof Refusal && error.code === botNotFound().code) return null;
      throw error;
    }
  }
}
