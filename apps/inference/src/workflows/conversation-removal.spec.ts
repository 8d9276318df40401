import type { Logger } from 'pino';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Vault } from '@parlance/privacy';
import type { MessageFiles } from '../adapters/files/message-files.ts';
import type { ExecuteConversation } from '../commands/aggregates.ts';
import { ConversationRemoval } from './conversation-removal.ts';
import type { MemoryChanges } from './memory/memory-changes.ts';
import type { HoldsOnConversations } from './holds/holds-on-conversations.ts';
import { LiveReplies } from './live-replies.ts';
import type { ConversationShares } from './shares/conversation-shares.ts';

/** Erases a conversation whose rows show these messages, one list after another, and whose stream has `stored`. */
function erasing(shown: (readonly string[])[], stored: readonly string[]) {
  const steps: string[] = [];
  const left = new Set(stored);
  const commands = {
    execute: async ({ command }: InstanceType<typeof ExecuteConversation>) => {
      const { messageIds } = command as Extract<typeof command, { type: 'Erase' }>;
      if (steps.length > 10) throw new Error('the erasure does not end');
      const removed = messageIds.filter((id) => left.delete(id));
      steps.push(removed.join());
      return { state: { erased: left.size === 0 }, written: removed.length > 0 };
    },
  } as unknown as CommandBus;
  const nextRows = () => (shown.length > 1 ? shown.shift()! : shown[0]!).map((id) => ({ id, files: 0 }));
  const queries = { execute: async () => nextRows() } as unknown as QueryBus;
  const vault = { shred: async () => void steps.push('key') } as unknown as Vault;
  const files = { removeAll: async () => void steps.push('files') } as unknown as MessageFiles;
  const shares = { endSharesOf: async () => void steps.push('shares') } as unknown as ConversationShares;
  const memory = { removeOfConversation: async () => void steps.push('memory') } as unknown as MemoryChanges;
  const live = new LiveReplies();
  const writing = (conversationId: string) => {
    const now = Instant.ofMillis(0);
    return live.begin({ userId: 'ann', conversationId, replyId: `r${conversationId}`, claim: 'one', leaseUntil: now }, now);
  };
  const [reply, other] = [writing('c'), writing('d')];
  const holds = {} as HoldsOnConversations;
  const removal = new ConversationRemoval(commands, queries, vault, files, live, shares, holds, memory, {} as Logger);
  return { erased: removal.erase('c', 'ann'), steps, reply, other };
}

describe('erasing a conversation', () => {
  it('ends the calls to providers for its replies, and no others', async () => {
    const { erased, reply, other } = erasing([['a']], ['a']);
    await erased;
    expect([reply.signal.reason, other.signal.aborted]).toMatchObject([{ because: 'lost' }, false]);
  });
  it('destroys the key before it removes messages', async () => {
    const { erased, steps } = erasing([['a', 'b'], ['c']], ['a', 'b', 'c']);
    await erased;
    expect(steps).toEqual(['key', 'shares', 'memory', 'files', 'a,b', 'c']);
  });
  it('continues if the rows still show removed messages', async () => {
    const { erased, steps } = erasing([['a'], ['b']], ['b']);
    await erased;
    expect(steps).toEqual(['key', 'shares', 'memory', 'files', '', 'b']);
  });
  it('fails when the rows no longer change', async () => {
    const { erased } = erasing([['a']], ['a', 'b']);
    await expect(erased).rejects.toMatchObject({ kind: 'unavailable', code: 'erasure_incomplete' });
  });
});
