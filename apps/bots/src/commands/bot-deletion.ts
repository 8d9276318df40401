import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { type ExecuteOptions, Streams } from '@parlance/foundation';
import { Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { bot, botStream, type LivingBot } from '../domain/bot.ts';
import type { Person } from '../domain/sharing.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { ExecuteBot } from './aggregates.ts';
import { lastTitleSubject } from './bot-subject.ts';
import { BotWriter } from './bot-writer.ts';

/**
 * Deletes bots. The last title is kept for administrators' figures, sealed under a separate key within the owner's key: the key of the
 * bot's texts is destroyed, and erasing the owner removes the title too.
 */
@Injectable()
export class BotDeletion {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly texts: OpenedTexts,
    private readonly vault: Vault,
    private readonly writer: BotWriter,
  ) {}

  /** Also destroys the key of the bot's texts. Throws the refusals of the decider. */
  async delete(botId: string, by: Person, options: ExecuteOptions): Promise<void> {
    const state = await this.streams.load(bot, botStream(botId));
    const decision = bot.decide({ type: 'Delete', by }, state);
    // No key is created for a deletion that is refused.
    const isRefused = decision instanceof Refusal || decision.length === 0;
    if (isRefused || state.status !== 'living' || !(await this.withTitle(botId, state, by, options)))
      await this.commands.execute(new ExecuteBot(botId, { type: 'Delete', by }, options));
    await this.writer.shred(botId);
  }

  /** False if there is no title to keep: the key of the texts, or of the owner, is being destroyed. */
  private async withTitle(botId: string, { ownerUserId, title: sealed }: LivingBot, by: Person, options: ExecuteOptions): Promise<boolean> {
    const title = await this.texts.openIfThere(sealed);
    if (title === null) return false;
    try {
      await this.vault.sealing(lastTitleSubject(botId, ownerUserId), async (seal) => {
        const command = { type: 'Delete', by, lastTitle: seal.text(title) } as const;
        const { written } = await this.commands.execute(new ExecuteBot(botId, command, { ...options, companions: seal.companions }));
        if (written) seal.stored();
      });
      return true;
    } catch (error) {
      if (error instanceof Shredded || error instanceof SubjectMoved) return false;
      throw error;
    }
  }
}
