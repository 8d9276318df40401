import type { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { Audited, Caller, IdParam, LongAnswer, SignedIn } from '@parlance/http';
import { disposition } from '@parlance/object-store';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { type UploadLocation, FileStore } from '../../adapters/file-store.ts';
import { archiveOf, type ArchivedFile } from '../../adapters/transfer/archive-writer.ts';
import { FileListing, type ListedFile } from '../../workflows/transfer/file-listing.ts';
import { Transfers } from '../../workflows/transfer/transfers.ts';
import { BotAnswers } from '../bot-answers.ts';
import { botFileOf, type FileEntry, type PlainConfiguration, sourcesIn } from './bot-file.ts';

class ExportQuery {
  /** True returns a ZIP with bot.yaml and the uploaded files. */
  @IsOptional() @IsBoolean() files?: boolean;
}

const YAML = 'application/yaml';
/** The response schema. It accepts anything: clients receive YAML as text, but response validators check the parsed value. */
const YAML_OR_ITS_VALUE = {};
const ZIP = 'application/zip';

@Controller('bot/:botId/export')
export class ExportController {
  constructor(
    private readonly answers: BotAnswers,
    private readonly files: FileStore,
    private readonly listing: FileListing,
    private readonly transfers: Transfers,
  ) {}

  @Get()
  @SignedIn()
  @LongAnswer()
  @Audited('export_bot', 'bot', 'botId')
  @Summary("Download a bot's configuration, which can be imported again. For its owner, its editors and administrators.")
  @Answers(200, YAML_OR_ITS_VALUE, { mediaType: YAML, description: 'The configuration, or an archive with it and the files.' })
  @Answers(200, { type: 'string', contentEncoding: 'binary' }, { mediaType: ZIP })
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('files_too_large', 409)
  @Refuses('transfer_running', 429)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async export(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Query() { files = false }: ExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const seen = await this.answers.configurable(botId, caller);
    await this.answers.recordRead(seen);
    const configuration = await this.answers.plain(seen);
    const location = { ownerUserId: seen.row.owner_user_id, botId };
    const { filenames } = sourcesIn(configuration.texts);
    const listed = filenames.length === 0 ? [] : await this.listing.of(location, filenames);
    if (files) this.listing.requireFew(listed);
    const body = files ? this.archive(location, configuration, listed) : await this.text(caller, location, configuration, listed);
    void reply
      .status(200)
      .header('content-type', files ? ZIP : `${YAML}; charset=utf-8`)
      .header('content-disposition', disposition('', `bot-${botId}.${files ? 'zip' : 'yaml'}`))
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, no-store')
      .send(body);
  }

  private async text(
    { userId }: Caller,
    location: UploadLocation,
    configuration: PlainConfiguration,
    listed: readonly ListedFile[],
  ): Promise<string> {
    const sums = listed.length === 0 ? null : await this.transfers.during(userId, () => this.listing.checksums(location, listed));
    return botFileOf(
      configuration,
      listed.map((file) => entryOf(file, sums?.get(file.name))),
    );
  }

  private archive(location: UploadLocation, configuration: PlainConfiguration, listed: readonly ListedFile[]): Readable {
    const entries: FileEntry[] = listed.map((file) => entryOf(file));
    const archived = listed.flatMap(({ name, stored }, index): ArchivedFile[] => {
      if (stored === null) return [];
      const path = pathOf(name, index);
      return [
        {
          path,
          open: async () => {
            const object = await this.files.open(location, name);
            if (!object) throw new Error('a file was removed during the export');
            return object.body;
          },
          written: (sha256, bytes) => (entries[index] = { ...entries[index]!, path, bytes, sha256 }),
        },
      ];
    });
    return archiveOf(archived, () => botFileOf(configuration, entries));
  }
}

const entryOf = ({ name, stored }: ListedFile, sha256?: string): FileEntry => ({
  name,
  ...(stored && { bytes: stored.size, content_type: stored.contentType }),
  ...(sha256 !== undefined && { sha256 }),
});

/** The path of a file in the archive. It begins with a number, so that no two paths are equal on any system, and none is `..`. */
const pathOf = (name: string, index: number) => `files/${String(index + 1).padStart(4, '0')}-${name.replaceAll(/[<>:"|?*]/g, '_')}`;
