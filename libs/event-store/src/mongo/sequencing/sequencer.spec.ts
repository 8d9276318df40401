import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Growth } from '../../growth.ts';
import type { Batches } from './batches.ts';
import { idOf, placeOf, type TailDocument } from '../documents.ts';
import type { Pending } from './order.ts';
import { WATCHED_POLL_MILLIS } from './poll-pace.ts';
import { MongoSequencer } from './sequencer.ts';

type Decide = Parameters<Batches['decide']>;

/** The database of several processes. Each command takes effect atomically, some turns of the event loop after it was sent and before it is answered. */
class Simulated {
  private tail: TailDocument = { _id: 'tail', batch: 0, first: 1, commits: [] };
  private readonly commits = new Map<string, { pending: string | null; position: number | null }>();
  /** Violations of invariants. */
  readonly faults: string[] = [];

  constructor(private readonly chance: () => number) {}

  async insert({ _id, pending }: Pending): Promise<void> {
    await this.turns();
    this.commits.set(_id, { pending: pending!, position: null });
    await this.turns();
  }

  /** The database as one process sees it. Some commands fail: before they take effect, half done, or afterwards. */
  seenBy(process: { failing: boolean }): Batches {
    const command = async <Result>(effect: () => Result): Promise<Result> => {
      await this.turns();
      const fate = process.failing ? this.chance() : 1;
      if (fate < 0.05) throw new Error('lost before it took effect');
      const result = effect();
      await this.turns();
      if (fate < 0.1) throw new Error('lost after it took effect');
      return result;
    };
    return {
      newer: (known: TailDocument | undefined) => command(() => (known?.batch === this.tail.batch ? null : this.tail)),
      unwritten: ({ commits }: TailDocument) => command(() => new Set(commits.filter((id) => this.commits.get(id)?.pending))),
      write: (tail: TailDocument, unwritten: ReadonlySet<string>) => command(() => this.write(tail, unwritten)),
      pending: (limit: number) =>
        command(() => {
          const found = [...this.commits].flatMap(([_id, { pending }]) => (pending ? [{ _id, ...placeOf(_id), pending }] : []));
          return found.sort((one, other) => (one.pending < other.pending ? -1 : 1)).slice(0, limit);
        }),
      positions: (ids: readonly string[], settled = Infinity) =>
        command(() => {
          const found = ids.map((id) => [id, this.commits.get(id)?.position ?? null] as const);
          return new Map(found.filter((entry): entry is [string, number] => entry[1] !== null && entry[1] <= settled));
        }),
      decide: (previous: Decide[0], next: Decide[1]) =>
        command(() => {
          if (this.tail.batch !== previous.batch) return new Error('not the tail');
          this.tail = next;
          // A process may die, or lose its connection, in the middle.
          const written = next.commits.slice(0, process.failing && this.chance() < 0.2 ? next.commits.length >> 1 : undefined);
          this.write(next, new Set(written));
          return written.length < next.commits.length ? new Error('half done') : null;
        }),
      end: async () => undefined,
    } as unknown as Batches;
  }

  order(): string[] {
    return [...this.commits].sort(([, one], [, other]) => one.position! - other.position!).map(([id]) => id);
  }

  positions(): (number | null)[] {
    return [...this.commits.values()].map(({ position }) => position).sort((one, other) => one! - other!);
  }

  private write({ first, commits }: TailDocument, unwritten: ReadonlySet<string>): void {
    for (const [index, id] of commits.entries()) {
      if (!unwritten.has(id)) continue;
      const commit = this.commits.get(id)!;
      if (commit.position !== null && commit.position !== first + index) this.faults.push(`${id} moved from ${commit.position}`);
      this.commits.set(id, { pending: null, position: first + index });
    }
  }

  private async turns(): Promise<void> {
    for (let left = Math.floor(this.chance() * 4); left > 0; left--) await new Promise(setImmediate);
  }
}

/** Mulberry32: uniform random numbers that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('processes that assign positions concurrently', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Runs work with fast time. This is possible because the work waits only for turns of the event loop and timers. */
  async function passing<Result>(work: Promise<Result>, most = Infinity): Promise<Result> {
    const isOver = () => true;
    const over = work.then(isOver, isOver);
    const turn = () => new Promise<boolean>((resolve) => setImmediate(resolve, false));
    const begun = performance.now();
    while (!(await Promise.race([over, turn()]))) {
      if (performance.now() - begun > most) throw new Error(`not over after ${most} ms`);
      jest.advanceTimersByTime(100);
    }
    return work;
  }

  it('assign each commit one position, without gaps and in the order of its stream, whatever fails meanwhile', async () => {
    const stream = fc.record({ process: fc.nat(2), commits: fc.integer({ min: 1, max: 12 }), wanders: fc.boolean() });
    let appended = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(stream, { minLength: 1, maxLength: 6 }), fc.integer(), async (streams, seed) => {
        const chance = randomFrom(seed);
        const database = new Simulated(chance);
        const processes = [0, 1, 2].map(() => {
          const growth = new Growth();
          const state = { failing: true };
          return { state, growth, sequencer: new MongoSequencer(database.seenBy(state), growth, () => undefined) };
        });
        const append = async (name: string, version: number, at: number) => {
          const { sequencer } = processes[at]!;
          const commit: Pending = { _id: idOf(name, version), stream: name, version, pending: String(appended++).padStart(9, '0') };
          const { continuity } = sequencer;
          await database.insert(commit);
          // Some answers are lost.
          if (chance() < 0.1) sequencer.suspect();
          else sequencer.appended(commit, continuity);
        };
        await Promise.all(
          streams.map(async ({ process, commits, wanders }, number) => {
            for (let version = 1; version <= commits; version++)
              await append(`s${number}`, version, wanders ? (process + version) % 3 : process);
          }),
        );

        const [first, second, last] = processes;
        for (const { growth, sequencer } of [first!, second!]) {
          growth.end();
          await passing(sequencer.close());
        }
        last!.state.failing = false;
        const wanted = streams.map(({ commits }, number) => idOf(`s${number}`, commits));
        const given = await passing(Promise.all(wanted.map((id) => last!.sequencer.positionOf(id))));
        const order = database.order();
        expect(database.faults).toEqual([]);
        expect(database.positions()).toEqual(order.map((_, index) => index + 1));
        expect(given).toEqual(wanted.map((id) => order.indexOf(id) + 1));
        for (const [number, { commits }] of streams.entries()) {
          const versions = order.map(placeOf).filter((place) => place.stream === `s${number}`);
          expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: commits }, (_, index) => index + 1));
        }
        last!.growth.end();
        await last!.sequencer.close();
      }),
      { numRuns: 1_000 },
    );
  });

  it('find the predecessors of commits that fill a whole page of the oldest ones', async () => {
    const database = new Simulated(() => 0);
    const growth = new Growth();
    const names = Array.from({ length: 2_001 }, (_, number) => `s${number}`);
    const insert = (stream: string, version: number, pending: string) =>
      database.insert({ _id: idOf(stream, version), stream, version, pending });
    // The clock of the process that wrote the first versions was ahead.
    for (const [index, name] of names.entries()) await insert(name, 2, `1 ${index}`);
    for (const [index, name] of names.entries()) await insert(name, 1, `2 ${index}`);
    const sequencer = new MongoSequencer(database.seenBy({ failing: false }), growth, () => undefined);
    const given = await passing(Promise.all(names.map((name) => sequencer.positionOf(idOf(name, 2)))), 60_000);
    expect(new Set(given).size).toBe(names.length);
    expect(database.positions()).toEqual(Array.from({ length: 2 * names.length }, (_, index) => index + 1));
    growth.end();
    await sequencer.close();
  });

  it('report no position of a batch before all of its positions can be read', async () => {
    const growth = new Growth();
    const [first, second] = [idOf('a', 1), idOf('b', 1)];
    // Another process decides the newer batch after this one has read the tail, and has written only the second position.
    const tails: TailDocument[] = [
      { _id: 'tail', batch: 1, first: 1, commits: [] },
      { _id: 'tail', batch: 2, first: 1, commits: [first, second] },
    ];
    const written = new Map([[second, 2]]);
    const sequencer = new MongoSequencer(
      {
        newer: async () => tails.shift() ?? null,
        unwritten: async ({ commits }: TailDocument) => new Set(commits.filter((id) => !written.has(id))),
        write: async () => void written.set(first, 1),
        positions: async (ids: readonly string[], settled = Infinity) =>
          new Map([...written].filter(([id, position]) => ids.includes(id) && position <= settled)),
        pending: async () => [],
        end: async () => undefined,
      } as unknown as Batches,
      growth,
      () => undefined,
    );
    const reported = sequencer.positionOf(second).then((position) => ({ position, readable: sequencer.settled }));
    expect(await passing(reported, 60_000)).toEqual({ position: 2, readable: 2 });
    growth.end();
    await sequencer.close();
  });
});

describe('a process that is notified of new batches at once', () => {
  const batches = (newer: Batches['newer']) =>
    ({
      newer,
      unwritten: async () => new Set(),
      positions: async () => new Map(),
      pending: async () => [],
      write: async () => undefined,
    }) as never;
  const pauses = () => jest.spyOn(globalThis, 'setTimeout').mock.calls.map(([, millis]) => millis);
  const tail: TailDocument = { _id: 'tail', batch: 4, first: 1, commits: [] };
  const growth = new Growth();
  afterEach(() => void jest.restoreAllMocks());

  it('repeats a round that failed within a second, and then rests', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const failed = Promise.withResolvers<unknown>();
    let isAway = true;
    const sequencer = new MongoSequencer(
      batches(async () => (isAway ? Promise.reject(new Error('away')) : tail)),
      growth,
      failed.resolve,
      () => true,
    );
    await failed.promise;
    await new Promise(setImmediate);
    expect(sequencer.noticed).toBeNull();
    expect(pauses().at(-1)).toBe(500);
    isAway = false;
    set.mock.calls.at(-1)![0]();
    while (sequencer.noticed === null) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect([sequencer.noticed, pauses().at(-1)]).toEqual([0, WATCHED_POLL_MILLIS]);
    growth.end();
  });
});
