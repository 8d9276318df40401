import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config, wholeCatalogue } from '@parlance/config';
import { Refusal } from '@parlance/decider';
import { LOGGER, Streams, userSubject } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { Shredded, Vault } from '@parlance/privacy';
import type { Logger } from 'pino';
import { fileIdOf, type UploadLocation, FileStore } from '../adapters/file-store.ts';
import { GuideFiles } from '../adapters/guide-files.ts';
import { ExecuteBot, ExecuteUploads } from '../commands/aggregates.ts';
import { BotWriter, userErased } from '../commands/bot-writer.ts';
import { bot, botStream } from '../domain/bot.ts';
import { type BotSettings, DEFAULT_SETTINGS } from '../domain/configuration.ts';
import { NO_SOURCES } from '../domain/knowledge/knowledge-sources.ts';
import { uploadsId } from '../domain/uploads.ts';
import { ADMIN_GROUP } from '../domain/sharing.ts';
import { SyncRuns } from './sync-runs.ts';

const MODEL = 'local-extractive';
/** The highest order, so that the guide comes after the bots that administrators pin. */
const LAST_ORDER = 999;
/** Chunks are short, so that each has one subject and neighbouring passages do not hide the one that answers. */
const CHUNKING = {
  chunking_strategy: 'fixed_size',
  fixed_size_chunking_configuration: { max_tokens: 120, overlap_percentage: 20 },
} as const;

const TEXTS = {
  title: 'Parlance Guide',
  description:
    'Answers questions about Parlance from its documentation, and shows the passages that it quotes. It works without a model provider.',
  instruction:
    'Answer questions about Parlance from the retrieved passages of its documents. If they do not answer the question, say so. Be brief.',
};

const QUICK_STARTERS = [
  { title: 'Give a bot knowledge', example: 'How do I upload files to the knowledge of a bot?' },
  { title: 'Connect a model', example: 'How do I connect a model of OpenAI or Anthropic?' },
  { title: 'Publish a bot', example: 'How do I publish a bot as a REST API?' },
];

/**
 * Creates the bot that answers questions about the product. All its IDs are derived from its owner, and each step does nothing when
 * repeated, so that an interrupted delivery can be repeated and continues.
 */
@Injectable()
export class GuideBot {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly writer: BotWriter,
    private readonly vault: Vault,
    private readonly files: FileStore,
    private readonly guide: GuideFiles,
    private readonly syncs: SyncRuns,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Does nothing for a guide that was deleted. Throws only transient failures, so that the delivery is retried. */
  async make(ownerUserId: string): Promise<void> {
    const botId = guideIdOf(ownerUserId);
    if (!this.files.isConfigured) return this.log.info('the guide bot is not created, because there is no object store for its documents');
    try {
      const state = await this.streams.load(bot, botStream(botId));
      if (state.status === 'deleted') return;
      // Clients may choose the IDs of their bots.
      if (state.status === 'living' && state.ownerUserId !== ownerUserId) return;
      if (state.status === 'absent') await this.create({ ownerUserId, botId });
      await this.share(botId, ownerUserId);
    } catch (error) {
      if (isTransient(error) || !(error instanceof Refusal)) throw error;
      // Its owner has deleted or changed it meanwhile, or is erased.
      this.log.info({ botId, code: error.code }, 'the guide bot is not changed');
    }
  }

  private async create(location: UploadLocation): Promise<void> {
    const filenames: string[] = [];
    for await (const { name, content } of this.guide.all()) {
      await this.upload(location, name, content);
      filenames.push(name);
    }
    if (filenames.length === 0) return this.log.info('the guide bot is not created, because the documents are not installed');
    const texts = {
      ...TEXTS,
      quickStarters: JSON.stringify(QUICK_STARTERS),
      knowledge: JSON.stringify({ ...NO_SOURCES, filenames }),
      blockedText: '',
    };
    await this.writer.create(location.botId, location.ownerUserId, texts, this.settings());
    this.syncs.wake();
  }

  /** Uploads a file, unless it exists because it was uploaded before an interruption. */
  private async upload(location: UploadLocation, name: string, content: Buffer): Promise<void> {
    if (await this.files.stat(location, name)) return;
    const file = fileIdOf(location.botId, name);
    const grant = new ExecuteUploads(
      uploadsId(location.ownerUserId, location.botId),
      { type: 'Grant', file, by: location.ownerUserId },
      { once: `guide-file.${file}` },
    );
    try {
      await this.vault.sealing(userSubject(location.ownerUserId), () => this.commands.execute(grant));
    } catch (error) {
      throw error instanceof Shredded ? userErased() : error;
    }
    await this.files.put(location, name, content, 'text/markdown');
  }

  /** Shares and pins the guide. Each step is done once, so that it is not repeated after an administrator has undone it. */
  private async share(botId: string, ownerUserId: string): Promise<void> {
    const by = { userId: ownerUserId, groups: [ADMIN_GROUP] };
    const sharing = { scope: 'all' } as const;
    await this.commands.execute(new ExecuteBot(botId, { type: 'Share', by, sharing }, { once: `guide-shared.${botId}` }));
    await this.commands.execute(new ExecuteBot(botId, { type: 'Pin', by, order: LAST_ORDER }, { once: `guide-pinned.${botId}` }));
  }

  /** The offline model, if the catalogue has it. */
  private settings(): BotSettings {
    const { models, globalAvailableModels: allowed } = this.config;
    const isOffered = wholeCatalogue(models).models.some(({ id }) => id === MODEL) && (allowed.length === 0 || allowed.includes(MODEL));
    const base = { ...DEFAULT_SETTINGS.bedrock_knowledge_base, chunking_configuration: CHUNKING };
    return {
      ...DEFAULT_SETTINGS,
      icon: 'compass',
      colour: 'blue',
      bedrock_knowledge_base: base,
      ...(isOffered && { active_models: [MODEL], default_model: MODEL }),
    };
  }
}

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** The ID of this owner's guide: a ULID with the time of the user's ID. */
export function guideIdOf(ownerUserId: string): string {
  const bytes = createHash('sha256').update(`guide ${ownerUserId}`).digest().subarray(0, RANDOM_DIGITS);
  return ownerUserId.slice(0, TIME_DIGITS) + [...bytes].map((byte) => BASE_32[byte % BASE_32.length]).join('');
}
