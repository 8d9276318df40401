import { whileSharing } from './starts.ts';

const kept = globalThis as unknown as Record<symbol, unknown>;

/** A value that all spec files of a worker share. It is made again if making it failed or it is no longer usable. */
export async function shared<T>(name: string, make: () => Promise<T>, isUsable: (made: T) => boolean = () => true): Promise<T> {
  // The value is not stored in this module, because the module is loaded for each spec file.
  const key = Symbol.for(`parlance.shared.${name}`);
  const previous = kept[key] as Promise<T> | undefined;
  const made = (async () => {
    const existing = await previous?.catch(() => undefined);
    return existing !== undefined && isUsable(existing) ? existing : whileSharing(name, make);
  })();
  kept[key] = made;
  return made;
}
