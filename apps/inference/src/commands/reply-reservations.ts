import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, Streams } from '@parlance/foundation';
import { ServiceCalls } from '@parlance/calls';
import { costOf } from '@parlance/money';
import { RequestContext } from '@parlance/observability';
import { Budgets, NO_RESERVATION, type Reservation } from '../adapters/budgets.ts';
import { groupsOf } from '../adapters/tools/user-groups.ts';
import type { ModelEntry } from '@parlance/config';
import { Catalogue } from '../adapters/catalogue.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { MessageFile } from '../domain/conversation-events.ts';
import type { UsedApi } from '../domain/conversation-holder.ts';
import type { Price } from '../domain/model-prices.ts';
import { textBytes, Transcript } from '../projections/transcript.ts';

/** What a reply is asked for. */
export interface Asked {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  /** Null for the newest message. */
  readonly parentId: string | null;
  /** Of its text, and of what was sent with it. */
  readonly questionBytes: number;
  readonly files?: readonly FileSize[];
  /** Of the bot, where it was read with the message. */
  readonly instruction?: string;
  /** Of a reply that a program asks for. */
  readonly api?: UsedApi;
}

/** What of a file is counted. */
interface FileSize {
  readonly kind: MessageFile['kind'];
  readonly bytes: number;
  readonly textBytes?: number;
}

/** A call beside a reply, for a title for example. */
export interface AskedBeside {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly promptBytes: number;
  readonly images?: number;
  readonly outputTokens: number;
  /** Of a call that no request of the user makes: the user's groups are asked from identity. */
  readonly isInBackground?: boolean;
}

/** A model call of a reply behind results of tools. */
export interface NextCall {
  readonly replyId: string;
  readonly model: string;
  readonly promptBytes: number;
}

/** For the instruction, the chunks and the tools of a bot, as far as they are not known yet. */
export const TOKENS_OF_A_BOT = 32_000;
/** Of an image at most. */
const TOKENS_OF_AN_IMAGE = 1_600;
/** Of a document with its layout. Its text is counted where it has more tokens. */
const BYTES_OF_A_DOCUMENT_TOKEN = 16;
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
    private readonly calls: ServiceCalls,
  ) {}

  /** A free model reserves nothing, and nothing is asked. Throws as `Budgets.reserve` does. */
  async reserve(conversationId: string, asked: Asked): Promise<Reservation> {
    const models = await this.pricedOf(asked.model);
    if (models.length === 0) return NO_RESERVATION;
    const { userId, botId, api } = asked;
    const payer = { userId, groups: this.groupsFor(userId, api !== undefined), botId, keyId: api?.keyId ?? null };
    return this.budgets.reserve(payer, async () => {
      const tokens = await this.inputTokens(conversationId, asked);
      return Math.max(...models.map(({ model, price }) => mostOf(model, price, tokens)));
    });
  }

  /** The same for a call beside a reply, whose whole prompt and longest answer are known. */
  async reserveCall({
    userId,
    botId,
    model,
    promptBytes,
    images = 0,
    outputTokens,
    isInBackground = false,
  }: AskedBeside): Promise<Reservation> {
    const models = await this.pricedOf(model);
    if (models.length === 0) return NO_RESERVATION;
    const tokens = promptBytes + images * TOKENS_OF_AN_IMAGE + TOKENS_OF_A_PROMPT;
    const most = models.map((each) => mostOf({ ...each.model, max_output_tokens: outputTokens }, each.price, tokens));
    return this.budgets.reserve({ userId, groups: this.groupsFor(userId, isInBackground), botId, keyId: null }, async () =>
      Math.max(...most),
    );
  }

  /** The same for the next model call of a reply, in the budgets that applied to its message. Null if none did. */
  async reserveNext(conversationId: string, { replyId, model, promptBytes }: NextCall): Promise<Reservation | null> {
    const models = await this.pricedOf(model);
    if (models.length === 0) return null;
    const { state } = await this.streams.look(conversation, conversationStream(conversationId));
    const { budgets = [] } = state.running[replyId] ?? {};
    if (budgets.length === 0) return null;
    const tokens = promptBytes + TOKENS_OF_A_PROMPT;
    return this.budgets.reserveAgain(budgets, Math.max(...models.map((each) => mostOf(each.model, each.price, tokens))));
  }

  /** A user's own request states the groups. Otherwise those that the user has now are asked from identity, where a budget is for a group. */
  private groupsFor(userId: string, areAsked: boolean): () => Promise<readonly string[]> {
    const stated = RequestContext.current()?.caller?.groups ?? [];
    return areAsked ? () => groupsOf(this.calls, userId) : async () => stated;
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

  /** At least as many as the prompt will have, but for a bot whose knowledge and tools have more than `TOKENS_OF_A_BOT`: a token has at least one byte, and rare texts have one for each. */
  private async inputTokens(
    conversationId: string,
    { botId, parentId, questionBytes: question, files = [], instruction = '' }: Asked,
  ): Promise<number> {
    const newest = parentId ?? (await this.streams.load(conversation, conversationStream(conversationId))).lastMessageId;
    const turns = await this.queries.execute(new Transcript(conversationId, newest, question));
    const bytes = turns.reduce((sum, turn) => sum + textBytes(turn), question);
    const fileTokens = tokensOfFiles([...files, ...turns.flatMap((turn) => turn.files ?? [])]);
    const ofBot = botId === null ? 0 : Math.max(TOKENS_OF_A_BOT, Buffer.byteLength(instruction));
    return bytes + fileTokens + TOKENS_OF_A_PROMPT + ofBot;
  }
}

const tokensOfFiles = (files: readonly FileSize[]): number =>
  files.reduce((sum, { kind, bytes, textBytes: ofText = 0 }) => {
    if (kind === 'image') return sum + TOKENS_OF_AN_IMAGE;
    return sum + Math.max(Math.ceil(bytes / BYTES_OF_A_DOCUMENT_TOKEN), ofText);
  }, 0);

function mostOf({ context_window: contextWindow, max_output_tokens: maxOutputTokens }: ModelEntry, price: Price, tokens: number): number {
  const input = Math.min(tokens, contextWindow);
  const output = Math.min(maxOutputTokens ?? OUTPUT_TOKENS, contextWindow);
  return costOf(input, Math.max(price.input, price.cacheRead, price.cacheWrite)) + costOf(output, price.output);
}
