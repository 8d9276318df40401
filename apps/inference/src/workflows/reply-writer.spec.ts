import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import type { Vault } from '@parlance/privacy';
import type { Clock } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import type { Catalogue } from '../adapters/catalogue.ts';
import type { Turn } from '../adapters/chat-model.ts';
import type { ExecuteConversation } from '../commands/aggregates.ts';
import { QuestionOf } from '../projections/owed-replies.ts';
import { type Question, ReplyWriter } from './reply-writer.ts';

const reply = { conversationId: 'c', replyId: 'r', claim: 'one' };
const question: Question = { userId: 'ann', model: 'm', parentId: 'p', text: 'why', eventId: 'e' };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

interface Parts {
  readonly generate?: (turns: readonly Turn[]) => Promise<{ text: string; usage: typeof usage }>;
  readonly command?: () => Promise<void>;
  readonly open?: (text: string) => Promise<string | null>;
  /** What the rows hold of the question. */
  readonly asked?: object | null;
}

function writing({ generate, command, open = async (text) => `open ${text}`, asked = null }: Parts = {}) {
  const told = { commands: [] as string[], turns: [] as readonly Turn[], contexts: [] as unknown[], errors: 0 };
  const writer = new ReplyWriter(
    {
      execute: async ({ command: { type } }: InstanceType<typeof ExecuteConversation>) => {
        told.commands.push(type);
        const { caller, causationId } = RequestContext.current()!;
        told.contexts.push([caller?.userId, caller?.groups, causationId]);
        await command?.();
      },
    } as unknown as CommandBus,
    {
      execute: async (query: object) => (query instanceof QuestionOf ? asked : [{ role: 'user', content: 'before' }]),
    } as unknown as QueryBus,
    { open, seal: async (_: unknown, text: string) => text } as unknown as Vault,
    {
      model: () => ({
        chat: {
          generate: async (turns: readonly Turn[]) => {
            told.turns = turns;
            return generate ? generate(turns) : { text: 'because', usage };
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
    const { writer, told } = writing({ asked: { userId: 'ann', model: 'm', parentId: null, content: 'sealed' } });
    await writer.write(reply);
    expect(told.turns.at(-1)).toEqual({ role: 'user', text: 'open sealed' });
  });
  it('does nothing when the question is gone', async () => {
    const { writer, told } = writing();
    await writer.write(reply);
    expect([told.commands, told.errors]).toEqual([[], 0]);
  });
  it('fails a reply whose question cannot be opened any more', async () => {
    const { writer, told } = writing({ asked: { userId: 'ann', model: 'm', parentId: null, content: 'x' }, open: async () => null });
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
  it.each(['claim_lost', 'reply_is_over'])('says nothing more after %s', async (code) => {
    const { writer, told } = writing({ command: () => Promise.reject(refuse('conflict', code, 'It is over.')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['CompleteReply'], 0]);
  });
});
