import { UnsupportedEvent, NotNow } from './broker.ts';

/** Longer than a rolling update takes to replace the replicas of a service. */
const PATIENCE_MS = 300_000;
/** After this long without an unknown event, the next one counts as part of another update, which gets its own time. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Events whose type this release does not know, because a service of a newer release has sent them. During a rolling update, this process
 * will soon be replaced by one that knows them. Until then, they and the events after them wait. If this process still runs after
 * `PATIENCE_MS`, the update is stuck or was rolled back: from then on such events are set aside, and can be redriven after the next update.
 * A later update starts the wait again.
 */
export class NewerEvents {
  #waitingSince = -Infinity;
  #seenAt = -Infinity;

  constructor(
    private readonly isKnown: (type: string) => boolean,
    /** 0 if no other process will take over. */
    private readonly patienceMs = PATIENCE_MS,
    private readonly now: () => number = Date.now,
  ) {}

  /** Throws if a newer release has sent the event: `NotNow` while it has to wait, `UnsupportedEvent` after that. */
  check(type: string): void {
    if (this.isKnown(type)) return;
    const now = this.now();
    if (now - this.#seenAt >= FORGOTTEN_MS) this.#waitingSince = now;
    this.#seenAt = now;
    const reason = `${type} is an event of a newer release. Redrive it when this service is updated.`;
    throw now - this.#waitingSince >= this.patienceMs ? new UnsupportedEvent(reason) : new NotNow(new Error(reason));
  }
}
