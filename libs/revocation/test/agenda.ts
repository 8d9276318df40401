import { Time } from '../src/time.ts';

interface Entry {
  readonly at: number;
  readonly run: () => void;
}

/** The entries of a simulated world in order of time. Time advances from one entry to the next without waiting. */
export class Agenda {
  now = 0;
  private readonly entries: Entry[] = [];

  at(at: number, run: () => void): void {
    const entry = { at: Math.max(at, this.now), run };
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle]!.at <= entry.at) low = middle + 1;
      else high = middle;
    }
    this.entries.splice(low, 0, entry);
  }

  /** Runs the next entry and everything that follows from it immediately. False if the time is over. */
  async step(end: number): Promise<boolean> {
    const next = this.entries[0];
    if (!next || next.at > end) return false;
    this.entries.shift();
    this.now = next.at;
    next.run();
    await new Promise(setImmediate);
    return true;
  }
}

/** Pseudorandom numbers from a seed. */
export class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A delay that is usually short and sometimes very long. */
  delay(): number {
    return this.next() < 0.06 ? this.between(50, 3_500) : this.between(0.1, 12);
  }
}

/** A process with its own clock, which can be paused or killed at any moment. */
export class SimulatedProcess extends Time {
  isDead = false;
  private pausedUntil = 0;
  private readonly offset: number;
  private readonly rate: number;

  constructor(
    readonly agenda: Agenda,
    readonly dice: Dice,
  ) {
    super();
    this.offset = dice.between(0, 1e6);
    this.rate = dice.between(0.95, 1.05);
  }

  steady(): number {
    return this.offset + this.agenda.now * this.rate;
  }

  ofDay(): number {
    return this.agenda.now;
  }

  sleep(millis: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      signal?.addEventListener('abort', () => resolve());
      this.agenda.at(this.agenda.now + millis / this.rate, () => this.do(resolve));
    });
  }

  pause(millis: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.agenda.now + millis);
  }

  get isAwake(): boolean {
    return !this.isDead && this.agenda.now >= this.pausedUntil;
  }

  /** Runs work in this process: when it continues, if it is paused; never, if it is dead. */
  do(run: () => void): void {
    if (this.isDead) return;
    if (this.isAwake) run();
    else this.agenda.at(this.pausedUntil, () => this.do(run));
  }

  /** A call to a database, which takes effect at some moment between the request and the answer. */
  async ask<Answer>(effect: () => Answer | Promise<Answer>): Promise<Answer> {
    await this.sleep(this.dice.delay());
    const answer = await effect();
    await this.sleep(this.dice.delay());
    return answer;
  }

  /** A call to another process. The request and the answer may each be delayed or lost. */
  call<Answer>(other: SimulatedProcess, work: () => Promise<Answer>): Promise<Answer> {
    const way = (run: () => void) => {
      if (this.dice.next() > 0.02) this.agenda.at(this.agenda.now + this.dice.delay(), run);
    };
    return new Promise((resolve, reject) => {
      const answered = (settle: () => void) => way(() => this.do(settle));
      way(() =>
        other.do(() => {
          work().then(
            (answer) => answered(() => resolve(answer)),
            (error: Error) => answered(() => reject(error)),
          );
        }),
      );
    });
  }
}
