import { closeSync, openSync, statSync } from 'node:fs';

const held = new Map<string, { readonly fd: number; uses: number }>();

/**
 * A descriptor of a database file, to sync it. Closing one drops the locks of all connections of this process to the file, so those that
 * hold the same file share a descriptor, and the last one closes it. Each must close its connections before.
 */
export function holdDescriptor(path: string): { readonly fd: number; release(): void } {
  const { dev, ino } = statSync(path);
  const key = `${dev} ${ino}`;
  const descriptor = held.get(key) ?? { fd: openSync(path, 'r'), uses: 0 };
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
