import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { Bell } from './claiming/bell.ts';
import { GrowingText } from './writing/growing-text.ts';
import type { ToolMark } from './tools/opened-rounds.ts';
import type { ReplySlot } from './claiming/reply-slots.ts';

/** A reply that this process has claimed. */
export interface ClaimedReply {
  readonly userId: string;
  readonly conversationId: string;
  readonly replyId: string;
  readonly claim: string;
  readonly leaseUntil: Instant;
  /** The slot that it occupies in this process. */
  readonly slot?: ReplySlot;
  /** The user stopped it before this process claimed it. */
  readonly isCancelled?: boolean;
}

/**
 * Why writing a reply stops: the user cancelled it, another worker has it or it has ended (`lost`), it took too long, its text became too
 * long, or the process ends.
 */
export type StopCause = 'cancelled' | 'lost' | 'out_of_time' | 'too_long' | 'process_ends';

/** The abort reason of the signal that ends the request to the provider. */
export class Stopped extends Error {
  constructor(readonly because: StopCause) {
    super(`writing the reply has stopped: ${because}`);
    this.name = 'Stopped';
  }
}

/** A reply that is being written, with its text so far. Readers keep offsets into it, so a slow reader costs no memory. */
export class LiveReply {
  readonly text = new GrowingText();
  readonly reasoning = new GrowingText();
  /** Tool calls and their results, in order. */
  readonly marks: ToolMark[] = [];
  leaseUntil: Instant;
  isRenewing = false;
  /** Nothing more is added. The read model shows whether the reply was stored. */
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

  /** Wakes the readers after something was added. */
  notifyReaders(): void {
    this.changes.ring();
  }

  end(): void {
    this.hasEnded = true;
    this.changes.ring();
    this.ends.ring();
  }

  /** Resolves when there is more text, when the reply has ended, or when the reader has left. */
  change(reader: AbortSignal): Promise<void> {
    return this.hasEnded ? Promise.resolve() : this.changes.rung(reader);
  }

  /** Resolves when the reply has ended, or when the reader has left. */
  ended(reader: AbortSignal): Promise<void> {
    return this.hasEnded ? Promise.resolve() : this.ends.rung(reader);
  }
}

/** The replies that this process is writing. */
@Injectable()
export class LiveReplies {
  private readonly replies = new Map<string, LiveReply>();
  private readonly awaited = new Map<string, Bell>();
  /** Where other replicas read the replies. Part of each claim. Empty in single-process mode. */
  readonly claimLocation: { readonly worker?: string };

  constructor(replicaUrl: string | null = null) {
    this.claimLocation = replicaUrl === null ? {} : { worker: replicaUrl };
  }

  /** If this process had an earlier claim on the reply, that claim is lost: its call to the provider and its readers end. */
  begin(reply: ClaimedReply, now: Instant): LiveReply {
    const earlier = this.replies.get(reply.replyId);
    earlier?.stop('lost');
    earlier?.end();
    const live = new LiveReply(reply, now);
    this.replies.set(reply.replyId, live);
    this.awaited.get(reply.replyId)?.ring();
    return live;
  }

  /** Resolves when this process begins to write the reply, or when the reader has left. */
  async begun(replyId: string, reader: AbortSignal): Promise<void> {
    const bell = this.awaited.get(replyId) ?? new Bell();
    this.awaited.set(replyId, bell);
    await bell.rung(reader);
    if (bell.hasNoWaiters && this.awaited.get(replyId) === bell) this.awaited.delete(replyId);
  }

  end(live: LiveReply): void {
    const { replyId } = live.reply;
    // After a lost lease this process may have claimed the reply again.
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

  /** Stops the replies of a conversation that is being erased. The cost of their calls is recorded. */
  stopRepliesOf(conversationId: string): void {
    for (const live of this.replies.values()) if (live.reply.conversationId === conversationId) live.stop('lost');
  }

  get size(): number {
    return this.replies.size;
  }

  all(): Iterable<LiveReply> {
    return this.replies.values();
  }
}

/** Throws `Stopped` as soon as the reply is stopped, because a model that ignores its signal must not keep its slot. */
export async function untilStopped(live: LiveReply, work: () => Promise<void>): Promise<void> {
  const { signal } = live;
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  await Promise.race([work(), stopped]);
  // A model that obeys its signal ends without an error.
  signal.throwIfAborted();
}
