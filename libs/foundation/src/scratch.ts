import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory for files of some minutes, such as downloads. Each run has its own part, which is removed at its end. */
export class Scratch {
  private constructor(readonly directory: string) {}

  /**
   * Takes a part of `parent` for this process, and removes the parts of processes that have ended. A process is named by its ID, so the
   * directory must not be shared with another machine or container.
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
    const part = await mkdtemp(join(this.directory, 'run-'));
    try {
      return await work(part);
    } finally {
      await rm(part, { recursive: true, force: true });
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
