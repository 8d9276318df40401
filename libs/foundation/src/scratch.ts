import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory for files that are needed briefly, such as downloads. Each run has its own subdirectory, which is removed when the run ends. */
export class Scratch {
  private constructor(readonly directory: string) {}

  /**
   * Creates this process's subdirectory of `parent`, and removes the subdirectories of processes that have ended. A subdirectory is named by the
   * process ID, so `parent` must not be shared with another machine or container.
   */
  static async open(parent: string): Promise<Scratch> {
    await mkdir(parent, { recursive: true });
    for (const name of await readdir(parent))
      if (Number(name) === process.pid || !isAlive(Number(name))) await rm(join(parent, name), { recursive: true, force: true });
    const directory = join(parent, String(process.pid));
    await mkdir(directory, { recursive: true });
    return new Scratch(directory);
  }

  async use<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
    const subdirectory = await mkdtemp(join(this.directory, 'run-'));
    try {
      return await work(subdirectory);
    } finally {
      await rm(subdirectory, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
