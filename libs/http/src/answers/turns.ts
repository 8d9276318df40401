/** How many long answers are made at the same time. */
const AT_A_TIME = 4;
/** How many requests may wait for their turn: of one client, and of all clients. */
const MOST_OF_CLIENT = 32;
const MOST_WAITING = 512;
/** After this time, a client's past turns count half. */
const HALF_LIFE_MILLIS = 1_000;
/** How many clients' past turns are remembered. */
const MOST_REMEMBERED = 10_000;

type Client = string | null;
interface PastTurns {
  turns: number;
  at: number;
}

/** Limits how many long answers are made at the same time. The waiting client with the fewest recent turns is next. */
export class Turns {
  private running = 0;
  private count = 0;
  private readonly waiting = new Map<Client, (() => void)[]>();
  private readonly past = new Map<Client, PastTurns>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** `turn` resolves with a function that ends the turn, when it is the client's turn; null if too many requests wait. `leave` gives up waiting. */
  take(client: Client): { readonly turn: Promise<() => void> | null; readonly leave: () => void } {
    if (this.running < AT_A_TIME) return { turn: Promise.resolve(this.begin(client)), leave: () => undefined };
    const queue = this.waiting.get(client) ?? [];
    if (queue.length >= MOST_OF_CLIENT || this.count >= MOST_WAITING) return { turn: null, leave: () => undefined };
    const { promise: turn, resolve } = Promise.withResolvers<() => void>();
    const go = () => resolve(this.begin(client));
    this.waiting.set(client, queue);
    this.count++;
    queue.push(go);
    const leave = () => {
      if (this.removeWaiting(client, queue, go)) resolve(() => undefined);
    };
    return { turn, leave };
  }

  /** Returns whether the request was still waiting. */
  private removeWaiting(client: Client, queue: (() => void)[], go: () => void): boolean {
    const at = queue.indexOf(go);
    if (at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.waiting.delete(client);
    this.count--;
    return true;
  }

  private begin(client: Client): () => void {
    this.running++;
    const turns = this.recentTurns(client) + 1;
    this.past.delete(client);
    this.past.set(client, { turns, at: this.now() });
    if (this.past.size > MOST_REMEMBERED) this.past.delete(this.past.keys().next().value!);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.running--;
      this.next();
    };
  }

  private next(): void {
    let chosen: Client | undefined;
    let fewest = Infinity;
    for (const client of this.waiting.keys()) {
      const turns = this.recentTurns(client);
      if (turns < fewest) [chosen, fewest] = [client, turns];
    }
    if (chosen === undefined) return;
    const queue = this.waiting.get(chosen)!;
    const go = queue[0]!;
    this.removeWaiting(chosen, queue, go);
    go();
  }

  private recentTurns(client: Client): number {
    const past = this.past.get(client);
    return past ? past.turns * 2 ** ((past.at - this.now()) / HALF_LIFE_MILLIS) : 0;
  }
}
