/** `make`, which is called once for each object: what it makes is kept for as long as the object. */
export function keptFor<T extends object, R>(make: (of: T) => R): (of: T) => R {
  const kept = new WeakMap<T, R>();
  return (of) => {
    if (!kept.has(of)) kept.set(of, make(of));
    return kept.get(of)!;
  };
}
