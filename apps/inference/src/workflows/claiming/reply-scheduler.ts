import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { Clock, LOGGER } from '@parlance/foundation';
import { EventStore, newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import type { Claim } from '../../domain/conversation-events.ts';
import { ownerKey, type UsedApi } from '../../domain/conversation-owner.ts';
import type { RunningReply } from '../../domain/conversation-state.ts';
import type { PendingReplyRow } from '../../projections/messages/message-rows.ts';
import { CountPendingReplies, PendingReplies } from '../../projections/messages/pending-replies.ts';
import { TRANSCRIPT_BYTES } from '../../projections/transcript.ts';
import { type QueuedReply, ReplyQueue } from './reply-queue.ts';
import { type ReplySlot, ReplySlots } from './reply-slots.ts';
import type { Question } from '../writing/reply-prompt.ts';
import { type ClaimedReply, LiveReplies } from '../live-replies.ts';
import { ReplyWriter } from '../writing/reply-writer.ts';
import { LEASE_MILLIS } from './worker-lease.ts';

/** Waiting replies that a process claims at the same time. */
const CLAIMED_AT_ONCE = 32;

/** Share of the shutdown grace period in which replies may continue. Then they are left to other processes. */
const SHARE_OF_GRACE = 0.5;

/** How long a count of waiting replies is reused. Messages accepted in the meantime are added to it. */
const COUNT_USED_MILLIS = 250;

const busy = () =>
  refuse('unavailable', 'busy', 'Too many messages are waiting for their replies. Try again in a few seconds.', { retry_after: 5 });
const tooManyWrites = () => refuse('unavailable', 'busy', 'Too many messages are arriving at the moment. Try again.', { retry_after: 1 });

/** A message before it is accepted, or a request for another reply. */
export interface Arriving {
  readonly userId: string;
  /** Set if a program has sent the message. */
  readonly api?: UsedApi;
  readonly conversationId: string;
  readonly replyId: string;
  readonly model: string;
  /** Bytes of the message's text. */
  readonly bytes: number;
}

/** The reply that was appended with its claim. Without `question`, the message is read from the read model. */
export interface Appended {
  readonly reply: ClaimedReply;
  readonly question?: Question;
}

/**
 * Decides which replies this process writes. If there is a free slot when a message is accepted, the same append claims its reply, which is
 * written at once. Unclaimed replies are read from the read model, oldest first, when other replies end and by a timer.
 */
@Injectable()
export class ReplyScheduler {
  private readonly inHand = new Set<Promise<void>>();
  private readonly slots: ReplySlots;
  private claiming = 0;
  private pendingInAll = { count: 0, until: 0 };
  private counting: Promise<void> | null = null;
  private isStopped = false;
  /** Replies to claim when there are free slots. The log decides whether they can still be claimed. */
  private readonly queue = new ReplyQueue();
  private reading: Promise<void> | null = null;
  /** False until the rows were read. */
  private hasReadNone = false;
  /** Messages are refused once this many replies wait, here and in other processes. */
  private readonly mostPending: number;
  /** Messages are refused while writes wait for longer than this: they would only make all of them later. */
  private readonly longestWriteWait: number;
  private readonly graceMillis: number;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly writer: ReplyWriter,
    private readonly live: LiveReplies,
    private readonly catalogue: Catalogue,
    private readonly store: EventStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    { longestWriteWaitMillis, maxOwedReplies, shutdownGraceSeconds }: Config,
  ) {
    this.mostPending = maxOwedReplies;
    this.longestWriteWait = longestWriteWaitMillis;
    this.slots = new ReplySlots(catalogue.providers.callsAtOnce);
    this.graceMillis = shutdownGraceSeconds * 1_000 * SHARE_OF_GRACE;
  }

  /**
   * Runs the append that accepts a message. `append` receives a claim if there is a free slot, and returns the reply to write if it was
   * appended with that claim. Resolves with the append. The reply is written afterwards. Throws the refusal `busy` (unavailable) when too many
   * replies are waiting: in this process if there is a free slot, otherwise in all processes; or when writes wait for too long.
   */
  async accept(message: Arriving, append: (claim: Claim | null) => Promise<Appended | null>): Promise<void> {
    const { userId, api, conversationId, replyId, model } = message;
    const refusal = this.refusal();
    if (refusal) throw refusal;
    const owner = ownerKey({ userId, apiId: api?.apiId });
    const provider = this.catalogue.providerOf(model);
    const slot = this.isStopped ? null : this.slots.take({ provider, owner, bytes: message.bytes + TRANSCRIPT_BYTES });
    if (!slot) {
      await this.requireFewPending();
      await append(null);
      this.queue.add({ conversationId, replyId, owner, provider });
      return this.takeNext();
    }
    const appended = append(this.claim());
    const written = appended.then(
      (claimed) => (claimed ? this.writer.write({ ...claimed.reply, slot }, claimed.question) : undefined),
      // The caller gets the error below.
      () => undefined,
    );
    this.track(written.finally(() => slot.release()));
    await appended;
  }

  /** The refusal of a message that arrives now, as far as this process knows without reading anything. */
  refusal(): Refusal | null {
    if (this.inHand.size >= this.mostPending) return busy();
    return this.store.writesWait() > this.longestWriteWait ? tooManyWrites() : null;
  }

  /** Called by a timer. Takes over replies of crashed workers, and replies that other processes had no slot for. */
  async takePending(): Promise<void> {
    if (this.isStopped) return;
    await (this.reading ??= this.readPending().finally(() => (this.reading = null)));
    this.takeNext();
  }

  /** Whether no reply was waiting or leased when the rows were last read, and none has been since in this process. */
  get owesNone(): boolean {
    return this.hasReadNone && this.inHand.size + this.queue.size === 0;
  }

  /** For health and metrics: the replies that this process writes, and all replies that are waiting. */
  async numbers(): Promise<{ readonly inHand: number; readonly owed: number }> {
    return { inHand: this.inHand.size, owed: await this.queries.execute(new CountPendingReplies(this.mostPending)) };
  }

  /** For a graceful shutdown: claims no more replies and waits for the running ones. Other processes take over those that take too long. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const giveUp = () => {
      for (const live of this.live.all()) live.stop('process_ends');
    };
    const timer = setTimeout(giveUp, this.graceMillis);
    while (this.inHand.size > 0) await Promise.all(this.inHand);
    clearTimeout(timer);
  }

  private takeNext(): void {
    while (!this.isStopped && this.claiming < CLAIMED_AT_ONCE) {
      const queued = this.queue.next((next) => this.slots.has({ ...next, bytes: TRANSCRIPT_BYTES }));
      const slot = queued && this.slots.take({ ...queued, bytes: TRANSCRIPT_BYTES });
      if (!slot) return;
      this.claiming++;
      this.track(this.inBackground(() => this.takeOver(queued, slot)).finally(() => slot.release()));
    }
  }

  private async requireFewPending(): Promise<void> {
    if (this.pendingInAll.until < performance.now()) await (this.counting ??= this.count().finally(() => (this.counting = null)));
    if (this.pendingInAll.count >= this.mostPending) throw busy();
    this.pendingInAll.count++;
  }

  private async count(): Promise<void> {
    const count = await this.queries.execute(new CountPendingReplies(this.mostPending));
    this.pendingInAll = { count, until: performance.now() + COUNT_USED_MILLIS };
  }

  private async readPending(): Promise<void> {
    await this.queue.refill(async () => {
      const rows = await this.queries.execute(new PendingReplies(this.clock.now(), this.mostPending));
      this.hasReadNone = rows.length === 0 && (await this.queries.execute(new CountPendingReplies(1))) === 0;
      return rows.map((row) => this.queuedReply(row));
    });
  }

  /** A cancelled reply needs no slot of its provider. */
  private queuedReply({ conversation_id, reply_id, holder: owner, model, is_cancelled: isCancelled }: PendingReplyRow): QueuedReply {
    const provider = isCancelled ? '' : this.catalogue.providerOf(model);
    return { conversationId: conversation_id, replyId: reply_id, owner, provider };
  }

  private async takeOver({ conversationId, replyId }: QueuedReply, slot: ReplySlot): Promise<void> {
    const claim = this.claim();
    let reply: RunningReply | undefined;
    try {
      // This process was stalled and let the lease end. The renewal extends it, or stops the reply if it was lost.
      if (this.live.of(replyId)) return;
      const { state } = await this.commands.execute(
        new ExecuteConversation(conversationId, { type: 'ClaimReply', replyId, now: this.clock.now(), ...claim }),
      );
      reply = state.running[replyId];
    } catch (error) {
      // Another worker has claimed it, or it has ended.
      if (error instanceof Refusal && error.kind !== 'unavailable') return;
      throw error;
    } finally {
      this.claiming--;
      this.takeNext();
    }
    if (!reply) return;
    const { userId, isCancelled = false } = reply;
    await this.writer.write({ userId, conversationId, replyId, ...claim, slot, isCancelled });
  }

  private claim(): Claim {
    return { claim: newId(), leaseUntil: Instant.plus(this.clock.now(), LEASE_MILLIS), ...this.live.claimLocation };
  }

  private track(work: Promise<void>): void {
    const kept = work.finally(() => {
      this.inHand.delete(kept);
      this.takeNext();
    });
    this.inHand.add(kept);
  }

  /** Runs outside the context of the current request. After a failure the timer tries again. */
  private async inBackground(work: () => Promise<void>): Promise<void> {
    try {
      await RequestContext.run(RequestContext.background(), work);
    } catch (error) {
      this.log.error({ err: error }, 'a waiting reply could not be claimed; will retry');
    }
  }
}
