import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@parlance/event-store';
import { type ExecuteOptions, LOGGER } from '@parlance/foundation';
import type { Logger } from 'pino';
import { type Picture, PictureFiles } from '../adapters/picture-files.ts';
import { BotWriter } from '../commands/bot-writer.ts';
import { UploadNotes } from '../commands/upload-notes.ts';
import type { Person } from '../domain/sharing.ts';

/** A bot, and the picture that it has now. */
export interface PicturedBot {
  readonly id: string;
  readonly owner_user_id: string;
  readonly picture: string | null;
}

/**
 * Stores a new picture before the event that names it, and removes the earlier one afterwards. The clean-up of uploads removes what an
 * interruption or a refusal leaves.
 */
@Injectable()
export class BotPictures {
  constructor(
    private readonly writer: BotWriter,
    private readonly notes: UploadNotes,
    private readonly files: PictureFiles,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Throws the refusals of the decider, and `too_many_uploads` (conflict). */
  async set(bot: PicturedBot, by: Person, bytes: Buffer, options: ExecuteOptions = {}): Promise<void> {
    const [pictureId, location] = [newId(), locationOf(bot)];
    await this.noteFile(bot, by);
    const sealed = await this.writer.sealFile(location, bytes.toString('base64'));
    await this.files.put(location, pictureId, sealed);
    await this.change(bot, by, pictureId, options);
  }

  /** Does nothing without a picture. Throws as `set` does. */
  async remove(bot: PicturedBot, by: Person, options: ExecuteOptions): Promise<void> {
    if (bot.picture !== null) await this.noteFile(bot, by);
    await this.change(bot, by, null, options);
  }

  /** Null if there is no such picture, or it can no longer be read. */
  async find(bot: PicturedBot): Promise<Picture | null> {
    return bot.picture === null ? null : this.files.find(locationOf(bot), bot.picture);
  }

  /** From now on, the clean-up looks for files of the bot that it does not use. */
  private async noteFile(bot: PicturedBot, by: Person): Promise<void> {
    await this.notes.note(locationOf(bot), { type: 'GrantCopies', files: 1, by: by.userId });
  }

  private async change(bot: PicturedBot, by: Person, picture: string | null, options: ExecuteOptions): Promise<void> {
    const location = locationOf(bot);
    const settings = picture === bot.picture ? {} : { picture };
    await this.writer.configure(location, by, { texts: {}, settings }, options);
    if (bot.picture === null) return;
    await this.files
      .remove(location, bot.picture)
      .catch((err: unknown) => this.log.warn({ err, botId: bot.id }, 'an earlier picture of a bot could not be removed yet'));
  }
}

const locationOf = ({ id, owner_user_id }: PicturedBot) => ({ botId: id, ownerUserId: owner_user_id });
