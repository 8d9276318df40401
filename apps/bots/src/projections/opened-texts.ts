import { Injectable } from '@nestjs/common';
import { type Sealed, Vault } from '@parlance/privacy';
import { botNotFound } from '../domain/bot.ts';
import type { BotText } from '../domain/configuration.ts';

/** Sealed texts up to this length are cached: titles and descriptions, not instructions. */
const LONGEST_REMEMBERED = 6_000;

/** Opens the sealed texts of bots. */
@Injectable()
export class OpenedTexts {
  constructor(private readonly vault: Vault) {}

  /** Empty if there is no text. Throws the refusal `bot_not_found` if the key is destroyed, because the bot is being deleted. */
  async open(text: BotText | null): Promise<string> {
    const opened = await this.openIfThere(text);
    if (opened === null) throw botNotFound();
    return opened;
  }

  /**
   * Like `open`, but null if the key is destroyed. Titles and descriptions are cached, because a page of a list has two hundred and
   * decryption was 30 % of its CPU time.
   */
  async openIfThere(text: BotText | null): Promise<string | null> {
    if (typeof text !== 'string' || text.length > LONGEST_REMEMBERED) return this.openNow(text);
    return this.vault.openOften(text as Sealed);
  }

  /** Like `openIfThere`, without caching the text: for reading all bots once. */
  async openNow(text: BotText | null): Promise<string | null> {
    if (text === null) return '';
    return typeof text === 'string' ? this.vault.open(text as Sealed) : text.clear;
  }
}
