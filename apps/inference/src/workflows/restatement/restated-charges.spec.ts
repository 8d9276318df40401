import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Commit } from '@parlance/event-store';
import type { Price } from '../../domain/model-prices.ts';
import type { RestatementTerms, Restatements } from '../../domain/restatement/restatement.ts';
import { RestatedCharges } from './restated-charges.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const at = (minutes: number) => Instant.plus(noon, minutes * 60_000);
/** `input`: dollars per million tokens. */
const price = (from: number, input: number): Price => ({ from: at(from), input: input * 1e9, output: 0, cacheRead: 0, cacheWrite: 0 });
const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const charge = (more: object = {}) => ({
  type: 'ReplyCompleted',
  model: 'm',
  usage,
  costNanoDollars: 10_000,
  userId: 'ann',
  botId: null,
  ...more,
});
const commit = (position: number, minute: number, ...events: object[]): Commit =>
  ({
    position,
    metadata: { at: at(minute) },
    events: events.map((event, index) => ({ id: `${position}.${index}`, event })),
  }) as unknown as Commit;

const terms: RestatementTerms = { id: 'r', number: 1, from: noon, model: null, isDry: false, prices: { m: [price(-60, 3)] }, until: 50 };

function restated(commits: readonly Commit[], more: Partial<RestatementTerms> = {}, earlier: Restatements['restated'] = {}, stated = {}) {
  const charges = new RestatedCharges({ ...terms, ...more }, earlier, stated);
  for (const each of commits) charges.add(each);
  return { sums: charges.sums(), corrections: charges.corrections() };
}
const differences = (...parameters: Parameters<typeof restated>) =>
  restated(...parameters).corrections.map(({ nanoDollars }) => nanoDollars);

describe('the charges of a restatement', () => {
  it('start at its start time', () => {
    expect(differences([commit(1, -1, charge()), commit(2, 0, charge())])).toEqual([20_000]);
  });
  it('end at its last log position', () => {
    const { sums, corrections } = restated([commit(50, 1, charge()), commit(51, 1, charge())]);
    expect([sums['m']?.calls, corrections.map(({ nanoDollars }) => nanoDollars)]).toEqual([1, [20_000]]);
  });
  it('exclude guardrails and rerankers, which are not charged by the token', () => {
    const by = (type: string) => [charge({ type, units: 4 }), charge({ type })];
    const events = [...by('TokensCharged'), ...by('KnowledgeCharged')];
    expect(differences([commit(1, 1, ...events, { type: 'ReplyRequested' })])).toEqual([40_000]);
  });
  it('use the price that was valid at the time of each charge', () => {
    const prices = { m: [price(-60, 3), price(30, 5)] };
    const { sums } = restated([commit(1, 29, charge()), commit(2, 30, charge())], { prices });
    expect(sums['m']).toMatchObject({ calls: 2, inputTokens: 20, asBilled: 20_000, before: 20_000, asCorrected: 80_000 });
  });
  it('keep their cost if no price was valid at the time', () => {
    expect(differences([commit(1, 1, charge())], { prices: { m: [price(30, 5)] } })).toEqual([]);
  });
  it('are corrected by the difference to the last restatement that covers them', () => {
    const earlier = {
      m: [
        { from: noon, until: 40, prices: [price(-60, 2)] },
        { from: at(10), until: 40, prices: [price(-60, 4)] },
      ],
    };
    expect(differences([commit(1, 1, charge())], {}, earlier)).toEqual([10_000]);
    expect(differences([commit(1, 11, charge())], {}, earlier)).toEqual([-10_000]);
    expect(differences([commit(41, 11, charge())], {}, earlier)).toEqual([20_000]);
  });
  it('keep the cost that an administrator has stated', () => {
    const { sums, corrections } = restated([commit(1, 1, charge(), charge())], {}, {}, { '1.0': 7 });
    expect(sums['m']).toMatchObject({ calls: 2, asBilled: 20_000, before: 10_007, asCorrected: 30_007 });
    expect(corrections.map(({ nanoDollars }) => nanoDollars)).toEqual([20_000]);
  });
  it('need no correction if their differences cancel out', () => {
    const cheaper = charge({ costNanoDollars: 50_000 });
    expect(restated([commit(1, 1, charge(), cheaper)])).toMatchObject({
      sums: { m: { asBilled: 60_000, asCorrected: 60_000 } },
      corrections: [],
    });
  });
  it('are summed by hour, payer, bot and API key', () => {
    const api = (apiId: string, keyId: string) => ({ api: { apiId, keyId } });
    const events = [charge(), charge(), charge({ userId: 'bob' }), charge({ botId: 'b' }), charge(api('p', 'k1')), charge(api('p', 'k2'))];
    const { corrections } = restated([commit(1, 1, ...events), commit(2, 61, charge())]);
    expect(corrections.map(({ hour, userId, botId, api: used, nanoDollars }) => [hour, userId, botId, used?.keyId, nanoDollars])).toEqual([
      ['2026-01-01T12', 'ann', 'b', undefined, 20_000],
      ['2026-01-01T12', 'ann', null, 'k1', 20_000],
      ['2026-01-01T12', 'ann', null, 'k2', 20_000],
      ['2026-01-01T12', 'ann', null, undefined, 40_000],
      ['2026-01-01T12', 'bob', null, undefined, 20_000],
      ['2026-01-01T13', 'ann', null, undefined, 20_000],
    ]);
  });
  it('of calls are summed by token, cost centre and tags', () => {
    const call = (more: object) => charge({ type: 'CallCompleted', tokenId: 't1', ...more });
    const events = [call({}), call({}), call({ costCentre: 'Sales' }), call({ tags: { app: 'a' } }), call({ tokenId: 't2' })];
    const { corrections } = restated([commit(1, 1, ...events)]);
    expect(corrections.map(({ call: its, nanoDollars }) => [its, nanoDollars])).toEqual(
      expect.arrayContaining([
        [{ tokenId: 't1' }, 40_000],
        [{ tokenId: 't1', costCentre: 'Sales' }, 20_000],
        [{ tokenId: 't1', tags: { app: 'a' } }, 20_000],
        [{ tokenId: 't2' }, 20_000],
      ]),
    );
  });
  it('have no prices for models named like a property of `Object.prototype`', () => {
    expect(differences([commit(1, 1, charge({ model: 'constructor' }), charge({ model: 'toString' }))])).toEqual([]);
  });
});
