import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Bucket,
  BUCKET_LEASE_MILLIS,
  BUCKET_USABLE_MILLIS,
  type BucketAnswer,
  type BucketCall,
  type BucketTerms,
  callBucket,
} from './bucket.ts';
import { HeldShare } from './held-share.ts';

/** A token bucket in one process. It fails if a request passes for which it has no token. */
class Measure {
  private level: number;
  private at = 0;
  worst = 0;
  constructor(private readonly terms: BucketTerms) {
    this.level = terms.burst;
  }
  pass(now: number): void {
    this.level = Math.min(this.terms.burst, this.level + ((now - this.at) / 1_000) * this.terms.rate) - 1;
    this.at = now;
    this.worst = Math.min(this.worst, this.level);
  }
}

interface Edge {
  name: string;
  isFirst: boolean;
  tokens: HeldShare;
  places: HeldShare;
  usableUntil: number;
}

type Fate = 'answered' | 'lost' | 'late';

class World {
  readonly measure: Measure;
  now = 0;
  private bucket: Bucket | null = null;
  private made = 0;
  private readonly edges: Edge[];
  private readonly late: BucketCall[] = [];

  constructor(readonly terms: BucketTerms) {
    this.measure = new Measure(terms);
    this.edges = [this.edge(), this.edge(), this.edge()];
  }

  /** Requests in flight at running edges whose lease has not ended. */
  get inFlight(): number {
    return this.edges.reduce((sum, { places, usableUntil }) => sum + (this.now < usableUntil ? places.undecided : 0), 0);
  }

  use(edgeIndex: number, fate: Fate, wanted: number): boolean {
    return this.take(edgeIndex) || (this.call(edgeIndex, fate, { needed: 1, wanted }), this.take(edgeIndex));
  }

  end(edgeIndex: number): void {
    const { places } = this.edges[edgeIndex]!;
    if (places.undecided > 0) places.giveBack();
  }

  /** An edge that was killed, or paused for longer than its lease, starts again under another name. */
  kill(edgeIndex: number): void {
    this.edges[edgeIndex] = this.edge();
  }

  giveBack(edgeIndex: number, fate: Fate): void {
    const { tokens, places } = this.edges[edgeIndex]!;
    tokens.keepOnly(0);
    places.keepOnly(0);
    this.call(edgeIndex, fate, { needed: 0, wanted: 0 });
  }

  deliver(): void {
    const call = this.late.shift();
    if (call) this.carryOut(call);
  }

  private take(edgeIndex: number): boolean {
    const { tokens, places, usableUntil } = this.edges[edgeIndex]!;
    if (this.now >= usableUntil || tokens.available < 1 || !places.take()) return false;
    tokens.take();
    tokens.keep();
    this.measure.pass(this.now);
    return true;
  }

  private call(edgeIndex: number, fate: Fate, wanted: { needed: number; wanted: number }): void {
    if (this.now >= this.edges[edgeIndex]!.usableUntil && !this.edges[edgeIndex]!.isFirst) this.kill(edgeIndex);
    const edge = this.edges[edgeIndex]!;
    const { name, isFirst, tokens, places } = edge;
    const call = {
      holder: name,
      isFirst,
      isLast: false,
      tokens: { ...tokens.report, ...wanted },
      places: { returned: places.report.returned, ...wanted },
    };
    if (fate === 'late') this.late.push(call);
    if (fate === 'late') return;
    const answer = this.carryOut(call);
    if (fate === 'lost') return;
    if (!answer.isKnown) return this.kill(edgeIndex);
    edge.isFirst = false;
    edge.usableUntil = this.now + BUCKET_USABLE_MILLIS;
    tokens.lent(answer.tokens);
    places.lent(answer.places);
  }

  private carryOut(call: BucketCall): BucketAnswer {
    const { bucket, answer } = callBucket(this.bucket, this.terms, call, this.now);
    this.bucket = bucket;
    return answer;
  }

  private edge(): Edge {
    return { name: `e${++this.made}`, isFirst: true, tokens: new HeldShare(), places: new HeldShare(), usableUntil: 0 };
  }
}

const edgeIndex = fc.nat(2);
const fate = fc.constantFrom<Fate>('answered', 'answered', 'answered', 'lost', 'late');
const action = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('use' as const), edgeIndex, fate, wanted: fc.nat(30), times: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.integer({ min: 1, max: 3_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.integer({ min: 9_000, max: 20_000 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), edgeIndex, times: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), edgeIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('giveBack' as const), edgeIndex, fate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
);
const terms = fc.record({ rate: fc.constantFrom(0.5, 3, 50, 1_000), burst: fc.constantFrom(1, 2, 10, 100) });

function act(world: World, todo: Parameters<Parameters<typeof action.map>[0]>[0]): void {
  if (todo.do === 'use') for (let n = 0; n < todo.times; n++) world.use(todo.edgeIndex, todo.fate, todo.wanted);
  else if (todo.do === 'wait') world.now += todo.millis;
  else if (todo.do === 'end') for (let n = 0; n < todo.times; n++) world.end(todo.edgeIndex);
  else if (todo.do === 'kill') world.kill(todo.edgeIndex);
  else if (todo.do === 'giveBack') world.giveBack(todo.edgeIndex, todo.fate);
  else world.deliver();
}

describe('a bucket that three edges use', () => {
  it('never exceeds its terms, whichever edges are killed or paused and whichever calls are lost or late', () => {
    fc.assert(
      fc.property(terms, fc.array(action, { minLength: 20, maxLength: 120 }), (its, actions) => {
        const world = new World(its);
        for (const todo of actions) {
          act(world, todo);
          expect(world.measure.worst).toBeGreaterThan(-1e-6);
          expect(world.inFlight).toBeLessThanOrEqual(its.burst);
        }
      }),
      { numRuns: 500 },
    );
  });
  it('is full again when all leases have ended', () => {
    fc.assert(
      fc.property(terms, fc.array(action, { minLength: 5, maxLength: 60 }), (its, actions) => {
        const world = new World(its);
        for (const todo of actions) act(world, todo);
        for (let n = 0; n < 120; n++) world.deliver();
        for (const one of [0, 1, 2]) world.kill(one);
        // One more millisecond, because sums of fractions are rounded.
        world.now += BUCKET_LEASE_MILLIS + (its.burst / its.rate) * 1_000 + 1;
        for (let n = 0; n < its.burst; n++) expect(world.use(n % 3, 'answered', 0)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

const terms10 = { rate: 10, burst: 10 };
const call = (more: Partial<BucketCall> = {}): BucketCall => ({
  holder: 'a',
  isFirst: true,
  isLast: false,
  tokens: { used: 0, returned: 0, needed: 1, wanted: 1 },
  places: { returned: 0, needed: 1, wanted: 1 },
  ...more,
});

describe('a bucket', () => {
  it('fills up after the lease of a lost process, even without a call in between', () => {
    const { bucket } = callBucket(null, { rate: 1, burst: 1 }, call(), 0);
    const ask = (now: number) => callBucket(bucket, { rate: 1, burst: 1 }, call({ holder: 'b' }), now).answer;
    expect([ask(BUCKET_LEASE_MILLIS), ask(BUCKET_LEASE_MILLIS + 1_000)]).toMatchObject([{ tokens: 0 }, { tokens: 1 }]);
  });
  it('reports when there will be a token again', () => {
    const { answer } = callBucket({ level: 0.5, at: 0, shares: {} }, terms10, call(), 0);
    expect([answer.tokens, answer.places, answer.emptyMillis]).toEqual([0, 1, 50]);
  });
  it('lends the needed amount, or a part of the rest to a process that wants more', () => {
    const wish = (needed: number, wanted: number) =>
      callBucket(null, terms10, call({ tokens: { used: 0, returned: 0, needed, wanted } }), 0).answer.tokens;
    expect([wish(1, 1), wish(1, 9), wish(7, 9), wish(20, 20)]).toEqual([1, 3, 7, 10]);
  });
  it('does not know a process whose lease has ended', () => {
    const { bucket } = callBucket(null, terms10, call(), 0);
    expect(callBucket(bucket, terms10, call({ isFirst: false }), BUCKET_LEASE_MILLIS).answer.isKnown).toBe(false);
  });
  it('is removed when it is full and everything was returned', () => {
    const { bucket } = callBucket(null, terms10, call(), 0);
    const last = call({
      isLast: true,
      isFirst: false,
      tokens: { used: 0, returned: 1, needed: 0, wanted: 0 },
      places: { returned: 1, needed: 0, wanted: 0 },
    });
    expect(callBucket(bucket, terms10, last, 1)).toMatchObject({ bucket: null });
  });
  it('is lent to at most 64 processes at a time', () => {
    const wide = { rate: 1_000, burst: 1_000 };
    let bucket: Bucket | null = null;
    const known = Array.from({ length: 65 }, (_, edge) => {
      const called = callBucket(bucket, wide, call({ holder: `e${edge}` }), 0);
      bucket = called.bucket;
      return called.answer.isKnown;
    });
    expect([known.indexOf(false), known.length]).toEqual([64, 65]);
  });
  it('takes back at most its burst when that was lowered', () => {
    const wish = { used: 0, returned: 0, needed: 10, wanted: 10 };
    const { bucket } = callBucket(null, terms10, call({ tokens: wish }), 0);
    const lowered = { rate: 0.001, burst: 3 };
    const back = { used: 0, returned: 10, needed: 10, wanted: 10 };
    expect(callBucket(bucket, lowered, call({ isFirst: false, tokens: back }), 1).answer).toMatchObject({ tokens: 13, level: 0 });
  });
  it('has less at once when its burst is lowered', () => {
    const { bucket } = callBucket(null, terms10, call(), 0);
    expect(callBucket(bucket, { rate: 10, burst: 3 }, call({ holder: 'b' }), 1).answer).toMatchObject({ tokens: 1, level: 1, places: 1 });
  });
});
