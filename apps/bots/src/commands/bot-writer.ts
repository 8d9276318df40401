import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Instant, refuse } from '@parlance/decider';
import { type ExecuteOptions, Streams } from '@parlance/foundation';
import { type Seal, type Sealed, Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { bot, type BotCommand, botIdTaken, botNotFound, botStream } from '../domain/bot.ts';
import type { BotSettings, BotText, BotTexts, Configuration } from '../domain/configuration.ts';
import type { Person } from '../domain/sharing.ts';
import { ExecuteBot } from './aggregates.ts';
import { botSubject } from './bot-subject.ts';

/** The texts of a bot before they are sealed. Empty texts are ''. */
export type PlainTexts = { readonly [Name in keyof BotTexts]-?: string };

/** Seals the texts of commands under their bot's key. A new key is stored in the append that needs it. */
@Injectable()
export class BotWriter {
  constructor(
    private readonly commands: CommandBus,
    private readonly vault: Vault,
    private readonly streams: Streams,
  ) {}

  /** Throws the refusals of the decider, and `bot_id_taken` (conflict) for the ID of another user's bot or of a deleted bot. */
  async create(botId: string, ownerUserId: string, texts: PlainTexts, settings: BotSettings, createdAt?: Instant): Promise<void> {
    // Checked first, because some stores cannot write a key together with the append, and would keep the key although the bot has another owner.
    const existing = await this.streams.load(bot, botStream(botId));
    if (existing.status !== 'absent' && !(existing.status === 'living' && existing.ownerUserId === ownerUserId)) throw botIdTaken();
    const taken = (error: unknown) => {
      if (error instanceof SubjectMoved) return botIdTaken();
      if (!(error instanceof Shredded)) return error;
      return error.subject === botSubject(botId, ownerUserId).id ? botIdTaken() : userErased();
    };
    await this.sealing({ botId, ownerUserId, instead: taken }, (seal) => {
      const configuration = { ...sealed(texts, seal), settings } as BotTexts & { settings: BotSettings };
      return { type: 'Create', ownerUserId, configuration, ...(createdAt !== undefined && { createdAt }) };
    });
  }

  /** Throws the refusals of the decider. Absent texts do not change. */
  async configure(
    target: { readonly botId: string; readonly ownerUserId: string },
    by: Person,
    changes: { readonly texts: Partial<PlainTexts>; readonly settings: Partial<BotSettings> },
    options: ExecuteOptions,
  ): Promise<void> {
    await this.sealing(
      { ...target, instead: withoutKey },
      (seal) => {
        const { texts, settings } = changes;
        const hasSettings = Object.keys(settings).length > 0;
        return { type: 'Configure', by, changes: { ...sealed(texts, seal), ...(hasSettings && { settings }) } };
      },
      options,
    );
  }

  /** Restores the configuration of a version. Seals the texts that release 0.2 stored in the clear. Throws the refusals of the decider. */
  async restore(
    target: { readonly botId: string; readonly ownerUserId: string },
    by: Person,
    { version, configuration }: { readonly version: number; readonly configuration: Configuration },
    options: ExecuteOptions,
  ): Promise<void> {
    const command = (seal: Seal): BotCommand => ({
      type: 'Restore',
      by,
      version,
      configuration: { ...configuration, ...resealed(configuration, seal) },
    });
    await this.sealing({ ...target, instead: withoutKey }, command, options);
  }

  /** Seals a text that is stored as a file of the bot. Throws the refusal `bot_not_found` while the bot is being deleted. */
  async sealFile({ botId, ownerUserId }: { readonly botId: string; readonly ownerUserId: string }, text: string): Promise<Sealed> {
    try {
      return await this.vault.seal(botSubject(botId, ownerUserId), text);
    } catch (error) {
      throw withoutKey(error);
    }
  }

  /** Destroys the key of a deleted bot's texts. */
  async shred(botId: string): Promise<void> {
    await this.vault.shred(botSubject(botId, '').id);
  }

  private async sealing(
    { botId, ownerUserId, instead }: { botId: string; ownerUserId: string; instead: (error: unknown) => unknown },
    command: (seal: Seal) => BotCommand,
    options: ExecuteOptions = {},
  ): Promise<void> {
    try {
      await this.vault.sealing(botSubject(botId, ownerUserId), async (seal) => {
        const { written } = await this.commands.execute(new ExecuteBot(botId, command(seal), { ...options, companions: seal.companions }));
        if (written) seal.stored();
      });
    } catch (error) {
      throw instead(error);
    }
  }
}

/** A bot without its key is being deleted. */
const withoutKey = (error: unknown) => (error instanceof Shredded || error instanceof SubjectMoved ? botNotFound() : error);

export const userErased = () => refuse('unauthenticated', 'invalid_token', 'This user was erased.');

function sealed(texts: Partial<PlainTexts>, seal: Seal): Partial<BotTexts> {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return Object.fromEntries(given.map(([name, text]) => [name, text === '' ? null : seal.text(text)]));
}

function resealed(
  { title, description, instruction, quickStarters, knowledge = null, blockedText = null }: BotTexts,
  seal: Seal,
): BotTexts {
  const one = <Text extends BotText | null>(text: Text) => (text !== null && typeof text !== 'string' ? seal.text(text.clear) : text);
  return {
    title: one(title),
    description: one(description),
    instruction: one(instruction),
    quickStarters: one(quickStarters),
    knowledge,
    blockedText,
  };
}
