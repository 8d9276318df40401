/** Long answers that are made at a time. */
const AT_A_TIME = 4;
/** Requests that may wait for their turn, of one client and of all. */
const MOST_OF_CLIENT = 32;
const MOST_WAITING = 512;
/** What a client has had counts half after this time. */
const HALF_LIFE_MILLIS = 1_000;
/** Clients whose turns are remembered. */
const MOST_REMEMBERED = 10_000;

type Client = string | null;
interface Had {
  turns: number;
  at: number;
}

/** A few long answers are made at a time. Of those who wait, the one is next who has had the fewest turns lately. */
export class Turns {
  private running = 0;
  private count = 0;
  private readonly waiting = new Map<Client, (() => void)[]>();
  private readonly had = new Map<Client, Had>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** `turn` resolves when it is the client's turn, with what ends it; null if too many wait. `leave`: the client no longer waits. */
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
      if (this.left(client, queue, go)) resolve(() => undefined);
    };
    return { turn, leave };
  }

  /** Whether it was still waiting. */
  private left(client: Client, queue: (() => void)[], go: () => void): boolean {
    const at = queue.indexOf(go);
    if (at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.waiting.delete(client);
    this.count--;
    return true;
  }

  private begin(client: Client): () => void {
    this.running++;
    const turns = this.lately(client) + 1;
    this.had.delete(client);
    this.had.set(client, { turns, at: this.now() });
    if (this.had.size > MOST_REMEMBERED) this.had.delete(this.had.keys().next().value!);
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
      const turns = this.lately(client);
      if (turns < fewest) [chosen, fewest] = [client, turns];
    }
    if (chosen === undefined) return;
    const queue = this.waiting.get(chosen)!;
    const go = queue[0]!;
    this.left(chosen, queue, go);
    go();
  }

  private lately(client: Client): number {
    const had = this.had.get(client);
    return had ? had.turns * 2 ** ((had.at - this.now()) / HALF_LIFE_MILLIS) : 0;
  }
}
