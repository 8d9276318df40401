/** A catch-up ends with the write that hands over to the topics, so reading the logs counts as slightly less than all of it. */
const MOST_OF_READING = 0.99;

/** How far a catching-up projection has read the logs of its sources. */
export class SourceHeads {
  private readonly heads = new Map<string, { readonly read: number; readonly head: number }>();

  /** Commits that are not read yet. */
  get behind(): number {
    return this.head - this.read;
  }

  get read(): number {
    return this.sum('read');
  }

  get head(): number {
    return this.sum('head');
  }

  /** Records that a page of a source's log was read. Returns the share of all logs that has been read, below 1. */
  reach(source: string, { position, head }: { readonly position: number; readonly head: number }): number {
    this.heads.set(source, { read: Math.min(position, head), head });
    return Math.min(MOST_OF_READING, this.sum('read') / Math.max(1, this.sum('head')));
  }

  private sum(of: 'read' | 'head'): number {
    return [...this.heads.values()].reduce((total, one) => total + one[of], 0);
  }
}
