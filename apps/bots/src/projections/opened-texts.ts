import { Injectable } from '@nestjs/common';
import { type Sealed, Vault } from '@parlance/privacy';
import { botNotFound } from '../domain/bot.ts';
import type { BotText } from '../domain/configuration.ts';

/** Texts that are remembered, about 10 MB of titles and descriptions. */
const MOST_REMEMBERED = 20_000;
/** Sealed texts up to this length are remembered: titles and descriptions, not instructions. */
const LONGEST_REMEMBERED = 6_000;

/**
 * Opens the sealed texts of bots. Recently opened titles and descriptions are remembered, because a page of a list has two hundred and
 * decryption was 30 % of its CPU time. A remembered text is only found by its sealed form, which goes with the rows of its bot.
 */
@Injectable()
export class OpenedTexts {
  /** Opened texts by their sealed form, the oldest first. */
  private readonly remembered = new Map<string, string>();

  constructor(private readonly vault: Vault) {}

  /** Empty where there is no text. Throws the refusal `bot_not_found` if the key is destroyed, because the bot is being deleted. */
  async open(text: BotText | null): Promise<string> {
    const opened = await this.openIfThere(text);
    if (opened === null) throw botNotFound();
    return opened;
  }

  /** As `open`, but null if the key is destroyed. */
  async openIfThere(text: BotText | null): Promise<string | null> {
    if (typeof text !== 'string' || text.length > LONGEST_REMEMBERED) return this.openNow(text);
    const known = this.remembered.get(text);
    if (known !== undefined) return known;
    const opened = await this.openNow(text);
    if (opened !== null) this.remembered.set(text, opened);
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
    return opened;
  }

  /** As `openIfThere`, without remembering the text: for reading all bots once. */
  async openNow(text: BotText | null): Promise<string | null> {
    if (text === null) return '';
    return typeof text === 'string' ? this.vault.open(text as Sealed) : text.clear;
  }
}
