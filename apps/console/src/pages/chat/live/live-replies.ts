import { ParlanceError, type ReplyEvent } from '@parlance/client';
import { nextLook } from './approval-times.ts';
import { begun, isOver, type LiveReply, received } from './live-reply.ts';

interface Source {
  /** Streams a reply from its start, or after an event. */
  follow(conversationId: string, replyId: string, options: { lastEventId: string | null; signal: AbortSignal }): AsyncIterable<ReplyEvent>;
}

/** Calls back before the next frame is drawn. */
export type NextFrame = (callback: () => void) => void;

/** Calls back later. The returned function cancels that. */
export type Later = (callback: () => void, millis: number) => () => void;

/** The number of ended replies that are kept, for their tokens and cost. */
const MOST_ENDED = 200;

/**
 * The replies that are being received, even while no page shows them. Listeners are notified of changes once per frame, however many events
 * have arrived.
 */
export class LiveReplies {
  private readonly replies = new Map<string, LiveReply>();
  private readonly shown = new Map<string, LiveReply>();
  private readonly following = new Map<string, AbortController>();
  /** Cancels the next poll of a reply that waits for approval. */
  private readonly looks = new Map<string, () => void>();
  private readonly listeners = new Set<() => void>();
  private readonly endings = new Set<(conversationId: string, replyId: string, reply: LiveReply) => unknown>();
  private isDue = false;

  constructor(
    private readonly source: Source,
    private readonly nextFrame: NextFrame,
    private readonly later: Later,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(replyId: string): LiveReply | undefined {
    return this.shown.get(replyId);
  }

  /** Called with each reply that ends. */
  onEnd(listener: (conversationId: string, replyId: string, reply: LiveReply) => unknown): () => void {
    this.endings.add(listener);
    return () => this.endings.delete(listener);
  }

  isFollowing(replyId: string): boolean {
    return this.following.has(replyId);
  }

  /** Receives a reply, unless it is already being received. */
  follow(conversationId: string, replyId: string, isQuiet = false): void {
    if (this.following.has(replyId)) return;
    const known = this.replies.get(replyId);
    if (known && isOver(known)) return;
    const stop = new AbortController();
    const lastEventId = known?.lastEventId ?? null;
    const events = this.source.follow(conversationId, replyId, { lastEventId, signal: stop.signal });
    if (known?.phase === 'lost' && !isQuiet) this.change(replyId, { ...known, phase: 'writing' });
    void this.receive(replyId, events, stop, conversationId);
  }

  /** Reconnects to replies whose connection was lost. They are shown as lost until an event arrives. */
  followLost(): void {
    for (const [replyId, { conversationId, phase, isOutage }] of this.replies)
      if (phase === 'lost' && isOutage) this.follow(conversationId, replyId, true);
  }

  /** Receives the reply to a request. Resolves with its location when it starts, and rejects if it does not start. */
  begin(events: (signal: AbortSignal) => AsyncIterable<ReplyEvent>): Promise<{ conversationId: string; replyId: string }> {
    const stop = new AbortController();
    return new Promise((resolve, reject) => {
      const read = async () => {
        const iterator = events(stop.signal)[Symbol.asyncIterator]();
        const first = await iterator.next();
        if (first.done || first.value.event !== 'start')
          throw new ParlanceError('stream_broken', 'The reply did not begin. Send it again.');
        const { conversation_id: conversationId, message_id: replyId } = first.value.data;
        const rest = { [Symbol.asyncIterator]: () => iterator };
        const receiving = this.receive(replyId, rest, stop, conversationId, first.value);
        resolve({ conversationId, replyId });
        await receiving;
      };
      read().catch(reject);
    });
  }

  /** Polls the replies that wait for approval: the decision may have been made elsewhere. */
  lookAtWaiting(): void {
    for (const [replyId, { phase, conversationId }] of this.replies) if (phase === 'waiting') this.follow(conversationId, replyId);
  }

  /** Forgets all replies: another user may sign in. */
  clear(): void {
    for (const cancel of this.looks.values()) cancel();
    this.looks.clear();
    for (const stop of this.following.values()) stop.abort();
    this.following.clear();
    this.replies.clear();
    this.shown.clear();
    this.tell();
  }

  private async receive(
    replyId: string,
    events: AsyncIterable<ReplyEvent>,
    stop: AbortController,
    conversationId: string,
    first?: ReplyEvent,
  ): Promise<void> {
    this.following.set(replyId, stop);
    this.looks.get(replyId)?.();
    this.looks.delete(replyId);
    const known = this.replies.get(replyId) ?? begun(conversationId);
    this.change(replyId, first ? received(known, first) : known);
    try {
      for await (const event of events) {
        if (stop.signal.aborted) return;
        this.change(replyId, received(this.replies.get(replyId)!, event));
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      const { code, message, status } =
        error instanceof ParlanceError ? error : { code: 'stream_broken', message: String(error), status: 0 };
      const isOutage = status === 0 || status >= 500;
      const reply = this.replies.get(replyId)!;
      // A reply that waits for approval has no open stream that could be lost.
      if (reply.phase !== 'waiting') this.change(replyId, { ...reply, phase: 'lost', error: { code, message }, isOutage });
    } finally {
      if (this.following.get(replyId) === stop) this.following.delete(replyId);
    }
    const reply = this.replies.get(replyId);
    if (reply?.phase === 'waiting')
      this.looks.set(
        replyId,
        this.later(() => this.follow(conversationId, replyId), nextLook(reply, Date.now())),
      );
    if (!reply || !isOver(reply)) return;
    this.forgetOldest();
    this.publish();
    for (const listener of this.endings) listener(conversationId, replyId, reply);
  }

  private change(replyId: string, reply: LiveReply): void {
    this.replies.set(replyId, reply);
    if (this.isDue) return;
    this.isDue = true;
    this.nextFrame(() => this.publish());
  }

  private publish(): void {
    this.isDue = false;
    for (const [id, reply] of this.replies) this.shown.set(id, reply);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  private forgetOldest(): void {
    for (const [id, reply] of this.replies) {
      if (this.replies.size <= MOST_ENDED) return;
      if (!isOver(reply)) continue;
      this.replies.delete(id);
      this.shown.delete(id);
    }
  }
}
