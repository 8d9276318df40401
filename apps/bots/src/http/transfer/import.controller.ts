import { isUtf8 } from 'node:buffer';
import { Body, Controller, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Clock, Scratch } from '@parlance/foundation';
import { AlsoTakesText, Audited, BodyLimit, Caller, etagOf, FreshId, IsUlid, LongAnswer, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { download } from '../../adapters/downloads.ts';
import { type UploadLocation, FileStore } from '../../adapters/file-store.ts';
import { ArchiveReader } from '../../adapters/transfer/archive-reader.ts';
import { MOST_YAML_BYTES, YamlReader, yamlTooLarge } from '../../adapters/yaml/yaml-reader.ts';
import { BotWriter } from '../../commands/bot-writer.ts';
import { botIdTaken } from '../../domain/bot.ts';
import { WholeBot } from '../../projections/bots/bot-queries.ts';
import { SyncRuns } from '../../workflows/sync-runs.ts';
import { Transfers } from '../../workflows/transfer/transfers.ts';
import { invalid } from '../bodies/invalid.ts';
import { FileName } from '../bodies/knowledge.ts';
import { BotAnswers } from '../bot-answers.ts';
import { KnowledgeChecks } from '../knowledge-checks.ts';
import { BotImport, type LeftOut } from './answers.ts';
import { botOfFile } from './bot-file-body.ts';
import { type PlainConfiguration, sourcesIn } from './bot-file.ts';
import { damagedOr, ImportFiles, type ImportedFiles } from './import-files.ts';
import { ImportFitting, withSources } from './import-fitting.ts';

class ImportQuery {
  /** True: nothing is created, and the answer is what would be created. */
  @IsOptional() @IsBoolean() dry_run?: boolean;
  /** The ID of the new bot. Required if files or an archive were uploaded for it. */
  @IsOptional() @IsUlid() id?: string;
}

/** Either the text of bot.yaml, or the name of an archive that was uploaded for the ID of the new bot. */
class ImportBody {
  @IsOptional() @IsString() yaml?: string;
  @IsOptional() @FileName() archive?: string;
}

/** JSON needs up to six bytes for a byte of text. */
const MOST_BODY_BYTES = 6 * MOST_YAML_BYTES;
const DOWNLOAD_MILLIS = 600_000;
const TEXT_NAME = 'bot.yaml';

interface Imported {
  readonly configuration: PlainConfiguration;
  readonly leftOut: readonly LeftOut[];
  /** Absent if the bot gets no file. */
  readonly unchecked?: readonly string[];
}

@Controller('bot/import')
export class ImportController {
  constructor(
    private readonly queries: QueryBus,
    private readonly writer: BotWriter,
    private readonly answers: BotAnswers,
    private readonly knowledge: KnowledgeChecks,
    private readonly fitting: ImportFitting,
    private readonly importFiles: ImportFiles,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
    private readonly yaml: YamlReader,
    private readonly transfers: Transfers,
    private readonly syncs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  @Post()
  @BodyLimit(MOST_BODY_BYTES)
  @AlsoTakesText('application/yaml', 'yaml')
  @Needs('CreatingBotAllowed')
  @LongAnswer()
  @Audited('import_bot', 'bot')
  @Summary('Create a bot from an export: from its YAML, or from its archive. A dry run returns what would be created.')
  @Answers(201, BotImport)
  @Answers(200, BotImport)
  @Refuses('invalid_yaml', 400)
  @Refuses('invalid_archive', 400)
  @Refuses('archive_not_uploaded', 400)
  @Refuses('yaml_too_large', 413)
  @Refuses('bot_id_taken', 409)
  @Refuses('files_too_large', 409)
  @Refuses('knowledge_base_limit', 409)
  @Refuses('transfer_running', 429)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async import(
    @Caller() caller: Caller,
    @FreshId() freshId: string,
    @Query() { dry_run = false, id: chosen }: ImportQuery,
    @Body() { yaml, archive }: ImportBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BotImport> {
    if ((yaml === undefined) === (archive === undefined)) throw invalid('yaml', 'must be present, unless archive is');
    if (archive !== undefined && chosen === undefined) throw invalid('id', 'must be the ID that the archive was uploaded for');
    const id = chosen ?? freshId;
    const existing = await this.queries.execute(new WholeBot(id, null));
    if (existing && existing.row.owner_user_id !== caller.userId) throw botIdTaken();
    const location = { ownerUserId: caller.userId, botId: id };
    // A repeated request finds the bot that an earlier one created, and stores nothing.
    const isMaking = !dry_run && !existing;
    const imported = await this.transfers.during(caller.userId, () =>
      archive === undefined ? this.ofText(yaml!, chosen === undefined ? null : location) : this.ofArchive(location, archive, isMaking),
    );
    const { texts, settings } = imported.configuration;
    const answer = {
      dry_run,
      configuration: configurationAnswer(imported.configuration),
      left_out: imported.leftOut,
      unchecked_files: imported.unchecked ?? [],
    };
    if (dry_run) {
      void reply.status(200);
      return { ...answer, bot: null };
    }
    if (isMaking) {
      await this.knowledge.require(id, { base: settings.bedrock_knowledge_base, sources: texts.knowledge });
      await this.writer.create(id, caller.userId, texts, settings);
      if (texts.knowledge !== '') this.syncs.wake();
    }
    const made = await this.answers.seen(id, caller);
    reply.header('etag', etagOf(made.row.version));
    return { ...answer, bot: await this.answers.privateBot(made) };
  }

  private async ofText(yaml: string, location: UploadLocation | null): Promise<Imported> {
    const { files, ...bot } = botOfFile(await this.yaml.read(yaml), this.clock.now());
    const { configuration, leftOut } = await this.fitting.fitted(bot);
    if (!this.files.isConfigured) return { configuration, leftOut };
    return withFiles({ configuration, leftOut }, await this.importFiles.uploaded(location, files));
  }

  private async ofArchive(location: UploadLocation, name: string, isMaking: boolean): Promise<Imported> {
    await this.files.requireAvailable();
    const object = await this.files.open(location, name);
    if (!object) throw notUploaded();
    if (this.files.isTooLarge(object.size)) {
      object.body.destroy();
      throw refuse('too_large', 'body_too_large', `The archive is larger than ${this.files.mostMebibytes} MiB.`);
    }
    return this.scratch.use(async (directory) => {
      const { path } = await download(object.body, directory, AbortSignal.timeout(DOWNLOAD_MILLIS));
      const archive = await ArchiveReader.open(path);
      try {
        const size = archive.sizeOf(TEXT_NAME);
        if (size === null) throw invalid('archive', `must have the file ${TEXT_NAME} at its top`);
        if (size > MOST_YAML_BYTES) throw yamlTooLarge();
        const text = Buffer.concat(await damagedOr((await archive.read(TEXT_NAME)).toArray()));
        if (!isUtf8(text)) throw invalid('archive', `must have the file ${TEXT_NAME} in UTF-8`);
        const { files, ...bot } = botOfFile(await this.yaml.read(text.toString('utf8')), this.clock.now());
        const fitted = await this.fitting.fitted(bot);
        return withFiles(fitted, await this.importFiles.archived(archive, files, isMaking ? location : null));
      } finally {
        archive.close();
      }
    });
  }
}

function withFiles({ configuration, leftOut }: Imported, { names, leftOut: fileLeftOut, unchecked }: ImportedFiles): Imported {
  const sources = sourcesIn(configuration.texts);
  return { configuration: withSources(configuration, { ...sources, filenames: names }), leftOut: [...leftOut, ...fileLeftOut], unchecked };
}

const configurationAnswer = ({ texts, settings }: PlainConfiguration): BotImport['configuration'] => ({
  title: texts.title,
  description: texts.description,
  instruction: texts.instruction,
  guardrail_blocked_text: texts.blockedText,
  conversation_quick_starters:
    texts.quickStarters === '' ? [] : (JSON.parse(texts.quickStarters) as BotImport['configuration']['conversation_quick_starters']),
  knowledge: sourcesIn(texts),
  ...settings,
});

const notUploaded = () =>
  refuse('invalid', 'archive_not_uploaded', 'The archive was not uploaded for this ID. Get an address with GET /bot/{id}/presigned-url.', {
    errors: [{ path: 'archive', message: 'must name an uploaded file' }],
  });
