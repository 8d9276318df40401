import type { LimitedKey } from './api-limits.ts';
import { HeldBucket } from './held-bucket.ts';
import { HeldQuota } from './held-quota.ts';
import type { KeyReference, LimitCall, LimitCalls } from './limit-calls.ts';

/** A share that is idle for this long is returned. */
export const IDLE_MILLIS = 250;
/** Shares of requests in flight are renewed this long before their lease ends. */
const RENEWED_MILLIS = 5_000;

/** No request waits for the next call. `hasQuota`: whether a waiting request has terms with a quota. */
const NONE_WAIT = { requests: 0, quota: 0, hasQuota: false };

/** This edge's limits for one key. At most one call about the key runs at a time. */
export class KeyAccount {
  readonly bucket = new HeldBucket();
  readonly quota = new HeldQuota();
  /** When a request was last admitted. */
  usedAt: number;
  /** The number of requests that are neither admitted nor refused yet. They keep the account, because they may borrow. */
  arriving = 0;
  private asking: Promise<void> | null = null;
  /** A call that returns a part of the share, and that may not have arrived. */
  private unsent: LimitCall | null = null;
  private waiting = NONE_WAIT;

  constructor(
    private readonly reference: KeyReference,
    private readonly calls: LimitCalls,
    private readonly now: () => number,
  ) {
    this.usedAt = now();
  }

  /** Takes a token and a slot, if the quota is known. `isAsked`: this request has already borrowed. */
  admit({ throttle, quota }: LimitedKey, now: number, isAsked: boolean): boolean {
    if (quota !== null && !isAsked && !this.quota.knows(quota, now)) return false;
    if (!this.bucket.admit(throttle, now, isAsked)) return false;
    this.usedAt = now;
    return true;
  }

  /** Borrows for one more request. Requests that arrive during a call wait for it, and may have to borrow again. */
  borrow({ quota }: LimitedKey, what: 'requests' | 'quota'): Promise<void> {
    const { waiting } = this;
    // Requests under old terms and under new terms may wait for the same call.
    this.waiting = { ...waiting, [what]: waiting[what] + 1, hasQuota: waiting.hasQuota || quota !== null };
    return (this.asking ??= this.ask().finally(() => (this.asking = null)));
  }

  /** Returns what is idle, and renews what requests in flight need. True if this edge no longer has a share. */
  async settle(now: number, idleMillis = IDLE_MILLIS): Promise<boolean> {
    if (this.asking) return false;
    if (this.unsent) await this.carryOut(this.unsent);
    // A request may have started to borrow meanwhile.
    if (this.asking) return false;
    const { bucket, quota } = this;
    const idleFor = now - this.usedAt;
    const isIdle = idleFor >= idleMillis;
    const mayKeep = idleMillis > 0;
    const call: LimitCall = {
      ...(isIdle && (bucket.hasIdle || bucket.isDirty) && !(mayKeep && bucket.mayBeKept(idleFor))
        ? { throttle: bucket.giveBack() }
        : bucket.isEnding(now, RENEWED_MILLIS) && { throttle: bucket.call(0, now) }),
      ...(isIdle && (quota.hasIdle || quota.isDirty) && !(mayKeep && quota.mayBeKept(idleFor)) && { quota: quota.giveBack() }),
    };
    if (call.throttle || call.quota) await this.carryOut(call);
    return this.arriving + bucket.inFlight === 0 && !bucket.holdsAny && !quota.holdsAny && !quota.isDirty && !this.asking;
  }

  /** Returns everything at a graceful shutdown. Waits for a call in progress first, which may borrow. */
  async close(): Promise<void> {
    while (this.asking) await this.asking.catch(() => undefined);
    await this.settle(this.now(), 0);
  }

  private async ask(): Promise<void> {
    // Requests of the same turn of the event loop are counted in `waiting`.
    await Promise.resolve();
    const now = this.now();
    const { requests, quota, hasQuota } = this.waiting;
    this.waiting = NONE_WAIT;
    const throttle = requests > 0 ? this.bucket.call(requests, now) : null;
    const share = hasQuota ? this.quota.call(quota, now) : null;
    await this.send({ ...(throttle && { throttle }), ...(share && { quota: share }) });
  }

  /** Sends a call that no request waits for. Requests that arrive meanwhile wait until it is over. If the call is lost, it is sent again. */
  private carryOut(call: LimitCall): Promise<void> {
    this.unsent = call;
    const done = this.send(call).then(() => void (this.unsent = null));
    return (this.asking = done.finally(() => (this.asking = null)));
  }

  private async send(call: LimitCall): Promise<void> {
    const began = this.now();
    const lent = await this.calls.borrow(this.reference, call);
    const now = this.now();
    if (call.throttle && lent.throttle) this.bucket.answered(call.throttle, lent.throttle, began, now);
    if (call.quota) this.quota.answered(call.quota, lent.quota, began);
  }
}
