import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, Streams } from '@parlance/foundation';
import { ServiceCalls } from '@parlance/calls';
import { costOf } from '@parlance/money';
import { RequestContext } from '@parlance/observability';
import { type Sealed, Vault } from '@parlance/privacy';
import { Budgets, NO_RESERVATION, type Reservation } from '../adapters/budgets.ts';
import { groupsOf } from '../adapters/tools/user-groups.ts';
import { type ModelEntry, PROVIDER_TYPES } from '@parlance/config';
import { Catalogue } from '../adapters/pricing/catalogue.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { UsedApi } from '../domain/conversation-owner.ts';
import type { Price } from '../domain/model-prices.ts';
import { type SealedTurn, Transcript } from '../projections/transcript.ts';
import { type ClientTerms, textsOfTerms } from '../workflows/client-terms.ts';
import { ReplyMemory } from '../workflows/memory/reply-memory.ts';
import { ProjectInstructions } from '../workflows/projects/project-instructions.ts';
import { type CountedFile, TOKENS_OF_AN_IMAGE, tokensOfFiles, tokensOfTexts } from './prompt-tokens.ts';

/** The properties of a requested reply that determine its cost. */
export interface ReplyToReserve {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  /** Null for the newest message. */
  readonly parentId: string | null;
  /** The text of the message, and the texts that were sent with it. */
  readonly question: readonly string[];
  readonly files?: readonly CountedFile[];
  /** Set if the bot was already read when the message was accepted. This is only done for bots without knowledge. */
  readonly bot?: { readonly instruction: string; readonly hasTools: boolean };
  /** The project of a conversation that begins with this reply. */
  readonly projectId?: string;
  /** Set if a program requests the reply. */
  readonly api?: UsedApi;
}

/** A model call outside replies, for example for a title. */
export interface SideCall {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly texts: readonly string[];
  readonly images?: number;
  readonly outputTokens: number;
  /** The call is not made by a request of the user, so the user's groups are fetched from identity. */
  readonly isInBackground?: boolean;
}

/** A reply's model call that follows tool results. */
export interface NextCall {
  readonly replyId: string;
  readonly model: string;
  readonly promptTokens: number;
}

/** Reserved for a bot's instruction, chunks and tools while they are unknown. */
export const TOKENS_OF_A_BOT = 32_000;
/** Reserved for tokens that a provider adds to a prompt. */
const TOKENS_OF_A_PROMPT = 200;
/** Reserved for the answer of a model without `max_output_tokens`. */
export const OUTPUT_TOKENS = 8_192;
/** Added for models whose tokenizer is not public. They count up to a seventh more than our tokenizer. */
export const MARGIN = 1 / 7;

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
    private readonly vault: Vault,
    private readonly projects: ProjectInstructions,
    private readonly memory: ReplyMemory,
  ) {}

  /** For a free model, nothing is reserved and the budgets are not called. Throws as `Budgets.reserve` does. */
  async reserve(conversationId: string, request: ReplyToReserve): Promise<Reservation> {
    const models = await this.pricedOf(request.model);
    if (models.length === 0) return NO_RESERVATION;
    const { userId, botId, api } = request;
    const payer = { userId, groups: this.groupsFor(userId, api !== undefined), botId, keyId: api?.keyId ?? null };
    return this.budgets.reserve(payer, async () => {
      const tokens = await this.inputTokens(conversationId, request);
      return Math.max(...models.map((each) => mostOf(each, tokens)));
    });
  }

  /** Reserves the cost of a call whose whole prompt and longest answer are known. */
  async reserveCall({ userId, botId, model, texts, images = 0, outputTokens, isInBackground = false }: SideCall): Promise<Reservation> {
    const models = await this.pricedOf(model);
    if (models.length === 0) return NO_RESERVATION;
    return this.budgets.reserve({ userId, groups: this.groupsFor(userId, isInBackground), botId, keyId: null }, async () => {
      const tokens = (await tokensOfTexts(texts)) + images * TOKENS_OF_AN_IMAGE + TOKENS_OF_A_PROMPT;
      return Math.max(
        ...models.map(({ model: its, ...each }) => mostOf({ model: { ...its, max_output_tokens: outputTokens }, ...each }, tokens)),
      );
    });
  }

  /** Reserves the cost of a reply's next model call, in the budgets that applied to its message. Null if none did. */
  async reserveNext(conversationId: string, { replyId, model, promptTokens }: NextCall): Promise<Reservation | null> {
    const models = await this.pricedOf(model);
    if (models.length === 0) return null;
    const { state } = await this.streams.look(conversation, conversationStream(conversationId));
    const { budgets = [] } = state.running[replyId] ?? {};
    if (budgets.length === 0) return null;
    return this.budgets.reserveAgain(budgets, Math.max(...models.map((each) => mostOf(each, promptTokens + TOKENS_OF_A_PROMPT))));
  }

  /** A user's own request contains the groups. For other calls, the current groups are fetched from identity, if any group has a budget. */
  private groupsFor(userId: string, areFetched: boolean): () => Promise<readonly string[]> {
    const stated = RequestContext.current()?.caller?.groups ?? [];
    return areFetched ? () => groupsOf(this.calls, userId) : async () => stated;
  }

  /** The model and its fallbacks, without those that have no price. */
  private async pricedOf(id: string): Promise<readonly PricedModel[]> {
    const now = this.clock.now();
    const priced = [];
    for (const each of [id, ...(this.catalogue.entries.get(id)?.fallbacks ?? [])]) {
      const model = this.catalogue.entries.get(each);
      const price = model ? await this.catalogue.recentPriceAt(each, now) : null;
      const type = this.catalogue.providerTypeOf(each);
      if (model && price) priced.push({ model, price, margin: type !== null && PROVIDER_TYPES[type].hasOwnTokenizer ? MARGIN : 0 });
    }
    return priced;
  }

  /** Counts the prompt, and adds a constant for a bot that is not known yet. */
  private async inputTokens(
    conversationId: string,
    { userId, botId, model, parentId, question, files = [], bot, projectId, api }: ReplyToReserve,
  ): Promise<number> {
    const newest = parentId ?? (await this.streams.load(conversation, conversationStream(conversationId))).lastMessageId;
    const bytes = question.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const turns = await this.queries.execute(new Transcript(conversationId, newest, bytes));
    const earlier = await Promise.all(turns.map((turn) => this.textsOf(turn)));
    const ofProject = api ? '' : await this.projects.of(conversationId, userId, projectId);
    const memoryTokens = api ? 0 : await this.memory.mostTokens(userId);
    const texts = [...question, ...earlier.flat(), ...(bot ? [bot.instruction] : []), ofProject];
    const latestFirst = [...files, ...turns.toReversed().flatMap((turn) => turn.files ?? [])];
    const fileTokens = tokensOfFiles(latestFirst, this.catalogue.readsOfAny(model));
    const isKnown = botId === null || (bot !== undefined && !bot.hasTools);
    return (await tokensOfTexts(texts)) + memoryTokens + fileTokens + TOKENS_OF_A_PROMPT + (isKnown ? 0 : TOKENS_OF_A_BOT);
  }

  private async textsOf({ content, terms }: SealedTurn): Promise<readonly string[]> {
    const text = (await this.vault.open(content as Sealed)) ?? '';
    const sent = terms === undefined ? null : await this.vault.openJson<ClientTerms>(terms as Sealed);
    return [text, ...(sent ? textsOfTerms(sent) : [])];
  }
}

interface PricedModel {
  readonly model: ModelEntry;
  readonly price: Price;
  /** Share by which the model may count more tokens than our tokenizer. */
  readonly margin: number;
}

function mostOf({ model, price, margin }: PricedModel, tokens: number): number {
  const { context_window: contextWindow, max_output_tokens: maxOutputTokens } = model;
  const input = Math.min(Math.ceil(tokens * (1 + margin)), contextWindow);
  const output = Math.min(maxOutputTokens ?? OUTPUT_TOKENS, contextWindow);
  return costOf(input, Math.max(price.input, price.cacheRead, price.cacheWrite)) + costOf(output, price.output);
}
