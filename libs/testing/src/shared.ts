const kept = globalThis as unknown as Record<symbol, unknown>;

/** What all spec files of a worker share. It is made again when it could not be made or is no longer usable. */
export async function shared<T>(name: string, make: () => Promise<T>, isUsable: (made: T) => boolean = () => true): Promise<T> {
  // Not in this module, which is loaded for each spec file.
  const key = Symbol.for(`parlance.shared.${name}`);
  const before = kept[key] as Promise<T> | undefined;
  const made = (async () => {
    const there = await before?.catch(() => undefined);
    return there !== undefined && isUsable(there) ? there : make();
  })();
  kept[key] = made;
  return made;
}
