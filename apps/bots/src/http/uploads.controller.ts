import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Audited, Caller, IdParam, isInGroup, issuedTo, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Matches, MaxLength } from 'class-validator';
import { fileIdOf, FileStore } from '../adapters/file-store.ts';
import { UploadNotes } from '../commands/upload-notes.ts';
import { notEditor } from '../domain/bot.ts';
import { mayConfigure } from '../domain/sharing.ts';
import { WholeBot } from '../projections/bots/bot-queries.ts';
import { relationTo } from '../projections/bots/bot-rows.ts';
import { FileUpload } from './answers.ts';
import { FileName } from './bodies/knowledge.ts';
import { BotAnswers } from './bot-answers.ts';

const ADDRESS_MILLIS = 3_600_000;

class FileQuery {
  @FileName() filename!: string;
}

class UploadQuery extends FileQuery {
  /** The content type of the upload. How the file is read depends on its content instead. */
  @MaxLength(200)
  @Matches(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/, {
    message: 'must be a content type such as application/pdf',
  })
  content_type!: string;
}

/** Where a bot's files are stored. Files of a saved bot belong to its owner, others to the caller. */
interface Location {
  readonly ownerUserId: string;
  readonly botId: string;
  readonly isSaved: boolean;
}

/** Files of a bot's knowledge. They are uploaded before the bot is saved with their names. */
@Controller('bot/:botId')
export class UploadsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly files: FileStore,
    private readonly answers: BotAnswers,
    private readonly notes: UploadNotes,
    private readonly clock: Clock,
  ) {}

  @Get('presigned-url')
  @SignedIn()
  @Audited('upload_file', 'bot', 'botId')
  @Summary(
    'Get an address for uploading a file. The bot need not exist yet: create it with this ID within a day. For its owner, its editors and administrators.',
  )
  @Answers(200, FileUpload)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  @Refuses('not_editor', 403)
  @Refuses('group_required', 403)
  @Refuses('too_many_uploads', 409)
  async upload(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Query() { filename, content_type }: UploadQuery,
  ): Promise<FileUpload> {
    const location = await this.locationOf(botId, caller);
    await this.files.requireAvailable();
    const expires = Instant.plus(this.clock.now(), ADDRESS_MILLIS);
    const file = fileIdOf(botId, filename);
    await this.notes.note(location, { type: 'Grant', file, by: caller.userId });
    const grant = { contentType: content_type, expiresAt: new Date(expires), issuedTo: issuedTo(caller) };
    const { url, headers } = await this.files.upload(location, filename, grant);
    return { url, method: 'PUT', headers: { ...headers }, expires_at: Instant.toSeconds(expires) };
  }

  @Delete('uploaded-file')
  @SignedIn()
  @HttpCode(204)
  @Audited('remove_file', 'bot', 'botId')
  @Summary("Remove an uploaded file that is not part of the bot's knowledge. For its owner, its editors and administrators.")
  @Answers(204)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  @Refuses('not_editor', 403)
  @Refuses('group_required', 403)
  @Refuses('file_in_use', 409)
  async remove(@Caller() caller: Caller, @IdParam('botId') botId: string, @Query() { filename }: FileQuery): Promise<void> {
    const location = await this.locationOf(botId, caller);
    await this.files.requireAvailable();
    if (location.isSaved && (await this.answers.sourcesOf(botId)).filenames.includes(filename))
      throw refuse('conflict', 'file_in_use', "The file is part of the bot's knowledge. Save the bot without it first.");
    if (!(await this.files.stat(location, filename))) return;
    await this.notes.note(location, { type: 'RemoveFile', file: fileIdOf(botId, filename), by: caller.userId });
    await this.files.remove(location, filename);
  }

  /** A bot that the caller may not see counts as non-existent. */
  private async locationOf(botId: string, caller: Caller): Promise<Location> {
    const found = await this.queries.execute(new WholeBot(botId, caller));
    if (found) {
      if (!mayConfigure(relationTo(caller, found.row))) throw notEditor();
      return { ownerUserId: found.row.owner_user_id, botId, isSaved: true };
    }
    if (!isInGroup(caller, 'CreatingBotAllowed')) throw refuse('forbidden', 'group_required', 'This needs the group CreatingBotAllowed.');
    return { ownerUserId: caller.userId, botId, isSaved: false };
  }
}
