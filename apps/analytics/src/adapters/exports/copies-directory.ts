import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface CopiesDirectory {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Creates a subdirectory of `parent` for this process, and removes the subdirectories of ended processes. A process is identified by its PID,
 * so the directory must not be shared with another machine or container.
 */
export async function openCopiesDirectory(parent: string): Promise<CopiesDirectory> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent))
    if (Number(name) === process.pid || !isAlive(Number(name))) await rm(join(parent, name), { recursive: true, force: true });
  const path = join(parent, String(process.pid));
  await mkdir(path, { recursive: true });
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
