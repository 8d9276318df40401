import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { GrowingText } from './growing-text.ts';

/** A reply that this process has claimed. */
export interface ClaimedReply {
  readonly conversationId: string;
  readonly replyId: string;
  readonly claim: string;
  readonly leaseUntil: Instant;
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
  /** Null until the question is known. */
  userId: string | null = null;
  leaseUntil: Instant;
  isRenewing = false;
  /** Nothing is added any more. Whether it was stored is in the rows. */
  hasEnded = false;
  private readonly stopping = new AbortController();
  private waiting: (() => void)[] = [];

  constructor(
    readonly reply: ClaimedReply,
    readonly begunAt: Instant,
  ) {
    this.leaseUntil = reply.leaseUntil;
    if (reply.isCancelled) this.stop('cancelled');
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
    if (this.waiting.length === 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  end(): void {
    this.hasEnded = true;
    this.grown();
  }

  /** Resolves when there is more, when it has ended, or when the reader is gone. */
  async change(reader: AbortSignal): Promise<void> {
    if (this.hasEnded || reader.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      this.waiting = this.waiting.filter((wake) => wake !== resolve);
      resolve();
    };
    this.waiting.push(resolve);
    reader.addEventListener('abort', leave, { once: true });
    await promise;
    reader.removeEventListener('abort', leave);
  }
}

/** The replies that this process writes now. */
@Injectable()
export class LiveReplies {
  private readonly replies = new Map<string, LiveReply>();
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
    return live;
  }

  end(live: LiveReply): void {
    const { replyId } = live.reply;
    // After a lost lease this process may have claimed it anew.
    if (this.replies.get(replyId) === live) this.replies.delete(replyId);
    live.end();
  }

  of(replyId: string): LiveReply | undefined {
    return this.replies.get(replyId);
  }

  all(): Iterable<LiveReply> {
    return this.replies.values();
  }
}
