import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { patience } from '../patience.ts';
import { waitFor } from '../wait-for.ts';

const TEN_MINUTES = 600_000;

/** The folder of downloads, which are kept between runs: TEST_CACHE, or `.cache` at the top of the repository. */
export function cachePath(name: string): string {
  return join(process.env.TEST_CACHE ?? fileURLToPath(new URL('../../../../.cache', import.meta.url)), name);
}

/**
 * The folder `name` of the cache. If it does not exist, `fill` creates it atomically; concurrent processes wait for the one that fills it. Rejects
 * with the error of `fill`; the next call tries again.
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = cachePath(name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  return exclusively(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    const prefix = `${basename(folder)}.partial-`;
    for (const left of await readdir(dirname(folder)))
      if (left.startsWith(prefix)) await rm(join(dirname(folder), left), { recursive: true, force: true });
    const partial = await mkdtemp(join(dirname(folder), prefix));
    try {
      await fill(partial);
      await rename(partial, folder);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return folder;
  });
}

// A file lock of SQLite, because the kernel releases it when its owner dies, so it is never stale.
async function exclusively<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(lockFile);
  try {
    await waitFor(() => lock.exec('BEGIN EXCLUSIVE') ?? true, {
      timeout: patience(TEN_MINUTES),
      what: `another process to let go of ${lockFile}`,
    });
    return await work();
  } finally {
    lock.close();
  }
}
