import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

/**
 * Runs requests with the same `Idempotency-Key` one after the other. A repeat that arrives while the first request is being answered waits
 * for that answer and gets the remembered one, so it causes no work in services and uses no quota. This applies to requests at one edge.
 */
@Injectable()
export class RepeatsInTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  /** The number of keys with a request in progress. */
  get size(): number {
    return this.last.size;
  }

  /**
   * Resolves when the earlier requests with this hash have left. The returned function lets the next one proceed; so does a closed
   * connection.
   */
  async enter(hash: string, res: ServerResponse): Promise<() => void> {
    const before = this.last.get(hash);
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    // When the client of a waiting request leaves, later requests must still wait for the request before it.
    const over = before ? Promise.all([before, promise]) : promise;
    this.last.set(hash, over);
    void over.then(() => {
      if (this.last.get(hash) === over) this.last.delete(hash);
    });
    if (res.destroyed) leave();
    else res.once('close', leave);
    await before;
    return leave;
  }
}
