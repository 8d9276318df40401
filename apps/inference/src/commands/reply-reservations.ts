import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, Streams } from '@parlance/foundation';
import { costOf } from '@parlance/money';
import { RequestContext } from '@parlance/observability';
import { Budgets, NO_RESERVATION, type Reservation } from '../adapters/budgets.ts';
import type { ModelEntry } from '@parlance/config';
import { Catalogue } from '../adapters/catalogue.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { Price } from '../domain/model-prices.ts';
import { Transcript } from '../projections/transcript.ts';

/** What a reply is asked for. */
export interface Asked {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  /** Null for the newest message. */
  readonly parentId: string | null;
  readonly text: string;
}

/** A call beside a reply, for a title for example. */
export interface AskedBeside {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly promptBytes: number;
  readonly outputTokens: number;
}

/** Most texts have more bytes in a token. */
const BYTES_OF_A_TOKEN = 2;
/** For the instruction and the chunks of a bot, which are not known yet. */
export const TOKENS_OF_A_BOT = 32_000;
/** For what a provider adds to a prompt. */
const TOKENS_OF_A_PROMPT = 200;
/** For a model without `max_output_tokens`. */
export const OUTPUT_TOKENS = 8_192;

/** Reserves the most that a reply may cost in the budgets that apply to it. */
@Injectable()
export class ReplyReservations {
  constructor(
    private readonly budgets: Budgets,
    private readonly catalogue: Catalogue,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** A free model reserves nothing, and nothing is asked. Throws as `Budgets.reserve` does. */
  async reserve(conversationId: string, asked: Asked): Promise<Reservation> {
    const models = await this.pricedOf(asked.model);
    if (models.length === 0) return NO_RESERVATION;
    const groups = RequestContext.current()?.caller?.groups ?? [];
    return this.budgets.reserve({ userId: asked.userId, groups, botId: asked.botId }, async () => {
      const tokens = await this.inputTokens(conversationId, asked);
      return Math.max(...models.map(({ model, price }) => mostOf(model, price, tokens)));
    });
  }

  /** The same for a call beside a reply, whose whole prompt and longest answer are known. */
  async reserveCall({ userId, botId, model, promptBytes, outputTokens }: AskedBeside): Promise<Reservation> {
    const models = await this.pricedOf(model);
    if (models.length === 0) return NO_RESERVATION;
    const groups = RequestContext.current()?.caller?.groups ?? [];
    const tokens = Math.ceil(promptBytes / BYTES_OF_A_TOKEN) + TOKENS_OF_A_PROMPT;
    const most = models.map((each) => mostOf({ ...each.model, max_output_tokens: outputTokens }, each.price, tokens));
    return this.budgets.reserve({ userId, groups, botId }, async () => Math.max(...most));
  }

  /** The model and those that may answer in its place, as far as they have a price. */
  private async pricedOf(id: string): Promise<readonly { model: ModelEntry; price: Price }[]> {
    const now = this.clock.now();
    const priced = [];
    for (const each of [id, ...(this.catalogue.entries.get(id)?.fallbacks ?? [])]) {
      const model = this.catalogue.entries.get(each);
      const price = model ? await this.catalogue.recentPriceAt(each, now) : null;
      if (model && price) priced.push({ model, price });
    }
    return priced;
  }

  /** At least as many as the prompt will have, but for a bot with more than `TOKENS_OF_A_BOT`. */
  private async inputTokens(conversationId: string, { botId, parentId, text }: Asked): Promise<number> {
    const newest = parentId ?? (await this.streams.load(conversation, conversationStream(conversationId))).lastMessageId;
    const question = Buffer.byteLength(text);
    const turns = await this.queries.execute(new Transcript(conversationId, newest, question));
    // Sealed text is longer than the text.
    const bytes = turns.reduce((sum, { content }) => sum + content.length, question);
    return Math.ceil(bytes / BYTES_OF_A_TOKEN) + TOKENS_OF_A_PROMPT + (botId === null ? 0 : TOKENS_OF_A_BOT);
  }
}

function mostOf({ context_window: contextWindow, max_output_tokens: maxOutputTokens }: ModelEntry, price: Price, tokens: number): number {
  const input = Math.min(tokens, contextWindow);
  const output = Math.min(maxOutputTokens ?? OUTPUT_TOKENS, contextWindow);
  return costOf(input, Math.max(price.input, price.cacheRead, price.cacheWrite)) + costOf(output, price.output);
}
