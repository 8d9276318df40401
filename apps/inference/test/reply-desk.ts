import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { EventStore } from '@parlance/event-store';
import { type Logger, RequestContext } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import type { Catalogue } from '../src/adapters/pricing/catalogue.ts';
import type { ExecuteConversation } from '../src/commands/aggregates.ts';
import { ownerKey } from '../src/domain/conversation-owner.ts';
import type { PendingReplyRow } from '../src/projections/messages/message-rows.ts';
import { CountPendingReplies } from '../src/projections/messages/pending-replies.ts';
import { BYTES_OF_REPLIES } from '../src/workflows/claiming/reply-slots.ts';
import { type Arriving, ReplyScheduler } from '../src/workflows/claiming/reply-scheduler.ts';
import { type ClaimedReply, LiveReplies } from '../src/workflows/live-replies.ts';
import type { Question } from '../src/workflows/writing/reply-prompt.ts';
import type { ReplyWriter } from '../src/workflows/writing/reply-writer.ts';

export const MOST_OWED = 100;
/** Concurrent calls of the provider. One owner may use three quarters of them. */
export const AT_ONCE = 40;
export const OF_A_USER = 30;
const question: Question = {
  userId: 'ann',
  botId: null,
  model: 'm',
  parentId: null,
  text: 'why',
  continues: '',
  wantsReasoning: false,
  eventId: 'e',
};

/** Replies whose writing ends on request. Messages that were accepted without a claim are in the rows. */
export function replyDesk({ shutdownGraceSeconds = 25, maxOwedReplies = MOST_OWED, longestWriteWaitMillis = 250 } = {}) {
  const owed: string[] = [];
  const writing = new Map<string, () => void>();
  const looks: number[] = [];
  const refused = new Set<string>();
  const cancelled = new Set<string>();
  const taken: ClaimedReply[] = [];
  const live = new LiveReplies();
  const writes = { wait: 0 };
  const callers: unknown[] = [];
  const authors = new Map<string, readonly [holder: string, provider: string]>();
  const replies = new ReplyScheduler(
    {
      execute: async ({ command }: InstanceType<typeof ExecuteConversation>) => {
        if (command.type !== 'ClaimReply') throw new Error('nothing else is commanded here');
        callers.push(RequestContext.current()?.caller);
        if (refused.has(command.replyId)) throw refuse('conflict', 'reply_claimed', 'It is claimed.');
        owed.splice(owed.indexOf(command.replyId), 1);
        return { state: { running: { [command.replyId]: { ...(cancelled.has(command.replyId) && { isCancelled: true }) } } } };
      },
    } as unknown as CommandBus,
    {
      execute: async (query: object): Promise<PendingReplyRow[] | number> => {
        if (query instanceof CountPendingReplies) return Math.min(owed.length + writing.size, query.args[0]);
        looks.push(owed.length);
        return owed.map((reply_id) => {
          const [holder = '', model = ''] = authors.get(reply_id) ?? ['ann', 'p'];
          return {
            conversation_id: 'c',
            reply_id,
            holder,
            model,
            lease_until: 0,
            is_awaiting: 0,
            ...(cancelled.has(reply_id) && { is_cancelled: true }),
          };
        });
      },
    } as unknown as QueryBus,
    {
      write: (reply: ClaimedReply) => {
        taken.push(reply);
        const its = live.begin(reply, Instant.ofMillis(0));
        return new Promise<void>((resolve) => {
          writing.set(reply.replyId, resolve);
          its.signal.addEventListener('abort', () => resolve());
        });
      },
    } as unknown as ReplyWriter,
    live,
    {
      providers: {
        callsAtOnce: new Map([
          ['p', AT_ONCE],
          ['q', AT_ONCE],
        ]),
      },
      providerOf: (model: string) => model,
    } as unknown as Catalogue,
    { writesWait: () => writes.wait } as EventStore,
    { now: () => Instant.ofMillis(0) } as Clock,
    { error: () => undefined } as unknown as Logger,
    Object.assign(new Config(), { longestWriteWaitMillis, maxOwedReplies, shutdownGraceSeconds }),
  );
  const accept = (replyId: string, { userId = 'ann', model = 'p', bytes = 1, api }: Partial<Arriving> = {}) =>
    replies.accept({ userId, ...(api && { api }), conversationId: 'c', replyId, model, bytes }, async (claim) => {
      if (claim) return { reply: { userId, conversationId: 'c', replyId, ...claim }, question };
      authors.set(replyId, [ownerKey({ userId, apiId: api?.apiId }), model]);
      owed.push(replyId);
      return null;
    });
  const refuseOne = () =>
    replies.accept({ userId: 'ann', conversationId: 'c', replyId: 'refused', model: 'p', bytes: BYTES_OF_REPLIES }, () =>
      Promise.reject(refuse('conflict', 'reply_in_progress', 'Wait.')),
    );
  const end = async (replyId: string) => {
    await waitFor(() => writing.has(replyId), { what: `${replyId} to be written` });
    writing.get(replyId)!();
    writing.delete(replyId);
  };
  return { replies, accept, refuseOne, end, owed, writing, looks, refused, callers, cancelled, taken, live, writes };
}

export const names = (count: number, prefix = 'r') => Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(4, '0')}`);
