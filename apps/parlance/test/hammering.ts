import { waitFor } from '@parlance/testing';

const AT_ONCE = 2;

/** The answers to the requests sent after a moment. */
export class Watch {
  readonly statuses = new Set<number>();
  private readonly counts = new Map<string, number>();

  constructor(
    protected readonly edges: readonly string[],
    readonly since: number,
  ) {}

  take(edge: string, status: number): void {
    this.statuses.add(status);
    this.counts.set(edge, (this.counts.get(edge) ?? 0) + 1);
  }

  /** Resolves when each of the edges has answered `count` requests. */
  async until(count: number, edges = this.edges): Promise<void> {
    const isEnough = () => edges.every((edge) => (this.counts.get(edge) ?? 0) >= count);
    await waitFor(isEnough, { what: `${count} answers of each edge` });
  }
}

/** Repeats requests with one token to every edge until it is stopped. */
export class Hammering extends Watch {
  private readonly watches: Watch[] = [this];
  private readonly loops: Promise<unknown>;
  private isOver = false;

  constructor(edges: readonly string[], token: string) {
    super(edges, performance.now());
    const headers = { authorization: `Bearer ${token}` };
    const ask = async (edge: string) => {
      while (!this.isOver) {
        const sentAt = performance.now();
        const answer = await fetch(`${edge}/user/me`, { headers });
        await answer.text();
        for (const watch of this.watches) if (sentAt > watch.since) watch.take(edge, answer.status);
      }
    };
    this.loops = Promise.all(edges.flatMap((edge) => Array.from({ length: AT_ONCE }, () => ask(edge))));
    this.loops.catch(() => undefined);
  }

  /** Watches only requests sent after this call. */
  fromNow(): Watch {
    const watch = new Watch(this.edges, performance.now());
    this.watches.push(watch);
    return watch;
  }

  /** Rejects if an edge was unreachable. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.loops;
  }
}
