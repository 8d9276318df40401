/** How many long answers are made at the same time. */
const AT_A_TIME = 4;
/** How many requests of all clients may wait for their turn. */
const MOST_WAITING = 512;
/** How many of them may be from one known client. An address, which many people may share, has no limit of its own. */
const MOST_OF_CLIENT = 32;
/** After this time, a client's past turns count half. */
const HALF_LIFE_MILLIS = 1_000;
/** How many clients' past turns are remembered. */
const MOST_REMEMBERED = 10_000;

type Client = string | null;
/** Called with the end of the turn when it begins, or with null if the request is refused. */
type Waiting = (end: (() => void) | null) => void;

interface PastTurns {
  turns: number;
  at: number;
}

/** Limits how many long answers are made at the same time. The waiting client with the fewest recent turns is next. */
export class Turns {
  private running = 0;
  private count = 0;
  private readonly waiting = new Map<Client, Waiting[]>();
  private readonly past = new Map<Client, PastTurns>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * `turn` resolves with a function that ends the turn, when it is the client's turn; with null if too many requests wait. If all places are
   * taken, a request takes the place of the last one of the client with the most. `leave` gives up waiting.
   */
  take(client: Client, isAddress = false): { readonly turn: Promise<(() => void) | null>; readonly leave: () => void } {
    if (this.running < AT_A_TIME) return { turn: Promise.resolve(this.begin(client)), leave: () => undefined };
    const queue = this.waiting.get(client) ?? [];
    if ((!isAddress && queue.length >= MOST_OF_CLIENT) || !this.hasPlaceBeside(queue.length))
      return { turn: Promise.resolve(null), leave: () => undefined };
    const { promise: turn, resolve } = Promise.withResolvers<(() => void) | null>();
    this.waiting.set(client, queue);
    this.count++;
    queue.push(resolve);
    const leave = () => {
      if (this.removeWaiting(client, resolve)) resolve(null);
    };
    return { turn, leave };
  }

  /** Returns whether a client with this many waiting requests may have another one, and refuses another client's request for it if necessary. */
  private hasPlaceBeside(own: number): boolean {
    if (this.count < MOST_WAITING) return true;
    const [client, queue] = [...this.waiting].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    if (queue.length <= own + 1) return false;
    const last = queue.at(-1)!;
    this.removeWaiting(client, last);
    last(null);
    return true;
  }

  /** Returns whether the request was still waiting. */
  private removeWaiting(client: Client, request: Waiting): boolean {
    const queue = this.waiting.get(client);
    const at = queue?.indexOf(request) ?? -1;
    if (!queue || at < 0) return false;
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
    const first = this.waiting.get(chosen)![0]!;
    this.removeWaiting(chosen, first);
    first(this.begin(chosen));
  }

  private recentTurns(client: Client): number {
    const past = this.past.get(client);
    return past ? past.turns * 2 ** ((past.at - this.now()) / HALF_LIFE_MILLIS) : 0;
  }
}
