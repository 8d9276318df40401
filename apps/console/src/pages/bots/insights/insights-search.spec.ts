import { insightsSearch } from './insights-search.ts';

describe('the address of the insights of a bot', () => {
  it('has one of the offered numbers of days', () => expect(insightsSearch({ days: 7 })).toEqual({ days: 7 }));
  it.each([['7'], [8], [undefined]])('ignores %j', (days) => expect(insightsSearch({ days }).days).toBeUndefined());
});
