const kept = globalThis as unknown as Record<symbol, unknown>;

/** What all spec files of a worker share. It is made again when it could not be made or is not usable any more. */
export async function shared<T>(name: string, make: () => Promise<T>, isUsable: (made: T) => boolean = () => true): Promise<T> {
  // Not in this module, which is loaded for each spec file.
  const key = Symbol.for(`parlance.shared.${name}`);
  const before = await (kept[key] as Promise<T> | undefined)?.catch(() => undefined);
  if (before !== undefined && isUsable(before)) return before;
  const made = make();
  kept[key] = made;
  return made;
}
