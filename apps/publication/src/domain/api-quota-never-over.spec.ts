import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { endOf, firstDayOf, HeldShare } from '@parlance/limits';
import fc from 'fast-check';
import { apiQuota, type ApiQuota, type QuotaCommand } from './api-quota.ts';

const LIMIT = 200;

interface Edge {
  name: string;
  isFirst: boolean;
  share: HeldShare;
  firstDay: string;
  usableUntil: number;
}

type Fate = 'answered' | 'lost' | 'late';

/** One key, three edges, and publication services whose clocks differ. */
class World {
  state: ApiQuota = apiQuota.initialState;
  now = Date.parse('2026-11-22T20:00:00Z');
  readonly admitted: Record<string, number> = {};
  private made = 0;
  private readonly edges: Edge[] = [this.edge(), this.edge(), this.edge()];
  private readonly late: QuotaCommand[] = [];

  use(index: number, fate: Fate, off: number, wanted: number): boolean {
    return this.take(index) || (this.call(index, fate, off, { needed: 1, wanted }), this.take(index));
  }

  /** Ends the request that has waited longest: a 4xx does not count against the quota. */
  end(index: number, isRefused: boolean): void {
    const { share, firstDay } = this.edges[index]!;
    if (share.undecided === 0) return;
    if (isRefused) {
      share.giveBack();
      this.admitted[firstDay]!--;
    } else share.keep();
  }

  kill(index: number): void {
    this.edges[index] = this.edge();
  }

  giveBack(index: number, fate: Fate, off: number): void {
    this.edges[index]!.share.keepOnly(0);
    this.call(index, fate, off, { needed: 0, wanted: 0 });
  }

  deliver(): void {
    const call = this.late.shift();
    if (call) this.carryOut(call);
  }

  private take(index: number): boolean {
    const { share, usableUntil, firstDay } = this.edges[index]!;
    if (this.now >= usableUntil || !share.take()) return false;
    this.admitted[firstDay] = (this.admitted[firstDay] ?? 0) + 1;
    return true;
  }

  private call(index: number, fate: Fate, off: number, wish: { needed: number; wanted: number }): void {
    if (this.now >= this.edges[index]!.usableUntil && !this.edges[index]!.isFirst) this.kill(index);
    const edge = this.edges[index]!;
    const now = Instant.ofMillis(this.now + off);
    const terms = { period: 'DAY', firstDay: firstDayOf('DAY', now), limit: LIMIT, revision: 1 } as const;
    const { name: holder, isFirst, share } = edge;
    const call: QuotaCommand = {
      type: 'Borrow',
      holder,
      isFirst,
      isLast: false,
      report: share.report,
      wish,
      terms,
      until: Instant.plus(now, 60_000),
    };
    if (fate === 'late') this.late.push(call);
    if (fate === 'late') return;
    this.carryOut(call);
    const recorded = this.state.shares[holder];
    if (fate === 'lost') return;
    if (!recorded && !isFirst) return this.kill(index);
    if (!recorded) return;
    const { firstDay } = this.state.current!;
    Object.assign(edge, { isFirst: false, firstDay, usableUntil: this.now + endOf('DAY', Instant.parse(`${firstDay}T00:00:00Z`)) - now });
    share.lent(recorded.granted);
  }

  private carryOut(call: QuotaCommand): void {
    const decided = apiQuota.decide(call, this.state);
    if (!(decided instanceof Refusal)) this.state = fold(apiQuota, decided, this.state);
  }

  private edge(): Edge {
    return { name: `e${++this.made}`, isFirst: true, share: new HeldShare(), firstDay: '', usableUntil: 0 };
  }
}

const index = fc.nat(2);
const off = fc.integer({ min: -30_000, max: 30_000 });
const actions = (fates: readonly Fate[], mayDie: boolean) => {
  const fate = fc.constantFrom(...fates);
  return fc.array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({
          do: fc.constant('use' as const),
          nth: index,
          fate,
          off,
          wanted: fc.nat(30),
          times: fc.integer({ min: 1, max: 40 }),
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('end' as const),
          nth: index,
          isRefused: fc.boolean(),
          times: fc.integer({ min: 1, max: 40 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('giveBack' as const), nth: index, fate, off }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.integer({ min: 1, max: 90_000 }) }) },
      {
        weight: mayDie ? 1 : 0,
        arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.constantFrom(2 * 3_600_000, 14_395_000) }),
      },
      { weight: mayDie ? 1 : 0, arbitrary: fc.record({ do: fc.constant('kill' as const), nth: index }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
    ),
    { minLength: 20, maxLength: 120 },
  );
};

function act(world: World, todo: ReturnType<typeof actions> extends fc.Arbitrary<(infer Action)[]> ? Action : never): void {
  if (todo.do === 'use') for (let n = 0; n < todo.times; n++) world.use(todo.nth, todo.fate, todo.off, todo.wanted);
  else if (todo.do === 'end') for (let n = 0; n < todo.times; n++) world.end(todo.nth, todo.isRefused);
  else if (todo.do === 'giveBack') world.giveBack(todo.nth, todo.fate, todo.off);
  else if (todo.do === 'wait') world.now += todo.millis;
  else if (todo.do === 'kill') world.kill(todo.nth);
  else world.deliver();
}

describe('the quota of a key that three edges serve', () => {
  it('is never exceeded in any period, whichever parts are killed, paused, lost, late or out of step', () => {
    fc.assert(
      fc.property(actions(['answered', 'answered', 'lost', 'late'], true), (todos) => {
        const world = new World();
        for (const todo of todos) {
          act(world, todo);
          for (const count of Object.values(world.admitted)) expect(count).toBeLessThanOrEqual(LIMIT);
        }
      }),
      { numRuns: 500 },
    );
  });
  it('admits exactly the limit when no edge is lost', () => {
    fc.assert(
      fc.property(actions(['answered'], false), (todos) => {
        const world = new World();
        for (const todo of todos) act(world, { ...todo, ...('off' in todo && { off: 0 }) } as typeof todo);
        for (const edge of [0, 1, 2]) for (let n = 0; n < LIMIT; n++) world.end(edge, n % 2 === 0);
        for (const edge of [0, 1, 2]) world.giveBack(edge, 'answered', 0);
        let more = 0;
        while (world.use(more % 3, 'answered', 0, 0)) {
          world.end(more % 3, false);
          for (const edge of [0, 1, 2]) world.giveBack(edge, 'answered', 0);
          more++;
        }
        expect(Object.values(world.admitted)).toEqual([LIMIT]);
      }),
      { numRuns: 200 },
    );
  });
});
