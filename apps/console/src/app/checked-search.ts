type Search = Readonly<Record<string, unknown>>;

interface Route {
  readonly options: { validateSearch?: unknown };
}

/**
 * The router also passes a route those search parameters that its `validateSearch` has dropped, so a rejected parameter would still be
 * used. This sets rejected parameters to undefined in all of these routes.
 */
export function refuseUncheckedSearch(routes: Iterable<Route>): void {
  for (const { options } of routes) {
    const { validateSearch } = options;
    if (typeof validateSearch === 'function') options.validateSearch = (search: Search) => checked(validateSearch as Check, search);
  }
}

type Check = (search: Search) => Search;

function checked(check: Check, search: Search): Search {
  const nothing = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
  return { ...nothing, ...check(search) };
}
