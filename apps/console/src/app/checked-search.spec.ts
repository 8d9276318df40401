import { refuseUncheckedSearch } from './checked-search.ts';

describe('the query of an address', () => {
  const check = ({ page }: Record<string, unknown>) => (page === 'good' ? { page } : {});
  const ofRoute = (validateSearch: unknown) => {
    const route = { options: { validateSearch } };
    refuseUncheckedSearch([route]);
    return route.options.validateSearch;
  };

  it('has no part that the route has dropped, even when the router adds the unchecked parts', () => {
    const search = ofRoute(check) as (raw: Record<string, unknown>) => object;
    const raw = { page: 'bad', other: 1 };
    expect({ ...raw, ...search(raw) }).toEqual({ page: undefined, other: undefined });
  });
  it('has the parts that the route has checked', () => {
    const search = ofRoute(check) as (raw: Record<string, unknown>) => object;
    expect(search({ page: 'good' })).toEqual({ page: 'good' });
  });
  it('is unchanged for routes that read no search parameters', () => expect(ofRoute(undefined)).toBeUndefined());
});
