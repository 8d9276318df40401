import { setTimeout as pause } from 'node:timers/promises';

/** Hosts whose last turn is remembered. */
const MAX_HOSTS = 500;

interface Host {
  /** Resolves when the last granted turn has ended. */
  last: Promise<unknown>;
  nextAt: number;
  waiting: number;
}

/** One request at a time to each host, with the pause between requests that the host asks for. */
export class Turns {
  private readonly hosts = new Map<string, Host>();

  /** Rejects with the reason of the signal if the signal is aborted first. */
  async take<T>(host: string, delayMillis: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const state = this.hosts.get(host) ?? this.add(host);
    state.waiting++;
    const turn = state.last.then(async () => {
      signal.throwIfAborted();
      const wait = state.nextAt - performance.now();
      if (wait > 0) await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
      state.nextAt = performance.now() + delayMillis;
      return work();
    });
    state.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      state.waiting--;
    }
  }

  private add(host: string): Host {
    if (this.hosts.size >= MAX_HOSTS) for (const [name, { waiting }] of this.hosts) if (waiting === 0) this.hosts.delete(name);
    const state: Host = { last: Promise.resolve(), nextAt: 0, waiting: 0 };
    this.hosts.set(host, state);
    return state;
  }
}
