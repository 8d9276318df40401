import { nextTurn } from '@parlance/event-loop';

/** Waiters that are woken in one turn of the event loop. */
const AT_ONCE = 16;

/** Wakes all that wait for it. */
export class Bell {
  private waiting = new Set<() => void>();

  get isAlone(): boolean {
    return this.waiting.size === 0;
  }

  ring(): void {
    if (this.waiting.size === 0) return;
    const { waiting } = this;
    this.waiting = new Set();
    void wakeInTurns(waiting);
  }

  /** Resolves when it is rung, or when the waiter is gone. */
  heard(waiter: AbortSignal): Promise<void> {
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

/** A reply may have hundreds of readers, each of which works when it is woken. */
async function wakeInTurns(waiting: Iterable<() => void>): Promise<void> {
  let woken = 0;
  for (const wake of waiting) {
    wake();
    if (++woken % AT_ONCE === 0) await nextTurn();
  }
}
