import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { Bell } from './claiming/bell.ts';
import { GrowingText } from './writing/growing-text.ts';
import type { ToolMark } from './tools/opened-rounds.ts';
import type { Place } from './claiming/places.ts';

/** A reply that this process has claimed. */
export interface ClaimedReply {
  readonly userId: string;
  readonly conversationId: string;
  readonly replyId: string;
  readonly claim: string;
  readonly leaseUntil: Instant;
  /** Among the replies in hand. */
  readonly place?: Place;
  /** Its user stopped it before this process claimed it. */
  readonly isCancelled?: boolean;
}

/**
 * Why a reply is written no further: its user stopped it, another worker has it or it is over, it took too long, it has become too
 * long, or the process ends.
 */
export type StopCause = 'cancelled' | 'lost' | 'out_of_time' | 'too_long' | 'process_ends';

/** The reason of the signal by which the request to the provider ends. */
export class Stopped extends Error {
  constructor(readonly because: StopCause) {
    super(`the reply is written no further: ${because}`);
    this.name = 'Stopped';
  }
}

/** A reply in hand: what was produced so far. Readers keep offsets into it, so a slow reader costs no memory. */
export class LiveReply {
  readonly text = new GrowingText();
  readonly reasoning = new GrowingText();
  /** Calls of tools and their results, in order. */
  readonly marks: ToolMark[] = [];
  leaseUntil: Instant;
  isRenewing = false;
  /** Nothing is added any more. Whether it was stored is in the rows. */
  hasEnded = false;
  private readonly stopping = new AbortController();
  private readonly changes = new Bell();
  private readonly ends = new Bell();

  constructor(
    readonly reply: ClaimedReply,
    readonly begunAt: Instant,
  ) {
    this.leaseUntil = reply.leaseUntil;
    if (reply.isCancelled) this.stop('cancelled');
  }

  get userId(): string {
    return this.reply.userId;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Only the first cause counts. */
  stop(because: StopCause): void {
    if (!this.signal.aborted) this.stopping.abort(new Stopped(because));
  }

  /** Tells the readers that there is more. */
  grown(): void {
    this.changes.ring();
  }

  end(): void {
    this.hasEnded = true;
    this.changes.ring();
    this.ends.ring();
  }

  /** Resolves when there is more, when it has ended, or when the reader is gone. */
  change(reader: AbortSignal): Promise<void> {
    return this.hasEnded ? Promise.resolve() : this.changes.heard(reader);
  }

  /** Resolves when it has ended, or when the reader is gone. */
  ended(reader: AbortSignal): Promise<void> {
    return this.hasEnded ? Promise.resolve() : this.ends.heard(reader);
  }
}

/** The replies that this process writes now. */
@Injectable()
export class LiveReplies {
  private readonly replies = new Map<string, LiveReply>();
  private readonly awaited = new Map<string, Bell>();
  /** Where other replicas read them, as part of each claim. Empty in one process. */
  readonly place: { readonly worker?: string };

  constructor(replicaUrl: string | null = null) {
    this.place = replicaUrl === null ? {} : { worker: replicaUrl };
  }

  /** An earlier claim of this process has lost the reply: its call to the provider and its readers end. */
  begin(reply: ClaimedReply, now: Instant): LiveReply {
    const earlier = this.replies.get(reply.replyId);
    earlier?.stop('lost');
    earlier?.end();
    const live = new LiveReply(reply, now);
    this.replies.set(reply.replyId, live);
    this.awaited.get(reply.replyId)?.ring();
    return live;
  }

  /** Resolves when this process begins to write the reply, or when the reader is gone. */
  async begun(replyId: string, reader: AbortSignal): Promise<void> {
    const bell = this.awaited.get(replyId) ?? new Bell();
    this.awaited.set(replyId, bell);
    await bell.heard(reader);
    if (bell.isAlone && this.awaited.get(replyId) === bell) this.awaited.delete(replyId);
  }

  end(live: LiveReply): void {
    const { replyId } = live.reply;
    // After a lost lease this process may have claimed it anew.
    if (this.replies.get(replyId) === live) this.replies.delete(replyId);
    live.end();
  }

  /** Replies that readers wait for. */
  get awaitedReplies(): number {
    return this.awaited.size;
  }

  of(replyId: string): LiveReply | undefined {
    return this.replies.get(replyId);
  }

  /** The replies of a conversation that is being erased are lost. What their calls have cost is recorded. */
  loseThoseOf(conversationId: string): void {
    for (const live of this.replies.values()) if (live.reply.conversationId === conversationId) live.stop('lost');
  }

  all(): Iterable<LiveReply> {
    return this.replies.values();
  }
}

/** Throws `Stopped` as soon as the reply is stopped, because a model that ignores its signal must not keep its place among the replies in hand. */
export async function untilStopped(live: LiveReply, work: () => Promise<void>): Promise<void> {
  const { signal } = live;
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  await Promise.race([work(), stopped]);
  // A model that obeys ends without an error.
  signal.throwIfAborted();
}
