import { closeSync, openSync, statSync } from 'node:fs';

const descriptors = new Map<string, { readonly fd: number; uses: number }>();

/**
 * A descriptor of a database file, for syncs. Closing a descriptor drops the locks of all connections of this process to the file, so all users of a
 * file share one descriptor, and the last user closes it. Close the connections before calling `release`.
 */
export function holdDescriptor(path: string): { readonly fd: number; release(): void } {
  const { dev, ino } = statSync(path);
  const key = `${dev} ${ino}`;
  const descriptor = descriptors.get(key) ?? { fd: openSync(path, 'r'), uses: 0 };
  descriptors.set(key, descriptor);
  descriptor.uses++;
  return {
    fd: descriptor.fd,
    release: () => {
      if (--descriptor.uses > 0) return;
      descriptors.delete(key);
      closeSync(descriptor.fd);
    },
  };
}
