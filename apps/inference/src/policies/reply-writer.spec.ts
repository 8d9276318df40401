import type { CommandBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Vault } from '@parlance/privacy';
import type { Clock, Logger, Streams } from '@parlance/service-kit';
import type { Catalogue } from '../src/adapters/catalogue.ts';
import type { ExecuteConversation } from '../src/commands/conversation.ts';
import { ReplyWriter } from '../src/policies/reply-writer.ts';

/** What a writer asks of its stream when opening the question fails like this. */
async function commandsWhenFailing(error: Error): Promise<readonly string[]> {
  const asked: string[] = [];
  const commands = { execute: async ({ command }: ExecuteConversation) => void asked.push(command.type) };
  const submitted = {
    type: 'MessageSubmitted',
    userId: 'ann',
    botId: null,
    messageId: 'm',
    replyId: 'r',
    parentId: null,
    content: 's1.x',
    model: 'm',
  };
  const writer = new ReplyWriter(
    commands as unknown as CommandBus,
    { history: async () => [submitted] } as unknown as Streams,
    { open: () => Promise.reject(error) } as unknown as Vault,
    {} as Catalogue,
    { now: () => Instant.ofMillis(0) } as Clock,
    { warn: () => undefined, error: () => undefined } as unknown as Logger,
  );
  await writer.take('c', 'r');
  await writer.stop();
  return asked;
}

describe('writing a reply', () => {
  it('leaves it to be taken up again when what failed will be back', async () => {
    const away = Object.assign(new Error('the database is away'), { name: 'MongoNetworkError' });
    expect(await commandsWhenFailing(away)).toEqual(['ClaimReply']);
  });
  it('ends it as failed when what failed will not', async () => {
    expect(await commandsWhenFailing(new TypeError('a mistake'))).toEqual(['ClaimReply', 'FailReply']);
  });
});
