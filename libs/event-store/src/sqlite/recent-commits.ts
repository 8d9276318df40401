import type { Commit } from '../event-store.ts';

const COMMITS = 256;
const BYTES = 512 * 1024;

/** The newest commits of this process, in order and without gaps, so that those who follow the log need not read and parse them. */
export class RecentCommits {
  private readonly commits: { readonly commit: Commit; readonly bytes: number }[] = [];
  private bytes = 0;

  get last(): number {
    return this.commits.at(-1)?.commit.position ?? 0;
  }

  /** Called when the commit is on disk. A gap was written by another store on the same file. */
  add(commit: Commit, bytes: number): void {
    if (commit.position !== this.last + 1) this.commits.length = this.bytes = 0;
    this.commits.push({ commit, bytes });
    this.bytes += bytes;
    while (this.commits.length > COMMITS || this.bytes > BYTES) this.bytes -= this.commits.shift()?.bytes ?? 0;
  }

  /** The next commits after a position, limited like `readAll`. Null when they have to be read from the file. */
  after(position: number, commits: number, bytes: number): readonly Commit[] | null {
    const first = this.commits[0]?.commit.position ?? Infinity;
    if (position + 1 < first || position >= this.last) return null;
    const found: Commit[] = [];
    let size = 0;
    for (let at = position + 1 - first; at < this.commits.length && found.length < commits && size < bytes; at++) {
      found.push(this.commits[at]!.commit);
      size += this.commits[at]!.bytes;
    }
    return found;
  }
}
