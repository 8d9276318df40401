/** Returns a function that calls `make` once for each object, and caches the result while the object exists. */
export function keptFor<T extends object, R>(make: (of: T) => R): (of: T) => R {
  const kept = new WeakMap<T, R>();
  return (of) => {
    if (!kept.has(of)) kept.set(of, make(of));
    return kept.get(of)!;
  };
}
