import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import type { Price } from '../model-prices.ts';
import {
  type Correction,
  lastCompleted,
  MOST_CORRECTED_CHARGES,
  MOST_RESTATED,
  MOST_RESTATED_PRICES,
  type RestatementCommand,
  type RestatementEvent,
  restatements,
} from './restatement.ts';

const given = specify(restatements);
const noon = Instant.parse('2026-01-01T12:00:00Z');
const at = (millis: number) => Instant.plus(noon, millis);
const price = (from: number, input = 3): Price => ({ from: at(from), input, output: 15, cacheRead: 1, cacheWrite: 4 });

const terms = { id: 'r1', from: at(-100), model: null, isDry: false, prices: { m: [price(-200)] }, until: 50 };
const request = (more: Partial<typeof terms> = {}) => ({ type: 'Request', ...terms, ...more, now: noon }) as const;
const requested = (more: Partial<typeof terms> & { number?: number } = {}): RestatementEvent => ({
  type: 'RestatementRequested',
  at: noon,
  number: 1,
  ...terms,
  ...more,
});
const lease = (claim: string, until = 30) => ({ claim, leaseUntil: at(until) });
const claimed = (claim = 'a', id = 'r1'): RestatementEvent => ({ type: 'RestatementClaimed', id, ...lease(claim) });
const sums = {};
const correction: Correction = { hour: '2026-01-01T09', userId: 'ann', botId: null, model: 'm', nanoDollars: 5 };
const advance = (claim: string, after: number, to: number, corrections: readonly Correction[] = []) =>
  ({ type: 'Advance', id: 'r1', after, to, sums, corrections, now: noon, ...lease(claim) }) as const;
const advanced = (to: number, claim = 'a', number = 1): RestatementEvent => ({
  type: 'RestatementAdvanced',
  id: 'r1',
  number,
  to,
  sums,
  ...lease(claim),
});
const completed = (id = 'r1', number = 1): RestatementEvent => ({ type: 'RestatementCompleted', id, number, at: noon });

describe('requesting a restatement', () => {
  it('begins the first', () => given().when(request()).emits(requested()));
  it('is refused while another runs', () =>
    given(requested())
      .when(request({ id: 'r2' }))
      .refuses('restatement_running'));
  it('is refused for a dry run too while another runs', () =>
    given(requested())
      .when(request({ id: 'r2', isDry: true }))
      .refuses('restatement_running'));
  it('begins the next one when the first is completed', () =>
    given(requested(), completed())
      .when(request({ id: 'r2' }))
      .emits(requested({ id: 'r2', number: 2 })));
  it('is refused with too many prices', () => {
    const prices = { m: Array.from({ length: MOST_RESTATED_PRICES + 1 }, (_, index) => price(index - 9_000)) };
    given().when(request({ prices })).refuses('too_many_prices');
  });
  it('is refused when a model was restated too often, unless it begins before one of those restatements', () => {
    const before = Array.from({ length: MOST_RESTATED }, (_, index) => [
      requested({ from: at(index - 100), number: index + 1 }),
      completed(),
    ]);
    given(...before.flat())
      .when(request({ from: at(-1) }))
      .refuses('too_many_restatements');
    given(...before.flat())
      .when(request({ from: at(-100) }))
      .emits(requested({ from: at(-100), number: MOST_RESTATED + 1 }));
  });
});

describe('working on a restatement', () => {
  it('begins with a claim', () =>
    given(requested())
      .when({ type: 'Claim', id: 'r1', now: noon, ...lease('a') })
      .emits(claimed()));
  it('is refused to a second worker before the lease has ended', () =>
    given(requested(), claimed())
      .when({ type: 'Claim', id: 'r1', now: at(29), ...lease('b', 60) })
      .refuses('restatement_taken_over'));
  it('is taken over after the lease', () =>
    given(requested(), claimed())
      .when({ type: 'Claim', id: 'r1', now: at(30), ...lease('b', 60) })
      .emits({ type: 'RestatementClaimed', id: 'r1', ...lease('b', 60) }));
  it('is taken over from a worker whose clock was ahead', () =>
    given(requested(), { ...claimed(), ...lease('a', 86_400_000) })
      .when({ type: 'Claim', id: 'r1', now: noon, ...lease('b') })
      .emits({ type: 'RestatementClaimed', id: 'r1', ...lease('b') }));
  it('has nothing to claim when it is completed', () =>
    given(requested(), completed())
      .when({ type: 'Claim', id: 'r1', now: noon, ...lease('b') })
      .emits());
  it('records a part with its corrections', () =>
    given(requested(), claimed())
      .when(advance('a', 0, 20, [correction]))
      .emits({ type: 'CostsRestated', id: 'r1', corrections: [correction] }, advanced(20)));
  it('records corrections in several events when there are many', () => {
    const events = given(requested(), claimed());
    const many = Array.from({ length: 51 }, (_, index) => ({ ...correction, nanoDollars: index + 1 }));
    const parts = [many.slice(0, 25), many.slice(25, 50), many.slice(50)];
    events
      .when(advance('a', 0, 20, many))
      .emits(...parts.map((corrections) => ({ type: 'CostsRestated', id: 'r1', corrections }) as const), advanced(20));
  });
  it('records no corrections in a dry run', () =>
    given(requested({ isDry: true }), claimed())
      .when(advance('a', 0, 20, [correction]))
      .emits(advanced(20)));
  it('completes at the end of the log', () =>
    given(requested(), claimed(), advanced(20))
      .when(advance('a', 20, 50))
      .emits(advanced(50), completed()));
  it('refuses a worker that has lost the restatement', () =>
    given(requested(), claimed('a'), claimed('b'))
      .when(advance('a', 0, 20, [correction]))
      .refuses('restatement_taken_over'));
  it('refuses a part that was recorded before', () =>
    given(requested(), claimed(), advanced(20))
      .when(advance('a', 0, 20, [correction]))
      .refuses('restatement_taken_over'));
  it('refuses a part of a completed restatement', () =>
    given(requested(), claimed(), completed())
      .when(advance('a', 0, 20))
      .refuses('restatement_taken_over'));
});

/** Takes commands as the service sends them. Each restatement has another price, which is the cost of each charge. A number corrects the charge with it. */
class Installation {
  private readonly log: RestatementEvent[] = [];
  /** The costs from which corrections were counted, and the costs at that time. */
  readonly assumed: number[] = [];
  readonly stood: number[] = [];
  private restated = 100;
  /** The spending of budgets, by the corrections and by the stated costs. */
  readonly spent = new Map<string, number>();
  readonly corrected = new Map<string, number>();
  private read = { number: 0, asBilled: this.restated, before: this.restated };

  take(step: string | number): void {
    const state = fold(restatements, this.log);
    const next = state.number + 1;
    const { nanoDollars: _, ...place } = correction;
    if (step === 'read') {
      this.read = { ...this.read, number: lastCompleted(state), before: state.restated['m']?.at(-1)?.prices[0]!.input ?? 100 };
    } else if (typeof step === 'number') {
      const [chargeId, costNanoDollars] = [`c${step}`, this.log.length];
      const [event] = this.decide({ type: 'CorrectCharge', chargeId, place, ...this.read, costNanoDollars, now: noon });
      if (event?.type !== 'ChargeCorrected') return;
      this.assumed.push(costNanoDollars - event.correction.nanoDollars);
      this.stood.push(this.corrected.get(chargeId) ?? this.restated);
      this.corrected.set(chargeId, costNanoDollars);
      this.spent.set(chargeId, (this.spent.get(chargeId) ?? this.read.asBilled) + event.spentNanoDollars!);
    } else if (step !== 'complete') {
      this.decide(request({ id: 'r1', isDry: step === 'dry run', prices: { m: [price(-200, 1_000 + next)] } }));
    } else if (state.running) {
      this.decide({ type: 'Claim', id: 'r1', now: noon, ...lease('a') });
      this.decide(advance('a', 0, terms.until));
      if (!state.running.isDry) this.restated = 1_000 + state.number;
    }
  }

  private decide(command: RestatementCommand): readonly RestatementEvent[] {
    const decided = restatements.decide(command, fold(restatements, this.log));
    if (decided instanceof Refusal) return [];
    this.log.push(...decided);
    return decided;
  }
}

describe('correcting one charge', () => {
  const { nanoDollars: _, ...place } = correction;
  const correct = (costNanoDollars: number, more: object = {}) =>
    ({ type: 'CorrectCharge', chargeId: 'c', place, number: 0, asBilled: 100, before: 100, costNanoDollars, now: noon, ...more }) as const;
  const corrected = (costNanoDollars: number, nanoDollars: number, chargeId = 'c', spentNanoDollars = nanoDollars): RestatementEvent => ({
    type: 'ChargeCorrected',
    chargeId,
    at: noon,
    costNanoDollars,
    correction: { ...place, nanoDollars },
    spentNanoDollars,
  });

  it('adds the difference to the cost so far', () => given().when(correct(30)).emits(corrected(30, -70)));
  it('counts from the last correction', () => given(corrected(30, -70)).when(correct(45)).emits(corrected(45, 15)));
  it('confirms an unchanged cost', () => given().when(correct(100)).emits(corrected(100, 0)));
  it('adds the difference from the billed cost to the spending of budgets, regardless of restatements', () =>
    given()
      .when(correct(30, { before: 150 }))
      .emits(corrected(30, -120, 'c', -70)));
  it('names the blocks of budgets in which the charge was reserved', () =>
    given()
      .when(correct(30, { budgets: ['g/b'] }))
      .emits({ ...corrected(30, -70), budgets: ['g/b'] } as RestatementEvent));
  it('is idempotent', () => given(corrected(30, -70)).when(correct(30)).emits());
  it('is refused while a restatement runs', () =>
    given(requested())
      .when(correct(30, { number: 1 }))
      .refuses('restatement_running'));
  it('is refused if a restatement has run since the cost was read', () =>
    given(requested(), completed()).when(correct(30)).refuses('restatement_running'));
  it('is refused if the restatement that ran when the cost was read has completed since', () => {
    const number = lastCompleted(fold(restatements, [requested()]));
    given(requested(), completed()).when(correct(30, { number })).refuses('restatement_running');
  });
  it('adds the difference to the current cost, however restatements, reads and corrections interleave', () => {
    const step = fc.oneof(fc.constantFrom('request', 'dry run', 'complete', 'read'), fc.nat(5));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const installation = new Installation();
        for (const each of steps) installation.take(each);
        expect(installation.assumed).toEqual(installation.stood);
        expect(installation.spent).toEqual(installation.corrected);
      }),
    );
  });
  it('is refused for too many charges, but not for an already corrected one', () => {
    const all = Array.from({ length: MOST_CORRECTED_CHARGES }, (__, index) => corrected(30, -70, `c${index}`));
    given(...all)
      .when(correct(30))
      .refuses('too_many_corrected_charges');
    given(...all)
      .when(correct(31, { chargeId: 'c0' }))
      .emits(corrected(31, 1, 'c0'));
  });
});

describe('the prices that apply after restatements', () => {
  const after = (...events: readonly RestatementEvent[]) => fold(restatements, events).restated;
  const begins = (from: number, prices = [price(-200)]) => [requested({ from: at(from), prices: { m: prices } }), completed()];

  it('are unchanged after a dry run', () => expect(after(requested({ isDry: true }), completed())).toEqual({}));
  it('are those of a later restatement that begins earlier', () =>
    expect(after(...begins(-50), ...begins(-100))).toEqual({ m: [{ from: at(-100), until: 50, prices: [price(-200)] }] }));
  it('are those of the later of two restatements from the same time', () =>
    expect(after(...begins(-50), ...begins(-50))['m']).toHaveLength(1));
  it('are those of both restatements if the later one begins after the first', () =>
    expect(after(...begins(-100), ...begins(-50))['m']!.map(({ from }) => from)).toEqual([at(-100), at(-50)]));
  it('are those of both restatements if the later one has no price for its first usage', () =>
    expect(after(...begins(-50), ...begins(-100, [price(-60)]))['m']).toHaveLength(2));
});
