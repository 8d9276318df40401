import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { Clock, LOGGER } from '@parlance/foundation';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { ExecuteConversation } from '../commands/aggregates.ts';
import type { Claim } from '../domain/conversation-events.ts';
import type { OwedReplyRow } from '../projections/messages.ts';
import { CountOwedReplies, OWED_REPLIES_PAGE, OwedReplies } from '../projections/owed-replies.ts';
import type { Question } from './reply-prompt.ts';
import { type ClaimedReply, LiveReplies } from './live-replies.ts';
import { ReplyWriter } from './reply-writer.ts';
import { LEASE_MILLIS } from './worker-lease.ts';

/**
 * Replies that one process writes at the same time, of messages that it has accepted itself, and the bytes of those messages. Beyond that a
 * message is accepted without a claim: its reply waits to be taken over, and costs another append. Each reply may hold as much text as a
 * model is given.
 */
export const REPLIES_IN_HAND = 256;
/** As many of them wait for one provider at most, so that a provider that hangs leaves places for replies of others. */
export const REPLIES_OF_A_PROVIDER = 192;
export const QUESTION_BYTES_IN_HAND = 16 * 1024 * 1024;
/** Owed replies that one process takes over at the same time. They have places of their own, so that new messages don't overtake them. */
export const TAKEN_OVER = 32;

/** Share of the time for a graceful end in which replies may go on. Then they are left to other processes. */
const SHARE_OF_GRACE = 0.5;

/** How long a count of owed replies is used. Messages that are accepted meanwhile are added to it. */
const COUNT_USED_MILLIS = 250;

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
  private accepted = { count: 0, bytes: 0 };
  private readonly acceptedOf = new Map<string, number>();
  private takenOver = 0;
  private owedInAll = { count: 0, until: 0 };
  private counting: Promise<void> | null = null;
  private isStopped = false;
  /** Read from the rows, to be taken as there is room. The log decides whether they can still be claimed. */
  private owed: OwedReplyRow[] = [];
  /** Whether the rows may hold more. */
  private isBehind = false;
  private isPageFull = false;
  /** Replies that may be owed, here and by other processes, before messages are refused. */
  private readonly mostOwed: number;
  private readonly graceMillis: number;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly writer: ReplyWriter,
    private readonly live: LiveReplies,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    { maxOwedReplies, shutdownGraceSeconds }: Config,
  ) {
    this.mostOwed = maxOwedReplies;
    this.graceMillis = shutdownGraceSeconds * 1_000 * SHARE_OF_GRACE;
  }

  /**
   * Runs the append that accepts a message of so many bytes, for a model of this provider. It is given a claim if there is room, and returns the reply to write if it was
   * appended with that claim. Resolves when the append has; the reply is written behind it. Without room, throws the refusal `busy`
   * (unavailable) when too many replies are owed already.
   */
  async accept(bytes: number, provider: string, append: (claim: Claim | null) => Promise<Appended | null>): Promise<void> {
    if (this.isStopped || !this.hasRoom(provider)) {
      await this.requireFewOwed();
      await append(null);
      this.isBehind = true;
      this.takeNext();
      return;
    }
    const appended = append(this.claim());
    this.countAccepted(1, bytes, provider);
    const written = appended.then(
      (claimed) => (claimed ? this.writer.write(claimed.reply, claimed.question) : undefined),
      // Told to the caller below.
      () => undefined,
    );
    this.track(written.finally(() => this.countAccepted(-1, -bytes, provider)));
    await appended;
  }

  /** For the timer: takes over replies of lost workers, and replies that other processes had no room for. */
  async takeOwed(): Promise<void> {
    if (this.mayTakeOver) await this.readOwed();
    else this.isBehind = true;
    this.takeNext();
  }

  /** For health and metrics: replies that this process writes, and those that are owed in all. */
  async numbers(): Promise<{ readonly inHand: number; readonly owed: number }> {
    return { inHand: this.inHand.size, owed: await this.queries.execute(new CountOwedReplies(this.mostOwed)) };
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

  private get mayTakeOver(): boolean {
    return !this.isStopped && this.takenOver < TAKEN_OVER;
  }

  private takeNext(): void {
    while (this.mayTakeOver && this.owed.length > 0) {
      const row = this.owed.shift()!;
      this.track(this.inBackground(() => this.takeOver(row)));
    }
    if (!this.mayTakeOver || !this.isBehind) return;
    this.track(this.inBackground(() => this.readOwed()));
  }

  private async requireFewOwed(): Promise<void> {
    if (this.owedInAll.until < performance.now()) await (this.counting ??= this.count().finally(() => (this.counting = null)));
    if (this.owedInAll.count >= this.mostOwed)
      throw refuse('unavailable', 'busy', 'Too many messages are waiting for their replies. Try again in a few seconds.', {
        retry_after: 5,
      });
    this.owedInAll.count++;
  }

  private async count(): Promise<void> {
    const count = await this.queries.execute(new CountOwedReplies(this.mostOwed));
    this.owedInAll = { count, until: performance.now() + COUNT_USED_MILLIS };
  }

  private async readOwed(): Promise<void> {
    this.isBehind = false;
    this.owed = [...(await this.queries.execute(new OwedReplies(this.clock.now())))];
    this.isPageFull = this.owed.length === OWED_REPLIES_PAGE;
  }

  private async takeOver({ conversation_id: conversationId, reply_id: replyId }: OwedReplyRow): Promise<void> {
    // Its lease has ended because this process stood still, and is renewed. If it was lost, the renewal ends it.
    if (this.live.of(replyId)) return;
    const claim = this.claim();
    let isCancelled = false;
    try {
      const { state } = await this.commands.execute(
        new ExecuteConversation(conversationId, { type: 'ClaimReply', replyId, now: this.clock.now(), ...claim }),
      );
      isCancelled = state.running[replyId]?.isCancelled ?? false;
    } catch (error) {
      // Another worker has it, or it is over.
      if (error instanceof Refusal && error.kind !== 'unavailable') return;
      throw error;
    }
    // Another look at a full page would find the same rows if none of them could be claimed.
    this.isBehind ||= this.isPageFull;
    await this.writer.write({ conversationId, replyId, ...claim, isCancelled });
  }

  private claim(): Claim {
    return { claim: newId(), leaseUntil: Instant.plus(this.clock.now(), LEASE_MILLIS), ...this.live.place };
  }

  private hasRoom(provider: string): boolean {
    const { count, bytes } = this.accepted;
    if (count >= REPLIES_IN_HAND || bytes >= QUESTION_BYTES_IN_HAND) return false;
    return (this.acceptedOf.get(provider) ?? 0) < REPLIES_OF_A_PROVIDER;
  }

  private countAccepted(count: number, bytes: number, provider: string): void {
    this.accepted = { count: this.accepted.count + count, bytes: this.accepted.bytes + bytes };
    const its = (this.acceptedOf.get(provider) ?? 0) + count;
    if (its === 0) this.acceptedOf.delete(provider);
    else this.acceptedOf.set(provider, its);
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
    this.takenOver++;
    try {
      await RequestContext.run(RequestContext.background(), work);
    } catch (error) {
      this.log.error({ err: error }, 'an owed reply could not be taken; it is tried again');
    } finally {
      this.takenOver--;
    }
  }
}
