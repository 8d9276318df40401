import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import type { Clock, Streams } from '@parlance/foundation';
import type { ShutdownPlan } from '@parlance/observability';
import type { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { HoldsOnConversations } from '../workflows/holds/holds-on-conversations.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from './delete-temporary-conversations-when-their-time-is-over.ts';

const clock = { now: () => Instant.ofSeconds(1_800_000_000) } as Clock;

/** Conversations in pages of ten. None of them is deleted. */
function policyWith(all: readonly { readonly conversation_id: string }[]) {
  const held = new Set<string>();
  const damaged = new Set<string>();
  const [tried, loads]: string[][] = [[], []];
  const execute = async ({ args }: { args: readonly unknown[] }) => {
    const from = (args[1] as readonly [number] | null)?.[0] ?? 0;
    return { rows: all.slice(from, from + 10), keys: [], next: from + 10 < all.length ? [from + 10] : null };
  };
  const load = async (_: unknown, stream: string) => {
    loads!.push(stream);
    if (damaged.has(stream)) throw new Error('damaged');
    return { on: held.has(stream) ? ['h'] : [] };
  };
  const removal = { expire: async (id: string) => void tried!.push(id) } as unknown as ConversationRemoval;
  const policy = new DeleteTemporaryConversationsWhenTheirTimeIsOver(
    { execute } as unknown as QueryBus,
    removal,
    new HoldsOnConversations({ load } as unknown as Streams),
    clock,
    { stop: () => undefined } as unknown as ShutdownPlan,
    { temporaryChatHours: 24 } as Config,
  );
  /** What one round tries to delete, and the streams that it reads for this. */
  const round = async () => {
    await policy.delete();
    return { tried: tried!.splice(0), loads: loads!.splice(0) };
  };
  return { held, damaged, round };
}

const conversation = (id: string, user_id: string, bot_id: string | null = null) => ({
  conversation_id: id,
  user_id,
  last_message_id: 'r',
  listed: { bot_id },
});
const many = (user: string, bot: string | null = null) =>
  Array.from({ length: 25 }, (_, index) => conversation(`${user}${index}`, user, bot));
const idsOf = (all: readonly { readonly conversation_id: string }[]) => all.map(({ conversation_id }) => conversation_id);

describe('expired temporary conversations', () => {
  it('are found after others that cannot be deleted', async () => {
    const all = many('ann');
    const { round } = policyWith(all);
    expect((await round()).tried).toEqual(idsOf(all));
    expect((await round()).tried).toEqual(idsOf(all));
  });

  it('are left alone while a hold keeps them, which is read once in a round', async () => {
    const [ofUser, ofBot, others] = [many('ann'), many('ben', 'bot'), many('cat')];
    const { held, round } = policyWith([...ofUser, ...ofBot, ...others]);
    held.add('holds-user.ann').add('holds-bot.bot');
    expect(await round()).toEqual({
      tried: idsOf(others),
      loads: ['holds-user.ann', 'holds-user.ben', 'holds-bot.bot', 'holds-user.cat'],
    });
    held.clear();
    expect((await round()).tried).toEqual(idsOf([...ofUser, ...ofBot, ...others]));
  });

  it('are tried if their holds cannot be read, or if their deletion has begun', async () => {
    const begun = { ...conversation('begun', 'ben'), listed: null };
    const { held, damaged, round } = policyWith([...many('ann'), begun]);
    damaged.add('holds-user.ann');
    held.add('holds-user.ben');
    expect((await round()).tried).toEqual([...idsOf(many('ann')), 'begun']);
  });
});
