import type { Chunk } from '@parlance/chat-models';
import { Tool, type ToolContext, type ToolDefinition, type ToolResult } from '@parlance/tools';
import { Refusal } from '@parlance/decider';
import { type BotKnowledge, QUESTION_SEARCHED } from '../bot-knowledge.ts';
import type { PaidSearch } from '../from-bot.ts';

/** A result whose texts are added to the prompt, with numbers that the reply can cite. */
export interface FoundInKnowledge extends ToolResult, PaidSearch {
  readonly chunks: readonly Chunk[];
  readonly chunkIds: readonly string[];
}

export const isFoundInKnowledge = (result: ToolResult): result is FoundInKnowledge => 'chunks' in result;

/** Searches the bot's knowledge with the user's current rights. */
export class KnowledgeSearch extends Tool {
  override readonly writes = false;
  override readonly definition: ToolDefinition = {
    name: 'knowledge_search',
    description:
      'Searches the knowledge of this bot for words other than those of the question. Results are added to the retrieved texts, with numbers to cite.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', maxLength: QUESTION_SEARCHED, description: 'What to search for.' } },
      required: ['query'],
      additionalProperties: false,
    },
  };

  constructor(private readonly bots: Pick<BotKnowledge, 'search'>) {
    super();
  }

  override async call(input: unknown, { botId, userId }: ToolContext): Promise<ToolResult | FoundInKnowledge> {
    const { query } = input as { query?: unknown };
    if (typeof query !== 'string' || query.trim() === '') return { text: 'The argument `query` must be a text.', isError: true };
    if (botId === null) return { text: 'There is no knowledge to search.', isError: true };
    try {
      const { knowledge, bot } = await this.bots.search(botId, userId, query);
      if (!knowledge) return { text: 'This bot has no knowledge.', isError: true };
      const paid = { embedding: bot?.embedding ?? null, reranking: bot?.reranking ?? null };
      return { text: '', isError: false, chunks: knowledge.chunks, chunkIds: bot?.chunkIds ?? [], ...paid };
    } catch (error) {
      if (error instanceof Refusal) return { text: `The knowledge cannot be searched now: ${error.message}`, isError: true };
      throw error;
    }
  }
}
