import { describe, expect, it } from '@jest/globals';
import { Refusal, refuse } from '@parlance/decider';
import fc from 'fast-check';
import type { BorrowedApiLimits } from '../src/http/published/borrowed-api-limits.ts';
import type { Lent } from '../src/http/published/limit-calls.ts';
import { fitsBucket, isLinearizable, type Operation, type Step } from './histories.ts';
import { Lender } from './limits-of-keys.ts';

const EDGES = 3;
/** How long an edge refuses requests without a new call after a quota was used up. */
const REPEATED_MILLIS = 1_000;

/** `usedUp`: the refusal states that the quota is used up, and no request in progress can return a use. */
type Kind = 'admitted' | 'givenBack' | 'usedUp';

const quotaOf =
  (limit: number): Step<Kind, number> =>
  (kind, taken) => {
    if (kind === 'admitted') return taken < limit ? taken + 1 : null;
    if (kind === 'givenBack') return taken - 1;
    return taken === limit ? taken : null;
  };

/** Edges that serve one key, and the outcomes of their requests. */
class World {
  readonly lender = new Lender();
  readonly history: Operation<Kind>[] = [];
  /** When the throttle admitted requests. */
  readonly admittedAt: number[] = [];
  mostInFlight = 0;
  private inFlight = 0;
  private readonly edges: BorrowedApiLimits[];
  private readonly running: Promise<void>[] = [];
  /** The time of each step. */
  private readonly steps: number[] = [];

  constructor(terms: Lender['terms'], failures: readonly Failure[]) {
    this.lender.terms = terms;
    const answer = this.lender.borrow.bind(this.lender);
    const left = [...failures];
    this.lender.borrow = async (place, call): Promise<Lent> => {
      const failure = left.shift() ?? 'none';
      if (failure === 'lost') throw gone();
      const lent = await answer(place, call);
      if (failure === 'answer lost') throw gone();
      return lent;
    };
    this.edges = Array.from({ length: EDGES }, () => this.lender.edge());
  }

  send(edge: number, status: number, turns: number): void {
    this.running.push(this.request(this.edges[edge]!, status, turns));
  }

  async wait(turns: number, millis: number): Promise<void> {
    this.lender.now += millis;
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  }

  settle(edge: number): void {
    this.running.push(this.edges[edge]!.settle());
  }

  async end(): Promise<void> {
    await Promise.all(this.running);
  }

  private step(): number {
    return this.steps.push(this.lender.now) - 1;
  }

  private async request(edge: BorrowedApiLimits, status: number, turns: number): Promise<void> {
    const began = this.step();
    try {
      const admitted = await edge.admit(this.lender.key());
      if (admitted.refusal) return;
      this.admittedAt.push(this.lender.now);
      this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
      const refusal = await Promise.resolve(admitted.takeQuota()).catch((error: unknown) => error as Error);
      const answered = this.step();
      if (refusal === null) this.history.push({ kind: 'admitted', began, answered });
      else if (refusal instanceof Refusal && refusal.code === 'quota_exceeded' && !refusal.message.includes('reserved'))
        this.history.push({ kind: 'usedUp', began: this.stepAt(began), answered });
      await this.wait(turns, 0);
      const ended = this.step();
      this.inFlight--;
      admitted.ended(status, true);
      if (refusal === null && status >= 400 && status < 500) this.history.push({ kind: 'givenBack', began: ended, answered: ended });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** The first step whose outcome a refusal may repeat from now on. */
  private stepAt(began: number): number {
    const from = this.steps[began]! - REPEATED_MILLIS;
    return this.steps.findIndex((time) => time >= from);
  }
}

const gone = () => refuse('unavailable', 'service_unavailable', 'The service publication cannot be reached now.', { retry_after: 1 });

type Failure = 'none' | 'lost' | 'answer lost';
const failure = fc.constantFrom<Failure>('none', 'none', 'none', 'none', 'lost', 'answer lost');
const edge = fc.nat(EDGES - 1);
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('send' as const), edge, status: fc.constantFrom(200, 200, 404, 500), turns: fc.nat(6) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat(4), millis: fc.constantFrom(0, 0, 20, 300, 2_500) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const), edge }) },
);

type Action = typeof action extends fc.Arbitrary<infer Made> ? Made : never;

async function historyOf(terms: Lender['terms'], failures: readonly Failure[], actions: readonly Action[]): Promise<World> {
  const world = new World(terms, failures);
  for (const todo of actions) {
    if (todo.do === 'send') world.send(todo.edge, todo.status, todo.turns);
    else if (todo.do === 'settle') world.settle(todo.edge);
    else await world.wait(todo.turns, todo.millis);
  }
  await world.end();
  return world;
}

describe('the outcomes of requests with one key at three edges', () => {
  it('are possible with a single counter of the quota, whatever overlaps or is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(failure, { maxLength: 12 }),
        fc.array(action, { maxLength: 30 }),
        async (limit, failures, actions) => {
          const terms = { throttle: { rate_limit: 1_000, burst_limit: 1_000 }, quota: { limit, period: 'DAY' as const, offset: 0 } };
          const { history } = await historyOf(terms, failures, actions);
          expect(isLinearizable(history, 0, quotaOf(limit))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
  it('are possible with a single bucket, whatever overlaps or is lost', async () => {
    const terms = fc.record({ rate: fc.constantFrom(0.5, 3, 50), burst: fc.constantFrom(1, 2, 10) });
    await fc.assert(
      fc.asyncProperty(
        terms,
        fc.array(failure, { maxLength: 12 }),
        fc.array(action, { maxLength: 60 }),
        async ({ rate, burst }, failures, actions) => {
          const world = await historyOf({ throttle: { rate_limit: rate, burst_limit: burst }, quota: null }, failures, actions);
          expect(fitsBucket(world.admittedAt, { rate, burst })).toBe(true);
          expect(world.mostInFlight).toBeLessThanOrEqual(burst);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the check of histories', () => {
  const at = (kind: Kind, began: number, answered = began): Operation<Kind> => ({ kind, began, answered });
  it.each<[string, boolean, readonly Operation<Kind>[]]>([
    ['the last one of the quota after a refusal at the same time', true, [at('usedUp', 0, 3), at('admitted', 1, 2)]],
    ['a refusal before the last one of the quota', false, [at('usedUp', 0), at('admitted', 1)]],
    ['one more than the quota', false, [at('admitted', 0, 9), at('admitted', 1, 8)]],
    ['one that was given back', true, [at('admitted', 0), at('givenBack', 1), at('admitted', 2)]],
    ['one that was given back too late', false, [at('admitted', 0), at('admitted', 1), at('givenBack', 2)]],
    ['a refusal after one was given back', false, [at('admitted', 0), at('givenBack', 1), at('usedUp', 2)]],
    ['a refusal while one is given back', true, [at('admitted', 0), at('givenBack', 1, 3), at('usedUp', 2)]],
  ])('judges %s: %s', (_, isRight, history) => expect(isLinearizable(history, 0, quotaOf(1))).toBe(isRight));
  it('finds a window with more than the bucket has', () => {
    const terms = { rate: 1, burst: 2 };
    expect([fitsBucket([0, 0, 1_000], terms), fitsBucket([0, 500, 900], terms), fitsBucket([0, 0, 1_000, 1_000], terms)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
