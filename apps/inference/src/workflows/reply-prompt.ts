import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Sealed, Vault } from '@parlance/privacy';
import { BotKnowledge } from '../adapters/bot-knowledge.ts';
import type { FromBot } from '../adapters/from-bot.ts';
import { DEFAULT_PARAMETERS, type Prompt, type Turn } from '@parlance/chat-models';
import { Transcript } from '../projections/transcript.ts';

/** What the reply answers. */
export interface Question {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly parentId: string | null;
  readonly text: string;
  /** The text that the reply continues; empty for a new text. */
  readonly continues: string;
  /** The user wants the model to reason before it answers. */
  readonly wantsReasoning: boolean;
  /** The event that asked, where the process that appended it writes the reply. */
  readonly eventId: string | null;
}

/** Tokens that a model may reason with. */
export const REASONING_TOKENS = 2_048;

const NO_BOT: FromBot = { instruction: '', knowledge: null, parameters: DEFAULT_PARAMETERS, isCached: false, bot: null };

/** A prompt, and what the reply needs of its bot beside it. */
export type PromptOfBot = Prompt & Pick<FromBot, 'bot'>;

/** Collects what a model is given for a question. */
@Injectable()
export class ReplyPrompt {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly bots: BotKnowledge,
  ) {}

  /** Rejects as `BotKnowledge.search` does. A message without a bot costs no call. */
  async of(conversationId: string, { userId, botId, parentId, text, continues, wantsReasoning }: Question): Promise<PromptOfBot> {
    const fromBot = botId === null ? NO_BOT : await this.bots.search(botId, userId, text);
    const asked = await this.turns(conversationId, parentId, text);
    const turns: readonly Turn[] = continues === '' ? asked : [...asked, { role: 'assistant', text: continues }];
    // The budget of the bot counts only where the user wants the model to reason.
    const reasoningTokens = wantsReasoning ? fromBot.parameters.reasoningTokens || REASONING_TOKENS : null;
    return { ...fromBot, turns, parameters: { ...fromBot.parameters, reasoningTokens } };
  }

  private async turns(conversationId: string, parentId: string | null, text: string): Promise<readonly Turn[]> {
    const sealed = await this.queries.execute(new Transcript(conversationId, parentId, Buffer.byteLength(text)));
    const turns = await Promise.all(
      sealed.map(async ({ role, content }) => ({ role, text: (await this.vault.open(content as Sealed)) ?? '' })),
    );
    return [...turns, { role: 'user', text }];
  }
}
