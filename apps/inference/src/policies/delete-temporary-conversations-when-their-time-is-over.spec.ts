import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { ShutdownPlan } from '@parlance/observability';
import type { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from './delete-temporary-conversations-when-their-time-is-over.ts';

const clock = { now: () => Instant.ofSeconds(1_800_000_000) } as Clock;

describe('expired temporary conversations', () => {
  it('are found after others that a hold keeps', async () => {
    const all = Array.from({ length: 25 }, (_, index) => ({ conversation_id: `c${index}`, user_id: 'ann', last_message_id: 'r' }));
    // Pages of ten. None is deleted.
    const execute = async ({ args }: { args: readonly unknown[] }) => {
      const from = (args[1] as readonly [number] | null)?.[0] ?? 0;
      return { rows: all.slice(from, from + 10), keys: [], next: from + 10 < all.length ? [from + 10] : null };
    };
    const seen: string[] = [];
    const removal = { expire: async (id: string) => void seen.push(id) } as unknown as ConversationRemoval;
    const config = { temporaryChatHours: 24 } as Config;
    const policy = new DeleteTemporaryConversationsWhenTheirTimeIsOver(
      { execute } as unknown as QueryBus,
      removal,
      clock,
      { stop: () => undefined } as unknown as ShutdownPlan,
      config,
    );
    await policy.delete();
    expect(seen).toEqual(all.map(({ conversation_id }) => conversation_id));
    await policy.delete();
    expect(seen.slice(25)).toEqual(seen.slice(0, 25));
  });
});
