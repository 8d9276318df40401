import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '@parlance/foundation';

/** Cuts a stored object, as a disk does that loses the end of a file. */
export const cutFile = (host: Host, key: string): Promise<void> => truncate(join(host.directory!.objects, `${key}@`), 10);
