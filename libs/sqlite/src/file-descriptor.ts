import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';

const held = new Map<string, { readonly fd: number; uses: number }>();

/**
 * A descriptor of a database file, to sync it. Closing one drops the locks of all connections of this process to the file, so those that
 * hold the same file share a descriptor, and the last one closes it. Each must close its connections before.
 */
export function holdDescriptor(path: string): { readonly fd: number; release(): void } {
  const key = resolve(path);
  const descriptor = held.get(key) ?? { fd: openSync(key, 'r'), uses: 0 };
  held.set(key, descriptor);
  descriptor.uses++;
  return {
    fd: descriptor.fd,
    release: () => {
      if (--descriptor.uses > 0) return;
      held.delete(key);
      closeSync(descriptor.fd);
    },
  };
}
