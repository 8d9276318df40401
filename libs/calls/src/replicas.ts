import { Pool } from 'undici';

/** The time limit for connecting, in milliseconds, so that the caller fails within a second if the service is down. */
const CONNECT_TIMEOUT = 800;

/** Other addresses are tried within this many milliseconds after the first attempt began, or after it was lost. */
const PATIENCE = 950;

/** For this many milliseconds, an address that refused a connection is tried last. */
const SKIPPED_FOR = 1_000;

interface Replica {
  readonly pool: Pool;
  refusedAt: number;
}

/**
 * Makes one attempt. `millis` is the time left for connecting, after which the attempt throws `NotInTime`; null means the pool's limit.
 */
export type Try<Result> = (pool: Pool, millis: number | null) => Promise<Result>;

/**
 * The addresses of one service, tried in turn. A request that could not be sent goes to the next address. A request that may have
 * arrived is repeated once, if it may be repeated.
 */
export class Replicas {
  private readonly all: readonly Replica[];
  private turn = 0;

  constructor(
    addresses: readonly string[],
    private readonly now: () => number = () => performance.now(),
  ) {
    this.all = addresses.map((address) => ({
      // A stream may last for hours, so only the start of an answer has a time limit. TCP keep-alive detects a failed peer.
      pool: new Pool(address, { bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1, connect: { timeout: CONNECT_TIMEOUT } }),
      refusedAt: -Infinity,
    }));
  }

  get pools(): readonly Pool[] {
    return this.all.map(({ pool }) => pool);
  }

  /** Throws the error of the last attempt. */
  async ask<Result>(mayRepeat: boolean, send: Try<Result>): Promise<Result> {
    let begun = this.now();
    const tried = new Set<Replica>();
    let replica = this.next(tried);
    for (let repeated = false; ;) {
      tried.add(replica);
      try {
        return await send(replica.pool, tried.size === 1 ? null : PATIENCE - (this.now() - begun));
      } catch (error) {
        const another = tried.size < this.all.length;
        if (neverSent(error)) {
          replica.refusedAt = this.now();
          if (!another || this.now() - begun >= PATIENCE) throw error;
        } else {
          if (!mayRepeat || repeated || !gotLost(error)) throw error;
          // A single address is tried again only if a keep-alive connection was stale, because otherwise the request may have crashed the service.
          if (!another && !(this.all.length === 1 && wasKept(error))) throw error;
          repeated = true;
          // The time limit for connecting starts again, regardless of how long the lost attempt took.
          begun = this.now();
        }
        if (another) replica = this.next(tried);
      }
    }
  }

  /** The next address that was not tried yet, preferably one that accepted its last connection. */
  private next(tried: ReadonlySet<Replica>): Replica {
    if (this.all.length === 1) return this.all[0] as Replica;
    const untried = this.all.filter((replica) => !tried.has(replica));
    const since = this.now() - SKIPPED_FOR;
    const well = untried.filter(({ refusedAt }) => refusedAt <= since);
    const choice = well.length > 0 ? well : untried;
    this.turn = (this.turn + 1) % this.all.length;
    return choice[this.turn % choice.length] as Replica;
  }
}

/** Thrown by an attempt that could not connect in time. */
export class NotInTime extends Error {
  constructor() {
    super('no connection in time');
    this.name = 'NotInTime';
  }
}

interface NetworkError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly socket?: { readonly bytesRead?: number } | null;
}

/** Whether no connection was made, so that no part of the request was sent. */
export function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(neverSent);
  const { code, syscall } = error as NetworkError;
  return error instanceof NotInTime || code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo';
}

/** Whether the connection ended before an answer began. */
const gotLost = (error: unknown): boolean => /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test((error as NetworkError).code ?? '');

/** Whether the connection had already carried answers; unknown for a plain reset. */
const wasKept = (error: unknown): boolean => (error as NetworkError).socket?.bytesRead !== 0;
