import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { LOGGER, Streams } from '@parlance/foundation';
import type { Caller } from '@parlance/http';
import type { Logger } from 'pino';
import { BotKnowledge } from '../../../adapters/bot-knowledge.ts';
import type { PaidSearch } from '../../../adapters/from-bot.ts';
import { SearchCharges } from '../../../adapters/pricing/search-charges.ts';
import { knowledgeCharge, knowledgeChargeStream } from '../../../domain/knowledge-charge.ts';
import { hasFailed } from '../openai/ended-reply.ts';
import { OpenAiReplies } from '../openai/openai-replies.ts';
import { calledBot, PublishedReplies } from '../published-replies.ts';
import type { Answer, AskInput, FoundTexts, SearchInput } from './tool-schemas.ts';

/** The result of a tool call, in the form of the protocol. */
export interface ToolAnswer<Structured> {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Structured;
  readonly isError?: true;
}

/** One tool call. `id`: the ID of the reply that it may begin. */
export interface BotCall {
  readonly caller: Caller;
  readonly id: string;
  readonly reader: AbortSignal;
}

/** The MCP tools of a published bot. Refusals are returned as results, so that a model can read them. */
@Injectable()
export class BotTools {
  constructor(
    private readonly published: PublishedReplies,
    private readonly replies: OpenAiReplies,
    private readonly bots: BotKnowledge,
    private readonly searches: SearchCharges,
    private readonly streams: Streams,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Resolves when the bot has answered. The reply continues even if the reader leaves. */
  ask({ caller, id, reader }: BotCall, { question, conversation_id: known }: AskInput): Promise<ToolAnswer<Answer>> {
    return this.answered(async () => {
      if (known !== undefined) await this.published.requireConversation(caller, known);
      const { conversationId } = await this.published.accept(caller, {
        conversationId: known ?? null,
        parentId: null,
        replyId: id,
        content: [{ content_type: 'text', body: question }],
        model: undefined,
        reasoning: false,
        continues: false,
      });
      const ended = await this.replies.ended({ conversationId, replyId: id, userId: caller.userId }, reader);
      if (hasFailed(ended)) return failed(ended.message);
      const { text, chunks } = ended;
      const sources = chunks.map(({ rank: number, source, source_name, page_number }) => ({ number, source, source_name, page_number }));
      return textAnd(text, { answer: text, conversation_id: conversationId, message_id: id, sources });
    });
  }

  /** Searches the bot's knowledge. The owner of the bot pays for the search. */
  search({ caller }: BotCall, { query, limit }: SearchInput): Promise<ToolAnswer<FoundTexts>> {
    return this.answered(async () => {
      const botId = calledBot(caller);
      const { knowledge, bot } = await this.bots.search(botId, caller.userId, query);
      await this.charge(caller, botId, bot);
      if (!knowledge) return failed('This bot has no knowledge.');
      if (!knowledge.showsSources) return failed('This bot does not show the texts of its knowledge. Use the tool ask.');
      const texts = knowledge.chunks.slice(0, limit).map(({ content, source, source_name, page_number, heading }) => ({
        content,
        source,
        source_name,
        page_number,
        heading,
      }));
      const all = texts.map(({ content, source_name }) => `${source_name}:\n${content}`).join('\n\n');
      return textAnd(all === '' ? 'Nothing was found.' : all, { texts });
    });
  }

  private async charge({ userId, api }: Caller, botId: string, paid: PaidSearch | null): Promise<void> {
    if (!paid || !api) return;
    const payer = { userId, botId, api: { apiId: api.apiId, keyId: api.keyId } };
    for (const { chargeId: _, ...charge } of await this.searches.of(paid, ''))
      await this.streams.execute(knowledgeCharge, knowledgeChargeStream(newId()), { type: 'Charge', ...payer, ...charge });
  }

  private async answered<Structured>(work: () => Promise<ToolAnswer<Structured>>): Promise<ToolAnswer<Structured>> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) return failed(error.message);
      this.log.error({ err: error }, 'a tool call of a published bot failed');
      return failed('The bot cannot answer now. Try again later.');
    }
  }
}

const textAnd = <Structured>(text: string, structuredContent: Structured): ToolAnswer<Structured> => ({
  content: [{ type: 'text', text }],
  structuredContent,
});

const failed = (text: string): ToolAnswer<never> => ({ content: [{ type: 'text', text }], isError: true });
