import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it, jest } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import type { Vault } from '@parlance/privacy';
import type { Clock } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import type { Catalogue } from '../adapters/catalogue.ts';
import type { Chunk, Knowledge, Produced, Prompt, Turn } from '@parlance/chat-models';
import type { ExecuteConversation } from '../commands/aggregates.ts';
import { QuestionOf } from '../projections/owed-replies.ts';
import type { BotKnowledge, FromBot } from '../adapters/bot-knowledge.ts';
import type { ConversationCommand } from '../domain/conversation-commands.ts';
import { type Question, ReplyPrompt } from './reply-prompt.ts';
import { ReplyWriter } from './reply-writer.ts';

const reply = { conversationId: 'c', replyId: 'r', claim: 'one' };
const question: Question = { userId: 'ann', botId: null, model: 'm', parentId: 'p', text: 'why', eventId: 'e' };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

interface Parts {
  readonly generate?: (prompt: Prompt) => Promise<{ text: string; usage: typeof usage }>;
  readonly search?: (...asked: string[]) => Promise<FromBot>;
  readonly command?: () => Promise<void>;
  readonly open?: (text: string) => Promise<string | null>;
  /** What the rows hold of the question. */
  readonly asked?: object | null;
}

function writing({ generate, search, command, open = async (text) => `open ${text}`, asked = null }: Parts = {}) {
  const told = {
    commands: [] as string[],
    ends: [] as ConversationCommand[],
    searches: [] as string[][],
    prompt: {} as Prompt,
    turns: [] as readonly Turn[],
    contexts: [] as unknown[],
    errors: 0,
  };
  const vault = {
    open,
    seal: async (_: unknown, text: string) => text,
    sealJson: async (_: unknown, value: object) => JSON.stringify(value),
  };
  const queries = {
    execute: async (query: object) => (query instanceof QuestionOf ? asked : [{ role: 'user', content: 'before' }]),
  } as unknown as QueryBus;
  const bots = {
    search: async (...searched: string[]) => {
      told.searches.push(searched);
      return search!();
    },
  } as unknown as BotKnowledge;
  const writer = new ReplyWriter(
    {
      execute: async ({ command: ended }: InstanceType<typeof ExecuteConversation>) => {
        told.commands.push(ended.type);
        told.ends.push(ended);
        const { caller, causationId } = RequestContext.current()!;
        told.contexts.push([caller?.userId, caller?.groups, causationId]);
        await command?.();
      },
    } as unknown as CommandBus,
    queries,
    vault as unknown as Vault,
    new ReplyPrompt(queries, vault as unknown as Vault, bots),
    {
      model: () => ({
        chat: {
          generate: async function* (prompt: Prompt): AsyncGenerator<Produced> {
            told.turns = prompt.turns;
            told.prompt = prompt;
            const answer = generate ? await generate(prompt) : { text: 'because', usage };
            yield { type: 'text', text: answer.text };
            yield { type: 'end', stopReason: 'end_turn', usage: answer.usage, requestId: null };
          },
        },
      }),
      cost: () => 0,
    } as unknown as Catalogue,
    { now: () => Instant.ofMillis(0) } as Clock,
    { warn: () => undefined, error: () => void told.errors++ } as unknown as Logger,
  );
  return { writer, told };
}

const away = () => Promise.reject(Object.assign(new Error('the database is away'), { name: 'MongoNetworkError' }));

describe('writing a reply', () => {
  it('gives the model the earlier turns and the question', async () => {
    const { writer, told } = writing();
    await writer.write(reply, question);
    expect([told.commands, told.turns]).toEqual([
      ['CompleteReply'],
      [
        { role: 'user', text: 'open before' },
        { role: 'user', text: 'why' },
      ],
    ]);
  });
  it('is on record as caused by the user and the message, without their rights', async () => {
    const { writer, told } = writing();
    const caller = { userId: 'ann', groups: ['Admin'], sessionId: 's', kind: 'user' } as const;
    await RequestContext.run({ ...RequestContext.background(), caller }, () => writer.write(reply, question));
    expect(told.contexts).toEqual([['ann', [], 'e']]);
  });
  it('reads the question of a reply that is taken over', async () => {
    const { writer, told } = writing({ asked: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'sealed' } });
    await writer.write(reply);
    expect(told.turns.at(-1)).toEqual({ role: 'user', text: 'open sealed' });
  });
  it('does nothing when the question is gone', async () => {
    const { writer, told } = writing();
    await writer.write(reply);
    expect([told.commands, told.errors]).toEqual([[], 0]);
  });
  it('fails a reply whose question cannot be opened any more', async () => {
    const { writer, told } = writing({
      asked: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'x' },
      open: async () => null,
    });
    await writer.write(reply);
    expect(told.commands).toEqual(['FailReply']);
  });
  it('leaves it to be taken over when a database is away', async () => {
    const { writer, told } = writing({ open: away });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([[], 1]);
  });
  it('ends it as failed when the model fails', async () => {
    const { writer, told } = writing({ generate: () => Promise.reject(new TypeError('a mistake')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['FailReply'], 0]);
  });
  it('leaves it to be taken over when its lease ends before the model is asked', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const { writer, told } = writing();
    await writer.write(reply, question);
    timeout.mockRestore();
    expect([told.turns, told.commands, told.errors]).toEqual([[], [], 1]);
  });
  it.each(['claim_lost', 'reply_is_over'])('says nothing more after %s', async (code) => {
    const { writer, told } = writing({ command: () => Promise.reject(refuse('conflict', code, 'It is over.')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['CompleteReply'], 0]);
  });
});

describe('writing a reply of a bot', () => {
  const ofBot: Question = { ...question, botId: 'b' };
  const chunk: Chunk = {
    content: 'Because.',
    content_type: 'text',
    source: 'why.pdf',
    source_name: 'why.pdf',
    source_id: 's1',
    page_number: 2,
    heading: null,
    rank: 1,
    score: 0.5,
  };
  const found = (showsSources: boolean, chunks: readonly Chunk[] = [chunk]): FromBot => {
    const knowledge: Knowledge = { chunks, showsSources };
    return { instruction: 'Be brief.', knowledge };
  };
  const reading = (text: string) => async () => ({ text, usage });

  it('searches for the question as its user, and gives the model what was found', async () => {
    const { writer, told } = writing({ search: async () => found(true) });
    await writer.write(reply, ofBot);
    expect(told.searches).toEqual([['b', 'ann', 'why']]);
    expect(told.prompt).toMatchObject({ instruction: 'Be brief.', knowledge: { chunks: [chunk] } });
  });
  it('searches also for a reply that is taken over', async () => {
    const asked = { userId: 'ann', botId: 'b', model: 'm', parentId: null, content: 'sealed' };
    const { writer, told } = writing({ asked, search: async () => found(true) });
    await writer.write(reply);
    expect(told.searches).toEqual([['b', 'ann', 'open sealed']]);
  });
  it('searches nothing without a bot', async () => {
    const { writer, told } = writing();
    await writer.write(reply, question);
    expect([told.searches, told.prompt.knowledge, told.ends]).toMatchObject([[], null, [{ usedChunks: null }]]);
  });
  it('stores the chunks, and keeps markers of these alone', async () => {
    const two = [chunk, { ...chunk, rank: 2 }];
    const { writer, told } = writing({ search: async () => found(true, two), generate: reading('So [^1], and [^2] not [^3].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([
      { content: 'So [^1], and [^2] not.', usedChunks: { content: JSON.stringify(two), sourceIds: ['s1'] } },
    ]);
  });
  it('stores no chunk and no marker for a bot that does not show its sources', async () => {
    const { writer, told } = writing({ search: async () => found(false), generate: reading('So [^1].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ content: 'So.', usedChunks: null }]);
  });
  it('stores no chunks when none was found', async () => {
    const { writer, told } = writing({ search: async () => found(true, []), generate: reading('No [^1].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ content: 'No.', usedChunks: null }]);
  });
  it('leaves a text that was written without knowledge as it is', async () => {
    const { writer, told } = writing({ generate: reading('A footnote is [^1].') });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([{ content: 'A footnote is [^1].' }]);
  });
  it('fails with the code of the refusal when the bot is gone', async () => {
    const gone = () => Promise.reject(refuse('missing', 'bot_not_found', 'It is gone.'));
    const { writer, told } = writing({ search: gone });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ type: 'FailReply', code: 'bot_not_found', reason: 'It is gone.' }]);
  });
  it('leaves it to be taken over when the bots service does not answer', async () => {
    const { writer, told } = writing({ search: () => Promise.reject(refuse('unavailable', 'service_unavailable', 'Away.')) });
    await writer.write(reply, ofBot);
    expect([told.commands, told.errors]).toEqual([[], 1]);
  });
});
