import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** How long a stream waits for a repeat after its caller has left. SDKs repeat within eight seconds. */
export const FREE_MILLIS = 10_000;

/** The place of the caller that an answer is sent to. Until it is sent, a repeat of the request takes the place of a caller who has left. */
export class CallerSeat {
  private current: FastifyReply;
  /** Ends the request of a repeat. Null for the first caller. */
  private repeat: PromiseWithResolvers<boolean> | null = null;
  /** Set while a stream waits for a repeat. */
  private taken: PromiseWithResolvers<void> | null = null;
  /** Set while somebody waits for the end. */
  private end: PromiseWithResolvers<void> | null = null;
  private leftAt = 0;
  private isClosed = false;

  /** `onLeave` is called each time when a caller leaves. */
  constructor(
    reply: FastifyReply,
    private readonly onLeave: (seat: CallerSeat) => void,
  ) {
    this.current = reply;
    this.watch(reply);
  }

  get reply(): FastifyReply {
    return this.current;
  }

  get isFree(): boolean {
    return this.current.raw.destroyed;
  }

  /** Resolves when this caller has the answer, or has left too. False: the call has ended without one. Rejects with the refusal that it ended with. */
  take(reply: FastifyReply): Promise<boolean> {
    this.current = reply;
    this.repeat = Promise.withResolvers();
    this.taken?.resolve();
    this.watch(reply);
    return this.repeat.promise;
  }

  /** Resolves when there is a caller, or none has come in time. */
  async occupied(ending: AbortSignal): Promise<void> {
    while (this.isFree && !ending.aborted) {
      const millis = this.leftAt + FREE_MILLIS - performance.now();
      if (millis <= 0) return;
      this.taken = Promise.withResolvers();
      const late = pause(millis, undefined, { signal: ending, ref: false }).catch(() => undefined);
      await Promise.race([this.taken.promise, late]);
    }
  }

  /** Resolves when nothing more is sent. The call must be in progress. */
  ended(): Promise<void> {
    return (this.end ??= Promise.withResolvers()).promise;
  }

  /** Nobody else can take the place any more, because the answer is being sent, or is kept. */
  close(): void {
    this.isClosed = true;
  }

  /** Must be called at the end. Throws the error if it is for the first caller. */
  leave(error: unknown = null): void {
    this.close();
    this.end?.resolve();
    if (this.repeat === null && error !== null) throw error;
    if (error === null) this.repeat?.resolve(this.current.raw.headersSent);
    else this.repeat?.reject(error);
  }

  private watch(reply: FastifyReply): void {
    const { raw } = reply;
    const onClose = () => {
      if (this.isClosed || reply !== this.current) return;
      this.leftAt = performance.now();
      this.repeat?.resolve(true);
      this.onLeave(this);
    };
    if (raw.destroyed) onClose();
    else raw.once('close', onClose);
  }
}
