import { nextTurn } from '@parlance/event-loop';

/** Waiters woken in one turn of the event loop. */
const AT_ONCE = 16;

/** Wakes all waiters at once. */
export class Bell {
  private waiting = new Set<() => void>();

  get hasNoWaiters(): boolean {
    return this.waiting.size === 0;
  }

  ring(): void {
    if (this.waiting.size === 0) return;
    const { waiting } = this;
    this.waiting = new Set();
    void wakeInTurns(waiting);
  }

  /** Resolves when the bell rings, or when the waiter's signal aborts. */
  rung(waiter: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (waiter.aborted) return resolve();
      const wake = () => {
        waiter.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
      waiter.addEventListener('abort', leave, { once: true });
    });
  }
}

/** A reply may have hundreds of readers, and each of them has work to do when it wakes. */
async function wakeInTurns(waiting: Iterable<() => void>): Promise<void> {
  let woken = 0;
  for (const wake of waiting) {
    wake();
    if (++woken % AT_ONCE === 0) await nextTurn();
  }
}
