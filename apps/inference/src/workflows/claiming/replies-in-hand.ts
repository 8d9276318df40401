import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { Clock, LOGGER } from '@parlance/foundation';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { Catalogue } from '../../adapters/catalogue.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import type { Claim } from '../../domain/conversation-events.ts';
import { holderOf, type UsedApi } from '../../domain/conversation-holder.ts';
import type { RunningReply } from '../../domain/conversation-state.ts';
import type { OwedReplyRow } from '../../projections/messages/message-rows.ts';
import { CountOwedReplies, OwedReplies } from '../../projections/messages/owed-replies.ts';
import { TRANSCRIPT_BYTES } from '../../projections/transcript.ts';
import { type Owed, OwedQueue } from './owed-queue.ts';
import { type Place, Places } from './places.ts';
import type { Question } from '../writing/reply-prompt.ts';
import { type ClaimedReply, LiveReplies } from '../live-replies.ts';
import { ReplyWriter } from '../writing/reply-writer.ts';
import { LEASE_MILLIS } from './worker-lease.ts';

/** Owed replies that one process claims at the same time. */
const CLAIMED_AT_ONCE = 32;

/** Share of the time for a graceful end in which replies may go on. Then they are left to other processes. */
const SHARE_OF_GRACE = 0.5;

/** How long a count of owed replies is used. Messages that are accepted meanwhile are added to it. */
const COUNT_USED_MILLIS = 250;

const busy = () =>
  refuse('unavailable', 'busy', 'Too many messages are waiting for their replies. Try again in a few seconds.', { retry_after: 5 });

/** A message that is to be accepted, or a request for another reply. */
export interface Arriving {
  readonly userId: string;
  /** Of a message that a program has sent. */
  readonly api?: UsedApi;
  readonly conversationId: string;
  readonly replyId: string;
  readonly model: string;
  /** Of the text of the message. */
  readonly bytes: number;
}

/** The reply that was appended with its claim. Without a question it is read from the rows. */
export interface Appended {
  readonly reply: ClaimedReply;
  readonly question?: Question;
}

/**
 * Decides which replies this process writes. A message that it accepts while it has room is claimed in the append that accepts it, and
 * written at once. Replies that no process has a lease on are taken from the rows, oldest first: as replies end, and by a timer.
 */
@Injectable()
export class RepliesInHand {
  private readonly inHand = new Set<Promise<void>>();
  private readonly places: Places;
  private claiming = 0;
  private owedInAll = { count: 0, until: 0 };
  private counting: Promise<void> | null = null;
  private isStopped = false;
  /** Taken as there are places. The log decides whether they can still be claimed. */
  private readonly owed = new OwedQueue();
  private reading: Promise<void> | null = null;
  /** Replies that may be owed, here and by other processes, before messages are refused. */
  private readonly mostOwed: number;
  private readonly graceMillis: number;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly writer: ReplyWriter,
    private readonly live: LiveReplies,
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    { maxOwedReplies, shutdownGraceSeconds }: Config,
  ) {
    this.mostOwed = maxOwedReplies;
    this.places = new Places(catalogue.providers.callsAtOnce);
    this.graceMillis = shutdownGraceSeconds * 1_000 * SHARE_OF_GRACE;
  }

  /**
   * Runs the append that accepts a message. It is given a claim if there is a place for the reply, and returns the reply to write if it was
   * appended with that claim. Resolves when the append has; the reply is written afterwards. Throws the refusal `busy` (unavailable) when too
   * many replies are owed already: if there is a place, the replies of this process are counted, otherwise those of all processes.
   */
  async accept(message: Arriving, append: (claim: Claim | null) => Promise<Appended | null>): Promise<void> {
    const { userId, api, conversationId, replyId, model } = message;
    if (this.inHand.size >= this.mostOwed) throw busy();
    const holder = holderOf({ userId, apiId: api?.apiId });
    const provider = this.catalogue.providerOf(model);
    const place = this.isStopped ? null : this.places.take({ provider, holder, bytes: message.bytes + TRANSCRIPT_BYTES });
    if (!place) {
      await this.requireFewOwed();
      await append(null);
      this.owed.add({ conversationId, replyId, holder, provider });
      return this.takeNext();
    }
    const appended = append(this.claim());
    const written = appended.then(
      (claimed) => (claimed ? this.writer.write({ ...claimed.reply, place }, claimed.question) : undefined),
      // Told to the caller below.
      () => undefined,
    );
    this.track(written.finally(() => place.leave()));
    await appended;
  }

  /** For the timer: takes over replies of lost workers, and replies that other processes had no place for. */
  async takeOwed(): Promise<void> {
    if (this.isStopped) return;
    await (this.reading ??= this.readOwed().finally(() => (this.reading = null)));
    this.takeNext();
  }

  /** For health and metrics: replies that this process writes, and those that are owed in all. */
  async numbers(): Promise<{ readonly inHand: number; readonly owed: number }> {
    return { inHand: this.inHand.size, owed: await this.queries.execute(new CountOwedReplies(this.mostOwed, this.clock.now())) };
  }

  /** For a graceful end: takes no more and waits for the replies in hand. Those that take too long are left to be taken over. */
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
      const owed = this.owed.next((line) => this.places.has({ ...line, bytes: TRANSCRIPT_BYTES }));
      const place = owed && this.places.take({ ...owed, bytes: TRANSCRIPT_BYTES });
      if (!place) return;
      this.claiming++;
      this.track(this.inBackground(() => this.takeOver(owed, place)).finally(() => place.leave()));
    }
  }

  private async requireFewOwed(): Promise<void> {
    if (this.owedInAll.until < performance.now()) await (this.counting ??= this.count().finally(() => (this.counting = null)));
    if (this.owedInAll.count >= this.mostOwed) throw busy();
    this.owedInAll.count++;
  }

  private async count(): Promise<void> {
    const count = await this.queries.execute(new CountOwedReplies(this.mostOwed, this.clock.now()));
    this.owedInAll = { count, until: performance.now() + COUNT_USED_MILLIS };
  }

  private async readOwed(): Promise<void> {
    await this.owed.refill(async () => {
      const rows = await this.queries.execute(new OwedReplies(this.clock.now(), this.mostOwed));
      return rows.map((row) => this.owedOf(row));
    });
  }

  /** A reply that its user has stopped waits for no place of the provider. */
  private owedOf({ conversation_id, reply_id, holder, model, is_cancelled: isCancelled }: OwedReplyRow): Owed {
    const provider = isCancelled ? '' : this.catalogue.providerOf(model);
    return { conversationId: conversation_id, replyId: reply_id, holder, provider };
  }

  private async takeOver({ conversationId, replyId }: Owed, place: Place): Promise<void> {
    const claim = this.claim();
    let reply: RunningReply | undefined;
    try {
      // Its lease has ended because this process stood still, and is renewed. If it was lost, the renewal ends it.
      if (this.live.of(replyId)) return;
      const { state } = await this.commands.execute(
        new ExecuteConversation(conversationId, { type: 'ClaimReply', replyId, now: this.clock.now(), ...claim }),
      );
      reply = state.running[replyId];
    } catch (error) {
      // Another worker has it, or it is over.
      if (error instanceof Refusal && error.kind !== 'unavailable') return;
      throw error;
    } finally {
      this.claiming--;
      this.takeNext();
    }
    if (!reply) return;
    const { userId, isCancelled = false } = reply;
    await this.writer.write({ userId, conversationId, replyId, ...claim, place, isCancelled });
  }

  private claim(): Claim {
    return { claim: newId(), leaseUntil: Instant.plus(this.clock.now(), LEASE_MILLIS), ...this.live.place };
  }

  private track(work: Promise<void>): void {
    const kept = work.finally(() => {
      this.inHand.delete(kept);
      this.takeNext();
    });
    this.inHand.add(kept);
  }

  /** Runs outside the context of the current request. After a failure the timer's next look tries again. */
  private async inBackground(work: () => Promise<void>): Promise<void> {
    try {
      await RequestContext.run(RequestContext.background(), work);
    } catch (error) {
      this.log.error({ err: error }, 'an owed reply could not be taken; it is tried again');
    }
  }
}
