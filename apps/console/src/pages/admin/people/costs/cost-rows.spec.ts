import type { CostSummary } from '@parlance/client/types';
import { costCsv, costTables, OTHERS } from './cost-rows.ts';

const both = (as_billed: number, as_corrected = as_billed) => ({
  as_billed,
  as_corrected,
  total_cost: as_billed,
  by_model: {},
  by_model_as_corrected: {},
  input_tokens: 2,
  output_tokens: 3,
});
const user = (user_id: string, billed: number, corrected?: number) => ({
  user_id,
  email: `${user_id}@example.org`,
  conversation_count: 4,
  ...both(billed, corrected),
});
const summary = (parts: Partial<CostSummary>): CostSummary => ({
  ...both(0),
  as_of: null,
  by_key: [],
  by_token: [],
  by_cost_centre: [],
  by_tag: [],
  currency: 'USD',
  daily: [],
  period: '2026-11',
  projected_total_cost: null,
  top_bots: [],
  top_users: [],
  total_as_corrected_by_keys: 0,
  total_cost_by_keys: 0,
  total_input_tokens: 0,
  total_output_tokens: 0,
  ...parts,
});

describe('the tables of costs', () => {
  it('have amounts as billed or as corrected', () => {
    const now = summary({ top_users: [user('ada', 2, 3)], by_model: { large: 2 }, by_model_as_corrected: { large: 3 } });
    const billed = costTables(now, undefined, false);
    const corrected = costTables(now, undefined, true);
    expect([billed.users[0]?.cost, billed.models[0]?.cost]).toEqual([2, 2]);
    expect([corrected.users[0]?.cost, corrected.models[0]?.cost]).toEqual([3, 3]);
  });

  it('have the amounts of the previous period, or state that they are no longer kept', () => {
    const before = { as_billed: 1, as_corrected: 4 };
    const now = summary({
      top_users: [
        { ...user('ada', 2), before },
        { ...user('alan', 1), before: null },
      ],
    });
    expect(costTables(now, summary({}), false).users.map((row) => row.before)).toEqual([1, null]);
    expect(costTables(now, summary({}), true).users[0]?.before).toBe(4);
  });

  it('end with the cost of all others, if the list is cut', () => {
    const before = { as_billed: 1, as_corrected: 1 };
    const now = summary({ ...both(10), total_input_tokens: 9, total_output_tokens: 9, top_users: [{ ...user('ada', 7), before }] });
    const earlier = summary(both(4));
    const others = { id: OTHERS, name: 'others', cost: 3, tokens: 13, count: null, before: 3 };
    expect(costTables(now, earlier, false).users.at(-1)).toEqual(others);
    expect(costTables(now, undefined, false).users.at(-1)).toEqual({ ...others, before: null });
    expect(costTables({ ...now, ...both(7 + 1e-9) }, earlier, false).users).toHaveLength(1);
  });

  it('name API keys by their descriptions', () => {
    const key = { api_key_id: 'k1', description: 'Web shop', bot_id: 'b1', bot_title: 'Shop', ...both(2) };
    const { keys } = costTables(summary({ by_key: [key], total_cost_by_keys: 5 }), undefined, false);
    expect(keys.map(({ name, cost }) => [name, cost])).toEqual([
      ['Web shop', 2],
      ['others', 3],
    ]);
  });

  it('have the calls of models by token, cost centre and tag', () => {
    const token = { token_id: 't1', description: 'Reports', user_id: 'u', email: 'ada@example.org', ...both(2, 3) };
    const tag = { name: 'app', value: 'a', ...both(1) };
    const { accessTokens, costCentres, tags } = costTables(
      summary({ by_token: [token], by_cost_centre: [{ cost_centre: 'Sales', ...both(4) }], by_tag: [tag] }),
      undefined,
      true,
    );
    expect([accessTokens, costCentres, tags].flat().map(({ name, cost }) => [name, cost])).toEqual([
      ['Reports', 3],
      ['Sales', 4],
      ['app: a', 1],
    ]);
    expect(accessTokens[0]?.owner).toBe('ada@example.org');
  });

  it('start with the most expensive model', () =>
    expect(costTables(summary({ by_model: { small: 1, large: 9 } }), undefined, false).models.map(({ id }) => id)).toEqual([
      'large',
      'small',
    ]));

  it('are one file in CSV', () =>
    expect(costCsv(costTables(summary({ top_users: [user('ada', 2)], by_model: { large: 2 } }), undefined, false))).toBe(
      'kind,id,name,cost,cost_before,tokens\r\nuser,ada,ada@example.org,2,,5\r\nmodel,large,large,2,,\r\n',
    ));
});
