import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '@parlance/foundation';

/** Cuts a stored object, as a disk does that loses the end of a file. */
export const cutFile = (host: Host, key: string): Promise<void> => truncate(join(host.directory!.objects, `${key}@`), 10);

/** Changes the last byte of a stored object, so that the damage is found only when all of it is read. */
export async function damageEnd(host: Host, key: string): Promise<void> {
  const file = await open(join(host.directory!.objects, `${key}@`), 'r+');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    await file.write(Buffer.of(buffer[0]! ^ 0xff), 0, 1, size - 1);
  } finally {
    await file.close();
  }
}
