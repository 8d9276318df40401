import { Pool } from 'undici';
import { replicasAt } from './addresses-of-name.ts';
import { gotLost, neverSent, NoSignOfLife, RefusedByLeaving, wasKept } from './lost-attempts.ts';
import { SignOfLife } from './sign-of-life.ts';

export type { SignOfLife };

/** The time limit for connecting, in milliseconds, so that the caller fails within a second if the service is down. */
const CONNECT_TIMEOUT = 800;

/** Other addresses are tried within this many milliseconds after the first attempt began, or after it was lost. */
const PATIENCE = 950;

/** How long the addresses of a name are used before it is resolved again, in milliseconds. Nothing is resolved without requests. */
const RESOLVED_FOR = 5_000;

/** How often all replicas are asked for a sign of life while there are requests, in milliseconds. */
const LOOKED_AT_EVERY = 2_000;

/** The same while there are none. A replica that freezes is then known within five seconds, also to a process that rarely needs it. */
export const LOOKED_AT_IDLE = 4_000;

/** For this many milliseconds, an address that refused a connection is tried last. */
const SKIPPED_FOR = 1_000;

export interface Patience {
  /** How long a request waits for the start of its answer before the replica is asked for a sign of life, in milliseconds. */
  readonly silentAfter?: number;
  /** How long a command that may have been received waits for a replica that shows no sign of life, in milliseconds. Queries wait on. */
  readonly givenUpAfter?: number;
}

interface Replica {
  readonly address: string;
  readonly pool: Pool;
  readonly life: SignOfLife;
  refusedAt: number;
}

export interface Attempt {
  readonly pool: Pool;
  /** The time left for connecting, after which the attempt throws `NotInTime`; null means the pool's limit. */
  readonly millis: number | null;
  /** Aborts when the request is given up. Null if the service has one address. */
  readonly end: AbortSignal | null;
  /** For an answer that has begun and then sends nothing. Null if the service has one address. */
  readonly life: SignOfLife | null;
}

/** Makes one attempt. */
export type Try<Result> = (attempt: Attempt) => Promise<Result>;

/**
 * The addresses of one service, tried in turn. A request that could not be sent goes to the next address. A request that may have
 * arrived is repeated once, if it may be repeated. A replica that accepts connections but does not respond is left out until it does, and one that is
 * about to end is used only if there is no other. A request that left a silent replica, and was then lost at another, goes back to the silent one,
 * which may only be slow.
 */
export class Replicas {
  private all: readonly Replica[];
  /** Pools of addresses that are no longer used. Their last answers may take hours. */
  private readonly retired = new Set<Pool>();
  private resolveAt = -Infinity;
  /** Null until the first request. */
  private lookedAt: number | null = null;
  private readonly patience: Required<Patience>;
  private turn = 0;

  constructor(
    private readonly addresses: readonly string[],
    { silentAfter = 900, givenUpAfter = 5_000 }: Patience = {},
    private readonly now: () => number = () => performance.now(),
    private readonly resolve: (address: string) => Promise<readonly string[]> = replicasAt,
  ) {
    this.patience = { silentAfter, givenUpAfter };
    this.all = addresses.map(replicaAt);
  }

  get pools(): readonly Pool[] {
    return [...this.all.map(({ pool }) => pool), ...this.retired];
  }

  /** A name may stand for several replicas, as in Compose. Requests do not wait for their addresses. */
  private refresh(): void {
    if (this.now() < this.resolveAt) return;
    // A lookup that takes long occupies a thread of Node's pool.
    this.resolveAt = Infinity;
    void Promise.all(this.addresses.map((address) => this.resolve(address)))
      .then(
        (found) => this.use([...new Set(found.flat())]),
        // The earlier addresses stay in use.
        () => undefined,
      )
      .finally(() => (this.resolveAt = this.now() + RESOLVED_FOR));
  }

  /** Finds a silent replica before a request waits for it. Must be called now and then. Does nothing before the first request. */
  lookAround(every: number): void {
    if (this.all.length === 1 || this.lookedAt === null || this.now() - this.lookedAt < every) return;
    this.lookedAt = this.now();
    for (const { life } of this.all) void life.isThere();
  }

  private use(addresses: readonly string[]): void {
    const before = this.all;
    if (addresses.length === before.length && before.every(({ address }) => addresses.includes(address))) return;
    this.all = addresses.map((address) => before.find((each) => each.address === address) ?? replicaAt(address));
    for (const replica of before) {
      if (this.all.includes(replica)) continue;
      const { pool } = replica;
      this.retired.add(pool);
      const remove = () => void this.retired.delete(pool);
      pool.close().then(remove, remove);
    }
  }

  /**
   * `mayLeave`: whether a request that may be repeated also leaves a replica without a sign of life, which may still carry it out. `alike`: requests with
   * the same number go to the same replica, if it is well. Throws the error of the last attempt, or of an earlier one that was lost, because that one may
   * have had an effect.
   */
  async ask<Result>(mayRepeat: boolean, send: Try<Result>, mayLeave = mayRepeat, alike: number | null = null): Promise<Result> {
    this.refresh();
    this.lookedAt ??= this.now();
    this.lookAround(LOOKED_AT_EVERY);
    let begun = this.now();
    const tried = new Set<Replica>();
    let replica = this.next(tried, alike);
    let lost: unknown = null;
    let silentOne: Replica | null = null;
    for (let repeated = false; ;) {
      tried.add(replica);
      try {
        const millis = tried.size === 1 ? null : PATIENCE - (this.now() - begun);
        if (this.all.length === 1) return await send({ pool: replica.pool, millis, end: null, life: null });
        const isGivenUp = (silent: number) => (mayLeave ? lost === null && this.hasOtherThan(tried) : silent >= this.patience.givenUpAfter);
        return await this.watched(replica, millis, send, isGivenUp);
      } catch (error) {
        // The addresses of a name may have changed meanwhile.
        const another = this.all.some((each) => !tried.has(each));
        if (neverSent(error)) {
          replica.refusedAt = this.now();
          // Behind a single address there may be several replicas, of which the next connection finds another.
          const isRefusedByOneOfMany: boolean = error instanceof RefusedByLeaving && this.all.length === 1 && !repeated;
          if (!(another || silentOne || isRefusedByOneOfMany) || this.now() - begun >= PATIENCE) throw lost ?? error;
          repeated ||= isRefusedByOneOfMany;
        } else {
          const isSilent = error instanceof NoSignOfLife;
          if (!mayRepeat || repeated || !(isSilent ? mayLeave : gotLost(error))) throw error;
          // A single address is tried again only if a keep-alive connection was stale, because otherwise the request may have crashed the service.
          if (!another && !silentOne && !(this.all.length === 1 && wasKept(error))) throw error;
          if (isSilent) silentOne = replica;
          else repeated = true;
          lost = error;
          // The time limit for connecting starts again, regardless of how long the lost attempt took.
          begun = this.now();
        }
        if (another) replica = this.next(tried, alike);
        else if (silentOne) [replica, silentOne] = [silentOne, null];
      }
    }
  }

  /** An attempt that is given up when the replica shows no sign of life and `mayLeave` is true after these milliseconds without one. */
  private watched<Result>(
    replica: Replica,
    millis: number | null,
    send: Try<Result>,
    mayLeave: (silent: number) => boolean,
  ): Promise<Result> {
    const { pool, life } = replica;
    const { silentAfter } = this.patience;
    const end = new AbortController();
    return new Promise((resolve, reject) => {
      let silentSince: number | null = null;
      const look = async () => {
        // A missing replica is asked every second, so it need not be asked again.
        if (!life.isMissing && (await life.isThere())) silentSince = null;
        else silentSince ??= this.now();
        if (silentSince !== null && mayLeave(this.now() - silentSince)) {
          reject(new NoSignOfLife());
          end.abort();
        } else if (!isOver) timer = setTimeout(look, silentAfter).unref();
      };
      let isOver = false;
      let timer = setTimeout(look, silentAfter).unref();
      const over = () => {
        isOver = true;
        clearTimeout(timer);
      };
      send({ pool, millis, end: end.signal, life }).then(
        (result) => (over(), resolve(result)),
        (error: unknown) => (over(), reject(error)),
      );
    });
  }

  private hasOtherThan(tried: ReadonlySet<Replica>): boolean {
    return this.all.some((replica) => !tried.has(replica) && !replica.life.isMissing);
  }

  /** The next address that was not tried yet, preferably one that responds, does not end soon, and accepted its last connection. */
  private next(tried: ReadonlySet<Replica>, alike: number | null): Replica {
    if (this.all.length === 1) return this.all[0] as Replica;
    const untried = this.all.filter((replica) => !tried.has(replica));
    const since = this.now() - SKIPPED_FOR;
    const responding = untried.filter(({ life }) => !life.isMissing);
    const staying = responding.filter(({ life }) => !life.isLeaving);
    const well = staying.filter(({ refusedAt }) => refusedAt <= since);
    const choice = [well, staying, responding, untried].find(({ length }) => length > 0) as readonly Replica[];
    this.turn = (this.turn + 1) % this.all.length;
    return choice[(alike ?? this.turn) % choice.length] as Replica;
  }
}

function replicaAt(address: string): Replica {
  // A stream may last for hours, so only the start of an answer has a time limit. TCP keep-alive detects a failed peer.
  const pool = new Pool(address, { bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1, connect: { timeout: CONNECT_TIMEOUT } });
  return { address, pool, life: new SignOfLife(address, pool), refusedAt: -Infinity };
}
