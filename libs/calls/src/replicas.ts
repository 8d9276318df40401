import { Pool } from 'undici';

/** Milliseconds until a connection is made or given up, so that the caller learns within a second that there is no service. */
const CONNECT_TIMEOUT = 800;

/** Milliseconds from the first try, or from when that got lost, after which no other address is tried. */
const PATIENCE = 950;

/** For so many milliseconds an address that refused a connection is asked last. */
const PASSED_OVER = 1_000;

interface Replica {
  readonly pool: Pool;
  refusedAt: number;
}

/**
 * How one try is made. `millis` is what is left for making a connection (`NotInTime` says that it didn't do), or null
 * where the pool's own limit will do.
 */
export type Try<Result> = (pool: Pool, millis: number | null) => Promise<Result>;

/**
 * The addresses of one service, asked in turn. What could not be sent to one of them at all is sent to the next; what
 * got lost on the way, so that it is not known whether it arrived, once more, if it may be repeated.
 */
export class Replicas {
  private readonly all: readonly Replica[];
  private turn = 0;

  constructor(
    addresses: readonly string[],
    private readonly now: () => number = () => performance.now(),
  ) {
    this.all = addresses.map((address) => ({
      // An answer's end may be hours away (a stream): only its beginning has a limit. A dead peer is found by TCP keep-alive.
      pool: new Pool(address, { bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1, connect: { timeout: CONNECT_TIMEOUT } }),
      refusedAt: -Infinity,
    }));
  }

  get pools(): readonly Pool[] {
    return this.all.map(({ pool }) => pool);
  }

  /** Throws what the last try threw. */
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
          // The only address is asked again where a kept connection had gone stale, and not where a request may have felled it.
          if (!another && !(this.all.length === 1 && wasKept(error))) throw error;
          repeated = true;
          // However long it was in hand there: it has its time to be let in elsewhere.
          begun = this.now();
        }
        if (another) replica = this.next(tried);
      }
    }
  }

  /** The next in turn that was not tried, and that let us in the last time, if there is one. */
  private next(tried: ReadonlySet<Replica>): Replica {
    if (this.all.length === 1) return this.all[0] as Replica;
    const left = this.all.filter((replica) => !tried.has(replica));
    const since = this.now() - PASSED_OVER;
    const well = left.filter(({ refusedAt }) => refusedAt <= since);
    const choice = well.length > 0 ? well : left;
    this.turn = (this.turn + 1) % this.all.length;
    return choice[this.turn % choice.length] as Replica;
  }
}

/** Thrown by a try that had no connection in its time. */
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

/** No connection was made, so nothing of the request has left. */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(neverSent);
  const { code, syscall } = error as NetworkError;
  return error instanceof NotInTime || code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo';
}

/** The connection ended before an answer began. */
const gotLost = (error: unknown): boolean => /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test((error as NetworkError).code ?? '');

/** Whether the connection had brought answers before; a bare reset doesn't tell. */
const wasKept = (error: unknown): boolean => (error as NetworkError).socket?.bytesRead !== 0;
